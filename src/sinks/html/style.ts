/** The CSS of the report. It loads no other file. */
export const style = `
:root {
  color-scheme: light dark;
  --page: #f7f6f3; --card: #ffffff; --ink: #1f1e1b; --soft: #6b6860; --line: #e2dfd8; --well: #f3f1ec;
  --passed: #1b7f4d; --passed-well: #e3f3ea; --failed: #b9302b; --failed-well: #fbe9e7;
  --errored: #8a5a00; --errored-well: #fcf1d8; --skipped: #77746b; --skipped-well: #eceae4; --accent: #2b5ea8;
  --mono: ui-monospace, "SF Mono", "Cascadia Code", "JetBrains Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #171614; --card: #201f1c; --ink: #ebe8e1; --soft: #a19d92; --line: #383631; --well: #1a1917;
    --passed: #62c992; --passed-well: #1a3326; --failed: #f28b82; --failed-well: #41211f;
    --errored: #e3b04b; --errored-well: #3a2d12; --skipped: #a19d92; --skipped-well: #2d2b27; --accent: #8fb8f0;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0; padding: 3rem 1.25rem 4rem; background: var(--page); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif;
}
main, header, footer { max-width: 62rem; margin: 0 auto; }
h1 { margin: 0 0 .35rem; font-size: 2rem; line-height: 1.2; letter-spacing: -.02em; text-wrap: balance; }
h2 { margin: 3rem 0 .3rem; font-size: 1.25rem; letter-spacing: -.01em; }
h3 { margin: 1.6rem 0 .5rem; font-size: .8rem; font-weight: 600; letter-spacing: .02em; color: var(--soft); }
p { margin: .4rem 0; max-width: 46rem; }
code, pre, kbd { font-family: var(--mono); font-size: .86em; }
.soft { color: var(--soft); }
.note { color: var(--soft); font-size: .92rem; }
.cut { color: var(--soft); font-style: italic; }
.num { font-variant-numeric: tabular-nums; }
.alert { margin: 1.25rem 0 0; padding: .75rem 1rem; border-left: 4px solid var(--errored); border-radius: 4px;
  background: var(--errored-well); }
dl.facts { display: grid; grid-template-columns: max-content minmax(0, 1fr) max-content minmax(0, 1fr); gap: .15rem 1.25rem; margin: 1.25rem 0 0; font-size: .92rem; }
dl.facts dt { color: var(--soft); }
dl.facts dd { margin: 0; overflow-wrap: anywhere; }

.targets { margin-top: 1rem; border: 1px solid var(--line); border-radius: 10px; background: var(--card); }
.target { padding: 1.1rem 1.35rem 1.2rem; }
.target + .target { border-top: 1px solid var(--line); }
.target-head { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: .25rem 2rem; }
.target-name { font-size: 1.1rem; font-weight: 650; overflow-wrap: anywhere; }
.rate { font-size: 1.5rem; font-weight: 650; letter-spacing: -.02em; }
.rate small { font-size: .85rem; font-weight: 400; letter-spacing: 0; color: var(--soft); }
.bar { display: block; width: 100%; height: 10px; margin: .7rem 0 .75rem; border-radius: 5px; background: var(--skipped-well); }
.bar .passed { fill: var(--passed); } .bar .failed { fill: var(--failed); } .bar .errored { fill: var(--errored); }
.counts, .figures { display: flex; flex-wrap: wrap; gap: .2rem 1.4rem; margin: 0; padding: 0; list-style: none; font-size: .95rem; }
.figures { margin-top: .35rem; color: var(--soft); }
.counts li::before { content: ""; display: inline-block; width: .6rem; height: .6rem; margin-right: .45rem; border-radius: 50%;
  background: currentColor; }
.counts .zero { color: var(--soft); opacity: .7; }
.is-passed { color: var(--passed); } .is-failed { color: var(--failed); }
.is-errored { color: var(--errored); } .is-skipped { color: var(--skipped); }

.scroll { overflow-x: auto; }
table.graders { margin-top: .8rem; border-collapse: collapse; font-size: .94rem; }
table.graders th, table.graders td { padding: .35rem 1.2rem .35rem 0; border-bottom: 1px solid var(--line); text-align: left; font-weight: 400; }
table.graders thead th { color: var(--soft); font-size: .88rem; }
.trials { margin-top: .9rem; border: 1px solid var(--line); border-radius: 10px; background: var(--card); overflow: hidden; }
.trial + .trial { border-top: 1px solid var(--line); }
.trial > summary { display: grid; grid-template-columns: 8rem minmax(0, 1fr) auto; gap: .1rem 1rem; align-items: baseline;
  padding: .7rem 1.35rem; cursor: pointer; list-style: none; }
summary::-webkit-details-marker { display: none; }
.trial > summary:hover { background: var(--well); }
summary:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px; }
.trial[open] > summary { background: var(--well); }
.word { font-size: .88rem; font-weight: 600; }
.case { font-weight: 600; overflow-wrap: anywhere; }
.place { color: var(--soft); font-size: .88rem; overflow-wrap: anywhere; }
.why { grid-column: 2 / -1; font-size: .94rem; overflow-wrap: anywhere; }
.side { color: var(--soft); font-size: .88rem; white-space: nowrap; }
.body { padding: .1rem 1.35rem 1.4rem; }
.problem { margin-top: 1rem; padding: .7rem 1rem; border-radius: 8px; background: var(--errored-well); overflow-wrap: anywhere; }
.problem p { margin: .15rem 0; }

ul.grades { margin: 0; padding: 0; list-style: none; border-top: 1px solid var(--line); }
ul.grades > li { display: grid; grid-template-columns: 8rem minmax(0, 1fr) auto; gap: 0 1rem; align-items: baseline; padding: .55rem 0;
  border-bottom: 1px solid var(--line); font-size: .94rem; }
ul.grades .reason { grid-column: 2 / -1; margin: 0; overflow-wrap: anywhere; white-space: pre-wrap; }
ul.grades b { font-weight: 600; overflow-wrap: anywhere; }
ul.evidence { grid-column: 2 / -1; margin: .25rem 0 .1rem; padding: 0 0 0 1.1rem; list-style: disc; font-size: .92rem; overflow-wrap: anywhere; }
ul.evidence li.unmet::marker { color: var(--failed); } ul.evidence li.met { color: var(--soft); }
ul.grades ul.grades { grid-column: 2 / -1; margin-top: .4rem; }

ol.transcript { margin: 0; padding: 0; list-style: none; }
ol.transcript > li { margin: .5rem 0; }
.said { padding: .6rem .95rem .7rem; border-radius: 10px; background: var(--well); }
.said.by-user { margin-right: 12%; } .said.by-assistant { margin-left: 12%; border: 1px solid var(--line); background: transparent; }
.said.by-system { font-size: .92rem; color: var(--soft); }
.who { display: block; margin-bottom: .1rem; font-size: .78rem; font-weight: 600; color: var(--soft); }
.text { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: plaintext; }
.aside { margin-left: 12%; border-left: 2px solid var(--line); padding-left: .9rem; font-size: .92rem; }
.aside > summary { padding: .1rem 0; cursor: pointer; color: var(--soft); overflow-wrap: anywhere; list-style: none; }
.aside > summary::before { content: "▸ "; } .aside[open] > summary::before { content: "▾ "; }
.aside code { color: var(--ink); }
pre { margin: .35rem 0 .6rem; padding: .65rem .85rem; max-height: 26rem; overflow: auto; border-radius: 8px; background: var(--well);
  white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: plaintext; line-height: 1.45; }
.key { margin-top: 1.2rem; color: var(--soft); font-size: .86rem; overflow-wrap: anywhere; }
footer { margin-top: 4rem; padding-top: 1rem; border-top: 1px solid var(--line); color: var(--soft); font-size: .88rem; }
@media (max-width: 40rem) {
  body { padding: 1.5rem .8rem 3rem; }
  dl.facts { grid-template-columns: max-content minmax(0, 1fr); }
  .trial > summary, ul.grades > li { grid-template-columns: minmax(0, 1fr); }
  .why, ul.grades .reason, ul.evidence, ul.grades ul.grades { grid-column: 1; }
  .said.by-user, .said.by-assistant, .aside { margin-left: 0; margin-right: 0; }
}
@media print { body { padding: 0; background: none; } .trial { break-inside: avoid; } pre { max-height: none; } }
`;
