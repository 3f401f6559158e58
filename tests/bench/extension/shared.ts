/** Size of the events that are measured, in bytes. */
export const EVENT_BYTES = 1000;

/** Name of the port by which a page says how far it has come. */
export const BENCH_PORT = 'bench';

/** What the worker measures; each resolves with events a second. */
export interface WorkerBench {
  /** From the recorder into IndexedDB, the last one committed. */
  recordedEvents(count: number): Promise<number>;
  /** From the hub over a port to a page that has one open, the last one taken. */
  portedEvents(count: number): Promise<number>;
}
