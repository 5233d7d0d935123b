/** A file of its own, since the program's content security policy need not allow styles inside a page then. */
export const SETTINGS_STYLE = `:root { color-scheme: light }
body { font: 15px/1.5 system-ui, sans-serif; margin: 0; color: #1c2024; background: #f4f5f7 }
header { background: #1c2333; color: #fff; padding: .75rem 1.5rem; display: flex; gap: 1.5rem; align-items: baseline; flex-wrap: wrap }
header form { margin-left: auto }
main { max-width: 64rem; margin: 1.5rem auto; padding: 0 1rem }
section { background: #fff; border: 1px solid #d9dde1; border-radius: .5rem; padding: 1rem 1.25rem; margin-bottom: 1.25rem; overflow-x: auto }
h1 { font-size: 1.25rem; margin: 0 } h2 { font-size: 1.1rem; margin: 0 0 .5rem }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; padding: .4rem .5rem; border-top: 1px solid #e8eaed; vertical-align: top } th { border: 0; font-weight: 600 }
td.number { text-align: right; font-variant-numeric: tabular-nums } td form { display: inline }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1.25rem; margin: 0 } dt { color: #59636e } dd { margin: 0 }
input, select, button { font: inherit; padding: .3rem .5rem } label { display: inline-block; margin: 0 1rem .5rem 0 }
button { cursor: pointer } button.main { background: #3b5bdb; color: #fff; border: 0; border-radius: .3rem; padding: .4rem 1rem }
.mark { display: inline-block; border-radius: 1rem; padding: 0 .6rem; font-size: .85rem; background: #e8eaed }
.done { background: #d8f0e0; color: #0b5a2b } .open { background: #fde3e1; color: #8f1d14 } .soft { color: #59636e }
.notice { background: #fff4ce; border-radius: .3rem; padding: .5rem .75rem } .made { background: #d8f0e0; border-radius: .3rem; padding: .5rem .75rem }
article { border-top: 1px solid #e8eaed; padding: .5rem 0 } article p { margin: 0 0 .35rem } code { overflow-wrap: anywhere }
`;
