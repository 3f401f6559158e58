import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script';
import { publish } from '../lib/browser/worker/late-script.ts';
import { tellCutOff } from '../lib/connection/survival/cut-off.ts';
import { createReports } from '../lib/connection/report/report.ts';

/** Loaded by the background with the first transport report, or where an extension that was replaced left something. */
export default defineUnlistedScript(() => publish('report', { createReports, tellCutOff }));
