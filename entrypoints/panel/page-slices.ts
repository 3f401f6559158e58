import { whenShown } from '../../lib/browser/page/visibility.ts';
import type { Slices } from '../../lib/state/view/view-slices.ts';

const { port1, port2 } = new MessageChannel();
const waiting: (() => void)[] = [];

port1.addEventListener('message', () => {
  const run = waiting.shift();
  if (run !== undefined) whenShown(run);
});
port1.start();

/** Cuts work into tasks of the page. A message comes sooner than a timer, and lets input and painting go first. */
export const pageSlices: Slices = {
  now: () => performance.now(),
  later(run) {
    waiting.push(run);
    port2.postMessage(undefined);
  },
};
