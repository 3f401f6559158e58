import type { Wording } from './lifecycle.ts';
import type { EventOf } from './wire-event.ts';

/** The row for a step of an authorization that has no exchange. */
export function wordAuth(
  event: EventOf<'auth-consent' | 'auth-credential' | 'auth-question'>,
): Wording {
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
    case 'auth-question':
      return event.answer === undefined
        ? { level: 'info', title: 'You are asked', detail: QUESTION_WORDS[event.question.kind] }
        : { level: 'info', title: `Answered with ${event.answer}` };
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

const QUESTION_WORDS: Record<EventOf<'auth-question'>['question']['kind'], string> = {
  'parent-resource': 'whether a token may be valid for more than this server',
  'issuer-slash': 'whether an issuer may differ by a slash',
  'assume-s256': 'whether PKCE with S256 may be assumed',
  'register-instead': 'whether to register instead',
};
