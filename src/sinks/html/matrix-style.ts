/** The CSS of the matrix, after the CSS of the report. `targets`: number of columns. */
export function matrixStyle(targets: number): string {
  return `
.wide { max-width: none; }
.tools { display: flex; flex-wrap: wrap; gap: .6rem 1.2rem; align-items: center; margin: 1.2rem 0 .2rem; }
.tools[hidden] { display: none; }
.tools input[type=search] { min-width: 16rem; padding: .35rem .6rem; border: 1px solid var(--line); border-radius: 6px;
  background: var(--card); color: var(--ink); font: inherit; }
.matrix { min-width: max-content; margin-top: 1rem; border: 1px solid var(--line); border-radius: 10px; background: var(--card); }
.line { display: grid; grid-template-columns: minmax(14rem, 22rem) repeat(${targets}, minmax(12rem, 1fr)); }
.line > * { padding: .5rem .9rem; overflow-wrap: anywhere; }
.line > :first-child { position: sticky; left: 0; background: var(--card); }
.head { position: sticky; top: 0; z-index: 2; border-bottom: 1px solid var(--line); border-radius: 10px 10px 0 0; background: var(--card);
  font-weight: 600; font-size: .92rem; }
.head button { padding: 0; border: 0; background: none; color: inherit; font: inherit; text-align: left; cursor: pointer; }
.head button:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.head button[aria-pressed=true] { text-decoration: underline; }
.line-case { content-visibility: auto; contain-intrinsic-size: auto 2.6rem; }
.line-case + .line-case { border-top: 1px solid var(--line); }
.line-case[hidden] { display: none; }
.line-case > summary { cursor: pointer; list-style: none; }
.line-case > summary:hover .case { text-decoration: underline; }
.line-case[open] > summary { position: sticky; top: 2.5rem; z-index: 1; background: var(--card); }
.answers { border-top: 1px dashed var(--line); font-size: .94rem; }
.answers h2 { margin: .1rem 0 .3rem; font-size: .8rem; font-weight: 600; letter-spacing: .02em; color: var(--soft); }
.answers pre { font-size: .82rem; }
`;
}
