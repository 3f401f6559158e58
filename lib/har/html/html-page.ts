/// <reference lib="dom" />

/** How the page looks: system fonts, light or dark as the reader has it, nothing from elsewhere. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d5d8dd, #47494d); --dim: light-dark(#5a5f66, #aaaeb4);
  --raised: light-dark(#f3f4f6, #323335); --bad: light-dark(#b3261e, #f59a93); --focus: light-dark(#0b57d0, #a8c7fa); }
* { box-sizing: border-box; }
body { margin: 0; background: light-dark(#fff, #282828); color: light-dark(#1f2023, #e6e7ea);
  font: 13px/18px system-ui, sans-serif; font-variant-numeric: tabular-nums; }
header { padding: 12px 16px; }
h1 { margin: 0 0 4px; font-size: 16px; overflow-wrap: anywhere; }
h2 { margin: 12px 0 4px; font-size: 13px; }
p { margin: 4px 0; color: var(--dim); overflow-wrap: anywhere; }
.find { display: flex; gap: 8px; align-items: center; position: sticky; top: 0; z-index: 1; padding: 6px 16px;
  border-block: 1px solid var(--line); background: var(--raised); }
input { width: min(360px, 60vw); padding: 2px 6px; font: inherit; color: inherit; background: transparent;
  border: 1px solid var(--dim); border-radius: 2px; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: -1px; }
.cells { display: grid; grid-template-columns: 100px minmax(0, 1fr) 132px 72px 80px; gap: 0 8px; }
.cells > * { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.cells > :nth-child(n + 4) { text-align: right; }
.columns { padding: 4px 16px 4px 32px; color: var(--dim); border-bottom: 1px solid var(--line); }
details { content-visibility: auto; contain-intrinsic-size: auto 27px; border-bottom: 1px solid var(--line); }
details[hidden] { display: none; }
summary { display: block; padding: 4px 16px 4px 32px; position: relative; cursor: default; }
summary::before { content: '▸'; position: absolute; left: 14px; color: var(--dim); }
[open] > summary::before { content: '▾'; }
summary:hover, [open] > summary { background: var(--raised); }
.bad { color: var(--bad); }
section { padding: 0 16px 12px 32px; }
table { border-collapse: collapse; max-width: 100%; }
td, th { padding: 1px 12px 1px 0; text-align: left; vertical-align: top; font-weight: 400; overflow-wrap: anywhere; }
th { color: var(--dim); white-space: nowrap; }
pre, code { font: 12px/17px ui-monospace, Menlo, Consolas, monospace; unicode-bidi: isolate; }
pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 60vh; overflow: auto; }
@media (width < 640px) { .cells { grid-template-columns: minmax(0, 1fr) 96px 64px; }
  .cells > :first-child, .cells > :nth-child(4) { display: none; } }
@media print { details::details-content { content-visibility: visible; } .find { display: none; } }
`;

/**
 * What the page does: it shows the rows that hold all words of the search. Its source becomes part of the page, so
 * it uses nothing from outside of itself.
 */
export function runPage(): void {
  const box = document.querySelector<HTMLInputElement>('#search');
  const count = document.querySelector('#count');
  const rows = [...document.querySelectorAll<HTMLDetailsElement>('details.row')];
  const texts = new Map<Element, string>();
  if (box === null || count === null) return;

  const textOf = (row: HTMLDetailsElement): string => {
    const known = texts.get(row);
    if (known !== undefined) return known;
    const text = (row.textContent ?? '').toLowerCase();
    texts.set(row, text);
    return text;
  };
  const show = (): void => {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      row.hidden = !words.every((word) => textOf(row).includes(word));
      if (!row.hidden) shown += 1;
    }
    count.textContent = words.length === 0 ? `${rows.length}` : `${shown} of ${rows.length}`;
  };
  box.addEventListener('input', show);
  document.addEventListener('keydown', (event) => {
    if (event.key === '/' && document.activeElement !== box) {
      event.preventDefault();
      box.focus();
    }
    if (event.key === 'Escape' && document.activeElement === box) {
      box.value = '';
      show();
    }
  });
  show();
}
