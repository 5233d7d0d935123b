/** Where `homePage` serves it: the content security policy allows no styles within a page. */
export const STYLE_ADDRESS = '/style.css';

/** Where it serves the sign of every page, plain or not. */
export const ICON_ADDRESS = '/icon.svg';

export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#4263eb"/><path d="M8 11h16M16 11v13M8 24h16" stroke="#fff" stroke-width="3" fill="none"/></svg>`;

/** Colors, corners and type of the page for people (`web/shell/theme.ts`), in both color schemes. */
export const STYLE = `:root { color-scheme: light dark; --text: #000; --soft: #495057; --line: #dee2e6; --head: #f8f9fa; --accent: #4263eb; --link: #3b5bdb }
@media (prefers-color-scheme: dark) {
  :root { --text: #c9c9c9; --soft: #b8b8b8; --line: #424242; --head: #2e2e2e; --accent: #3b5bdb; --link: #91a7ff }
}
body { font: 16px/1.55 -apple-system, BlinkMacSystemFont, Segoe UI, Roboto, Helvetica, Arial, sans-serif; margin: 0; color: var(--text); background: light-dark(#fff, #242424) }
main { max-width: 60rem; margin: 10vh auto 2rem; padding: 0 1rem; overflow-wrap: anywhere }
section { border: 1px solid var(--line); border-radius: .5rem; padding: 2rem; overflow-x: auto }
h1 { font-size: 1.6rem; line-height: 1.3; margin: 0 0 1rem } a { color: var(--link) }
table { border-collapse: collapse; width: 100% } th, td { text-align: left; padding: .5rem; border-top: 1px solid var(--line); vertical-align: top } th { border: 0; background: var(--head) }
input, button { font: inherit; padding: .4rem .75rem; border-radius: .5rem; border: 1px solid var(--line); color: inherit; background: var(--head) } input[type=radio] { padding: 0 }
button, .next { cursor: pointer; font-weight: 600; border: 0; border-radius: .5rem; padding: .5rem 1.1rem; color: #fff; background: var(--accent) } .next { display: inline-block; text-decoration: none }
label { display: inline-block } code { overflow-wrap: anywhere } .soft { color: var(--soft) }
`;
