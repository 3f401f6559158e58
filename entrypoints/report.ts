import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script';
import { publish } from '../lib/browser/worker/late-script.ts';
import { tellCutOff } from '../lib/connection/survival/cut-off.ts';
import { createAccess } from '../lib/connection/wishes/access.ts';
import { createReports } from '../lib/connection/report/report.ts';
import { networkProblem } from '../lib/transport/network-problem.ts';

/** Loaded by the background when it is first needed: what seldom is, and is too small for a script of its own. */
export default defineUnlistedScript(() =>
  publish('report', { createReports, createAccess, networkProblem, tellCutOff }),
);
