import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script';
import { publish } from '../lib/browser/worker/late-script.ts';
import { createFaultBench } from '../lib/transport/faults/faults.ts';

/** Loaded by the background when the first fault is armed, or a stream dropped. */
export default defineUnlistedScript(() => publish('faults', createFaultBench));
