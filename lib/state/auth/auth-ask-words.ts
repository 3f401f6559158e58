import type { AuthQuestion } from '../../capture/auth-fact.ts';
import type { AuthAsk } from '../../port/contract.ts';

/** A step of an authorization in which its user is needed, in words. */
export interface AskWords {
  title: string;
  /** What hangs on the answer. */
  detail: string;
  /** What the button says that goes on. */
  yes?: string;
  /** What the button says that does not. */
  no: string;
}

/** What is asked, what hangs on it, and what can be answered. */
export function toAskWords(ask: AuthAsk): AskWords {
  switch (ask.kind) {
    case 'permission': {
      const host = URL.parse(ask.url)?.host ?? ask.hostPattern;
      return {
        title: `Authorization needs access to ${host}`,
        detail: 'It belongs to the authorization server that this server names.',
        yes: 'Allow',
        no: 'Deny',
      };
    }
    case 'decision':
      return toQuestionWords(ask.question);
    case 'consent':
      return {
        title: `Finish the login in the window of ${ask.host}`,
        detail: 'The connection goes on by itself when you have.',
        no: 'Stop the login',
      };
    case 'interrupted':
      return {
        title: 'The login was interrupted',
        detail: 'The browser stopped the extension meanwhile. The same login can be gone on with.',
        yes: 'Continue login',
        no: 'Give up',
      };
  }
}

function toQuestionWords(question: AuthQuestion): AskWords {
  switch (question.kind) {
    case 'parent-resource':
      return {
        title: `The token will be valid for all of ${question.resource}`,
        detail:
          'That is more than this server: any other server under that address could be called with it. Go on only if you trust all of them.',
        yes: 'Ask for that token',
        no: 'Do not',
      };
    case 'issuer-slash':
      return {
        title: `The authorization server calls itself ${question.found}, not ${question.expected}`,
        detail:
          'They differ by a slash only, but have to be identical: strict clients stop here, since somebody else’s metadata could lead a token astray. This is for this login only.',
        yes: 'Continue anyway',
        no: 'Stop the login',
      };
    case 'assume-s256':
      return {
        title: `${question.issuer} does not say that it supports PKCE with S256`,
        detail:
          'Strict clients stop here: without PKCE, whoever gets hold of the login’s code gets the token. Many servers support it and only do not say so. This is for this login only.',
        yes: 'Assume S256',
        no: 'Stop the login',
      };
    case 'register-instead':
      return {
        title: `${question.issuer} did not finish the login with the client ID metadata document`,
        detail:
          'It may be unable to fetch the document. It also registers clients: it will then store a client of the name Wirescope.',
        yes: 'Register instead',
        no: 'Stop the login',
      };
  }
}
