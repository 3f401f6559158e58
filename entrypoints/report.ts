import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script';
import { publish } from '../lib/browser/late-script.ts';
import { createReports } from '../lib/connection/report.ts';

/** Loaded by the background with the first transport report. */
export default defineUnlistedScript(() => publish('report', createReports));
