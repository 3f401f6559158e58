import { median } from './median.ts';
import { sendAndTime } from './panel-reading.ts';
import { expectEveryRow, openPanelSession, readMemory } from './panel-session.ts';
import { longestTask } from './task-trace.ts';

type Figures = Record<string, number>;

/** Bursts of these many, each in so many new browsers. */
const ROUNDS = new Map([
  [1000, 3],
  [10_000, 3],
  [100_000, 1],
]);
const TICKS = 40;
const IDLE_ROUNDS = 3;

/** What bursts of notifications cost, all rows kept. */
export async function benchBursts(): Promise<Figures> {
  const figures: Figures = {};
  for (const [count, rounds] of ROUNDS) {
    const measured: Figures[] = [];
    for (let round = 0; round < rounds; round += 1) measured.push(await benchBurst(count));
    for (const key of Object.keys(measured[0] ?? {})) {
      figures[key] = median(measured.map((each) => each[key] ?? 0));
    }
  }
  return figures;
}

async function benchBurst(count: number): Promise<Figures> {
  await using cold = await openPanelSession();
  const { page } = cold;
  const { settledMs, used } = await cold.burst(count);
  const { heapMB, nodes, elements } = await readMemory(page);
  await expectEveryRow(page, count);
  const name = `burst${count}`;
  return {
    [`worker.${name}.cpuSeconds`]: used.worker,
    [`panel.${name}.cpuSeconds`]: used.panel,
    [`panel.${name}.settledSeconds`]: settledMs / 1000,
    [`panel.${name}.domNodes`]: nodes,
    [`panel.${name}.domElements`]: elements,
    [`panel.${name}.heapMB`]: heapMB,
    ...(await benchTasks(count)),
  };
}

/** In a browser of its own: tracing costs time too. */
async function benchTasks(count: number): Promise<Figures> {
  await using session = await openPanelSession();
  const { wallMs, cpuMs } = await longestTask(session.wirescope.browser, () =>
    session.burst(count),
  );
  return {
    [`panel.burst${count}.longestTaskMs`]: wallMs,
    [`panel.burst${count}.longestTaskCpuMs`]: cpuMs,
  };
}

/** How long it takes from a byte on its way to its row on the screen, while nothing else is to be done. */
export async function benchIdle(): Promise<Figures> {
  await using session = await openPanelSession();
  const medians: number[] = [];
  const late: number[] = [];
  for (let round = 0; round < IDLE_ROUNDS; round += 1) {
    await session.prepare('tick', TICKS);
    const times = (await session.page.evaluate(sendAndTime, TICKS)).toSorted((a, b) => a - b);
    medians.push(median(times));
    late.push(times[Math.floor(times.length * 0.9)] ?? 0);
  }
  return {
    'panel.firstByteToRowMedianMs': median(medians),
    'panel.firstByteToRow90thMs': median(late),
  };
}
