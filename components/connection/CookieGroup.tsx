import type { Signal } from '@preact/signals';
import { OptionCheck } from './OptionCheck.tsx';

/** Whether the browser's cookies go along. */
export function CookieGroup({ cookies }: { cookies: Signal<boolean> }) {
  return (
    <fieldset>
      <legend>Cookies</legend>
      <OptionCheck label="Send the browser’s cookies" value={cookies} />
      <p class="dim">
        Requests to this origin carry the cookies that this browser has for it, and those that the
        server sets are kept in the browser. Cookies that a site has partitioned are not sent, and
        WebSockets carry only those with SameSite=None. Their values are hidden as all secrets are.
      </p>
    </fieldset>
  );
}
