import type { ChromiumBrowser } from '../support/chromium.ts';

export interface LongestTask {
  /** By the clock, in milliseconds. */
  wallMs: number;
  /** Processor time of the task that took most of it, in milliseconds: what is left where nobody else is at work. */
  cpuMs: number;
}

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  dur?: number;
  tdur?: number;
  args?: { name?: string };
}

/** The longest task on the main thread of the extension's pages while `act` runs, from the browser's own trace. */
export async function longestTask<Result>(
  { context }: ChromiumBrowser,
  act: () => Promise<Result>,
): Promise<LongestTask & { result: Result }> {
  const connection = context.browser();
  if (connection === null) throw new Error('The browser is gone.');
  await connection.startTracing(undefined, { categories: ['toplevel'] });
  let trace: Buffer | undefined;
  try {
    const result = await act();
    trace = await connection.stopTracing();
    return { ...longestOf(trace), result };
  } finally {
    if (trace === undefined) await connection.stopTracing();
  }
}

function longestOf(trace: Buffer): LongestTask {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  const named = (name: string) =>
    traceEvents.filter((event) => event.ph === 'M' && event.args?.name === name);
  // A renderer with a service worker in it is the extension's.
  const pids = new Set(named('ServiceWorker thread').map(({ pid }) => pid));
  const threads = new Set(
    named('CrRendererMain')
      .filter(({ pid }) => pids.has(pid))
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const tasks = traceEvents.filter(
    ({ name, ph, pid, tid }) =>
      ph === 'X' && name.endsWith('RunTask') && threads.has(`${pid} ${tid}`),
  );
  if (tasks.length === 0) throw new Error('The trace has no task of the panel.');
  return {
    wallMs: Math.max(...tasks.map(({ dur = 0 }) => dur / 1000)),
    cpuMs: Math.max(...tasks.map(({ tdur = 0 }) => tdur / 1000)),
  };
}
