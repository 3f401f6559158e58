import { browser } from 'wxt/browser';
import { AppError } from '../../errors.ts';
import type { OriginPolicy } from '../../capture/store/stored-profile.ts';
import { MARK } from './request-log.ts';

type Rule = Parameters<typeof browser.declarativeNetRequest.updateSessionRules>[0]['addRules'];
type SessionRule = NonNullable<Rule>[number];

interface Held {
  ruleId: number | undefined;
  url: string;
  policy: string;
}

/** Sets what `Origin` our requests to one URL carry. Session rules: they end with the browser. */
export function createOriginRules() {
  const held = new Map<string, Held>();
  let nextRuleId = 1;

  return {
    async setOrigin(connectionId: string, url: string, policy: OriginPolicy): Promise<void> {
      const wanted = JSON.stringify(policy);
      const clash = [...held.values()].find(
        (other) => other.url === url && other.policy !== wanted,
      );
      if (clash !== undefined) {
        throw new AppError({
          code: 'internal',
          message: `Another live connection to ${url} sends a different Origin header.`,
          advice: 'Disconnect it first: the browser can send only one kind to the same URL.',
        });
      }
      const ruleId = policy.kind === 'extension' ? undefined : nextRuleId;
      held.set(connectionId, { ruleId, url, policy: wanted });
      if (ruleId === undefined) return;
      nextRuleId += 1;
      await browser.declarativeNetRequest.updateSessionRules({
        removeRuleIds: [ruleId],
        addRules: [originRule(ruleId, url, policy)],
      });
    },
    async clearOrigin(connectionId: string): Promise<void> {
      const ruleId = held.get(connectionId)?.ruleId;
      held.delete(connectionId);
      if (ruleId === undefined) return;
      await browser.declarativeNetRequest.updateSessionRules({ removeRuleIds: [ruleId] });
    },
    /** Drops what an earlier life of the worker left behind. */
    async reset(): Promise<void> {
      const rules = await browser.declarativeNetRequest.getSessionRules();
      const removeRuleIds = rules.map(({ id }) => id);
      await browser.declarativeNetRequest.updateSessionRules({ removeRuleIds });
    },
  };
}

function originRule(id: number, url: string, policy: OriginPolicy): SessionRule {
  const requestHeader =
    policy.kind === 'value'
      ? ({ header: 'origin', operation: 'set', value: policy.value } as const)
      : ({ header: 'origin', operation: 'remove' } as const);
  return {
    id,
    action: { type: 'modifyHeaders', requestHeaders: [requestHeader] },
    condition: {
      initiatorDomains: [new URL(browser.runtime.getURL('/')).hostname],
      // With the mark of our own URLs the rule fits exactly this one, and nobody else's requests.
      urlFilter: `|${url}${MARK}`,
      isUrlFilterCaseSensitive: true,
      resourceTypes: ['xmlhttprequest'],
    },
  };
}
