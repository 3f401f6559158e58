import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script';
import { publish } from '../lib/browser/late-script.ts';
import { openAuthorizing } from '../lib/browser/open-authorizing.ts';

/** Loaded by the background when a server asks for authorization. */
export default defineUnlistedScript(() => publish('authorization', openAuthorizing));
