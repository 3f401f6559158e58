/**
 * The text of every traffic row, read by scrolling from the top to the end. It runs in the panel: it sees
 * nothing of this file.
 */
export async function readEveryRow(): Promise<string[]> {
  const grid = document.querySelector<HTMLElement>('[role=treegrid][aria-label=Traffic]');
  if (grid === null) throw new Error('There is no table.');
  const rows = new Map<number, string>();
  const read = () => {
    for (const row of grid.querySelectorAll<HTMLElement>('[role=row]')) {
      const index = Number(row.getAttribute('aria-rowindex'));
      if (index < 2) continue;
      const cells = [...row.querySelectorAll('[role=gridcell]')].map((cell) => cell.textContent);
      rows.set(index, cells.join('\t').replaceAll(/[ \n]+/g, ' '));
    }
  };
  const end = Date.now() + 90_000;
  grid.scrollTop = 0;
  for (;;) {
    const next = grid.scrollTop;
    // What is in view now is drawn in the next frame, and drawn over within one more.
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
    read();
    const isEnd = next + grid.clientHeight >= grid.scrollHeight - 1;
    if (isEnd && rows.size === Number(grid.getAttribute('aria-rowcount')) - 1) break;
    if (Date.now() > end) throw new Error(`Only ${rows.size} rows could be read.`);
    grid.scrollTop = isEnd ? 0 : next + grid.clientHeight - 50;
  }
  return [...rows].toSorted(([a], [b]) => a - b).map(([, text]) => text);
}
