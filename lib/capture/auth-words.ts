import type { Wording } from './lifecycle.ts';
import type { EventOf } from './wire-event.ts';

/** The row for a step of an authorization that has no exchange; `undefined` where other rows tell. */
export function wordAuth(
  event: EventOf<'auth-consent' | 'auth-credential' | 'auth-ended'>,
): Wording | undefined {
  switch (event.kind) {
    case 'auth-consent':
      return CONSENT_WORDS[event.state];
    case 'auth-credential': {
      const { change, secret, issuer, reason } = event;
      return {
        level: 'info',
        title: `Token ‹${secret}› ${change}`,
        detail: reason ?? `of ${issuer}`,
      };
    }
    case 'auth-ended': {
      const { problem } = event;
      if (problem === undefined) return undefined;
      return { level: 'error', title: 'Authorization failed', detail: problem.message, problem };
    }
  }
}

const CONSENT_WORDS: Record<EventOf<'auth-consent'>['state'], Wording> = {
  opened: {
    level: 'info',
    title: 'Consent asked',
    detail: 'in a window of the authorization server',
  },
  received: { level: 'info', title: 'Consent answered' },
  denied: { level: 'warning', title: 'Consent denied' },
  closed: { level: 'warning', title: 'Consent window closed' },
  interrupted: { level: 'warning', title: 'Consent interrupted' },
};
