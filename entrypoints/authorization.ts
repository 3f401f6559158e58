import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script';
import { OPEN_AUTHORIZING } from '../lib/browser/authorization-script.ts';
import { openAuthorizing } from '../lib/browser/open-authorizing.ts';

/** Loaded by the background when a server asks for authorization. */
export default defineUnlistedScript(() => {
  Reflect.set(globalThis, OPEN_AUTHORIZING, openAuthorizing);
});
