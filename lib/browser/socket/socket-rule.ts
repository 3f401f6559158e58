import { browser } from 'wxt/browser';
import { httpForm, type SocketCall } from '../../transport/websocket/socket-door.ts';

type Rules = Parameters<typeof browser.declarativeNetRequest.updateSessionRules>[0]['addRules'];
type SessionRule = NonNullable<Rules>[number];
type RequestHeader = NonNullable<
  Extract<SessionRule['action'], { requestHeaders?: unknown }>['requestHeaders']
>[number];

/** Far above the ids of the rules for `Origin`, which count from 1. */
const FIRST_RULE_ID = 1_000_000;

/** Session rules that give a handshake its headers and its `Origin`: a WebSocket has no other way to get them. */
export function createSocketRules() {
  /** The handshakes to each URL, one after the other: a rule cannot tell two of them apart. */
  const turns = new Map<string, Promise<void>>();
  let nextRuleId = FIRST_RULE_ID;

  async function setRule(ruleId: number, rule: SessionRule): Promise<void> {
    const removeRuleIds = [ruleId];
    await browser.declarativeNetRequest.updateSessionRules({ removeRuleIds, addRules: [rule] });
  }

  return {
    /** Resolves when the handshake may begin, with what is to be called when it is over. */
    async hold(call: SocketCall): Promise<() => void> {
      const requestHeaders = headerChanges(call);
      if (requestHeaders.length === 0) return () => undefined;
      const ruleId = nextRuleId;
      nextRuleId += 1;
      const before = turns.get(call.url) ?? Promise.resolve();
      const { promise: over, resolve: end } = Promise.withResolvers<void>();
      const turn = before.then(() => over);
      turns.set(call.url, turn);
      await before;
      let isHeld = true;
      const release = () => {
        if (!isHeld) return;
        isHeld = false;
        if (turns.get(call.url) === turn) turns.delete(call.url);
        browser.declarativeNetRequest
          .updateSessionRules({ removeRuleIds: [ruleId] })
          .catch(() => undefined)
          .finally(end);
      };
      try {
        await setRule(ruleId, socketRule(ruleId, call.url, requestHeaders));
      } catch (error) {
        release();
        throw error;
      }
      return release;
    },
  };
}

function headerChanges({ headers, originPolicy, cookies }: SocketCall): RequestHeader[] {
  const changes = headers.map(({ name, value }): RequestHeader => {
    return { header: name.toLowerCase(), operation: 'set', value };
  });
  // Unlike fetch, a WebSocket takes cookies along unasked.
  const brings = ({ name }: { name: string }) => name.toLowerCase() === 'cookie';
  if (cookies !== true && !headers.some(brings)) {
    changes.push({ header: 'cookie', operation: 'remove' });
  }
  if (originPolicy.kind === 'none') changes.push({ header: 'origin', operation: 'remove' });
  if (originPolicy.kind === 'value') {
    changes.push({ header: 'origin', operation: 'set', value: originPolicy.value });
  }
  return changes;
}

function socketRule(id: number, url: string, requestHeaders: RequestHeader[]): SessionRule {
  return {
    id,
    action: { type: 'modifyHeaders', requestHeaders },
    condition: {
      initiatorDomains: [new URL(browser.runtime.getURL('/')).hostname],
      // Neither a page of ours nor anybody else's, and this URL to its last character.
      tabIds: [-1],
      // Firefox compares with the http form of a WebSocket's URL.
      urlFilter: `|${import.meta.env.FIREFOX ? httpForm(url) : url}|`,
      isUrlFilterCaseSensitive: true,
      resourceTypes: ['websocket'],
    },
  };
}
