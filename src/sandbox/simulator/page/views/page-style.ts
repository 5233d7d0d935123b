/** The one style sheet of the page. No fonts, images or scripts of other origins. */
export const PAGE_STYLE = `
:root { --ink: #1c2333; --soft: #5d6679; --line: #e3e6ec; --ground: #f4f5f8; --main: #3b5bdb; --good: #0b7a3e; --bad: #b3261e;
  --warn: #8a5a00 }
* { box-sizing: border-box }
body { font: 15px/1.5 system-ui, -apple-system, "Segoe UI", "Liberation Sans", sans-serif; margin: 0; color: var(--ink);
  background: var(--ground) }
header { background: var(--ink); color: #fff }
header > div { max-width: 76rem; margin: auto; padding: .7rem 1.25rem; display: flex; gap: 1.5rem; align-items: center }
header a { color: #c9cfdd; text-decoration: none } header a:hover, header a[aria-current] { color: #fff }
header a[aria-current] { font-weight: 600 } header form { margin-left: auto; display: flex; gap: .75rem; align-items: center }
main { max-width: 76rem; margin: 1.5rem auto; padding: 0 1.25rem }
section { background: #fff; border: 1px solid var(--line); border-radius: .6rem; padding: 1.1rem 1.35rem; margin-bottom: 1.25rem }
section > :last-child { margin-bottom: 0 }
h2 { margin: 0 0 .6rem; font-size: 1.1rem; display: flex; gap: .75rem; align-items: baseline; flex-wrap: wrap }
h2 small { font-weight: 400; font-size: .9rem; color: var(--soft) }
p { margin: .4rem 0 .8rem } .soft, time { color: var(--soft) } time { font-variant-numeric: tabular-nums; white-space: nowrap }
table { border-collapse: collapse; width: 100%; margin-bottom: .75rem }
th, td { text-align: left; padding: .4rem .6rem; border-top: 1px solid var(--line); vertical-align: top }
th { border: 0; font-size: .8rem; color: var(--soft); font-weight: 600 } th.amount, td.amount { text-align: right }
td.amount { font-variant-numeric: tabular-nums; white-space: nowrap } td.text { overflow-wrap: anywhere }
td.date { white-space: nowrap; font-variant-numeric: tabular-nums } h2 time { color: inherit }
label { display: inline-flex; flex-direction: column; gap: .15rem; font-size: .82rem; color: var(--soft) }
label.check { flex-direction: row; align-items: center; gap: .4rem; font-size: .95rem }
form.fields { display: flex; flex-wrap: wrap; gap: .75rem 1rem; align-items: end }
input, select, button, a.button { font: inherit; padding: .38rem .65rem; border: 1px solid #c3c9d6; border-radius: .4rem; background: #fff;
  color: var(--ink) }
input[type=checkbox] { width: 1.05rem; height: 1.05rem; margin: 0 }
button, a.button { cursor: pointer; text-decoration: none; display: inline-block } button:hover { background: var(--ground) }
button.main, a.button { background: var(--main); border-color: var(--main); color: #fff; font-weight: 600; padding: .45rem 1.2rem }
button.main:hover, a.button:hover { background: #2d3ba8 }
button:disabled { background: #c9cede; border-color: #c9cede; cursor: default }
header button { background: transparent; color: #fff; border-color: #56607a } header button:hover { background: #2a3350 }
td form, .row form { display: inline } td button { padding: .15rem .5rem; font-size: .85rem; margin: 0 .25rem .25rem 0 }
.row { display: flex; gap: 1rem; align-items: center; flex-wrap: wrap; margin-bottom: .75rem } nav.row { margin: 0 }
.badge { font-size: .82rem; font-weight: 600; padding: .1rem .6rem; border-radius: 1rem; background: #e8ebf2; color: #3d4659;
  white-space: nowrap }
.badge.successful, .badge.completed, .badge.acknowledged, .badge.ACTIVATED { background: #dff3e6; color: var(--good) }
.badge.failed, .badge.abandoned, .badge.given_up, .badge.ERROR, .badge.INACTIVE { background: #fbe3e1; color: var(--bad) }
.badge.completed_with_errors, .badge.in_progress, .badge.due, .badge.AUTHORIZED { background: #fff1cf; color: var(--warn) }
.failed .reason { color: var(--bad) } .clock { font-size: 1.5rem; font-weight: 600; font-variant-numeric: tabular-nums }
.notice { background: #fff1cf; border: 1px solid #f0d590; padding: .6rem .9rem; border-radius: .5rem }
code { font-size: .85em; overflow-wrap: anywhere; color: var(--soft) } summary { cursor: pointer; margin-bottom: .4rem }
details table { margin-top: .25rem }
progress { width: 14rem; height: .7rem; accent-color: var(--main) }`;
