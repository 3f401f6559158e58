import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script';
import { publish } from '../lib/browser/worker/late-script.ts';
import { createRawSender } from '../lib/connection/raw/raw-send.ts';

/** Loaded by the background with the first request that is sent to the letter. */
export default defineUnlistedScript(() => publish('raw', createRawSender));
