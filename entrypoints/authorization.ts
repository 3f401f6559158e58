import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script';
import { publish } from '../lib/browser/worker/late-script.ts';
import { openAuthorizing } from '../lib/browser/worker/open-authorizing.ts';

/** Loaded by the background when a server asks for authorization. */
export default defineUnlistedScript(() => publish('authorization', openAuthorizing));
