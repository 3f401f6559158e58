import type { ConnectionFact, Detectors, Fact } from '../facts.ts';
import { evidenceOf } from '../facts.ts';
import type { Finding } from '../issue.ts';
import { AUT } from '../rules/authorization.ts';
import type { ConnectionState } from '../state.ts';
import { formIn, isLoopback, late, serverAt, urlOf, type Memories } from './memory.ts';

type Request = Fact<'http-request'>;

/** The page that a login has opened, or the redirect that came back. */
function consentUrl(
  event: ConnectionFact['event'],
  states: readonly string[],
): { url: string; chain: string } | undefined {
  if (event.kind !== 'auth-consent' || event.url === undefined) return undefined;
  const { text } = event.url;
  if (!states.includes(event.state) || !URL.canParse(text)) return undefined;
  return { url: text, chain: event.chain };
}

/** Parameters of a redirect, wherever they stand. */
function answered(url: string): URLSearchParams {
  const { searchParams, hash } = new URL(url);
  return searchParams.size > 0 ? searchParams : new URLSearchParams(hash.slice(1));
}

/** What a client asks an authorization server for, and what that sends back. */
export function loginDetectors(memories: Memories): Detectors {
  function finding(connection: ConnectionState, found: Finding): Finding {
    return late(found, connection, memories(connection));
  }

  function noPkce({ connection, event }: ConnectionFact): Finding | undefined {
    const opened = consentUrl(event, ['opened']);
    if (opened === undefined) return undefined;
    const { searchParams } = new URL(opened.url);
    const method = searchParams.get('code_challenge_method');
    const hasChallenge = searchParams.has('code_challenge');
    if (hasChallenge && method === 'S256') return undefined;
    return finding(connection, {
      rule: AUT.noPkce,
      side: 'client',
      group: 'page',
      message: hasChallenge
        ? `The login uses PKCE with the method ${method ?? 'plain'}, not with S256.`
        : 'The login page is opened without a code_challenge.',
    });
  }

  function noState({ connection, event }: ConnectionFact): Finding | undefined {
    const opened = consentUrl(event, ['opened']);
    if (opened === undefined || new URL(opened.url).searchParams.has('state')) return undefined;
    return finding(connection, {
      rule: AUT.state,
      side: 'client',
      group: 'none',
      message: 'The login page is opened without a state, so any redirect fits it.',
    });
  }

  function pageWithoutResource({ connection, event }: ConnectionFact): Finding | undefined {
    const opened = consentUrl(event, ['opened']);
    if (opened === undefined || new URL(opened.url).searchParams.has('resource')) return undefined;
    return finding(connection, {
      rule: AUT.noResource,
      side: 'client',
      group: 'page',
      message: 'The login page is opened without the parameter `resource`.',
      advice: 'Without it, nobody can tell for which server the token is.',
    });
  }

  function redirectUri({ connection, event }: ConnectionFact): Finding | undefined {
    const opened = consentUrl(event, ['opened']);
    if (opened === undefined) return undefined;
    const uri = new URL(opened.url).searchParams.get('redirect_uri');
    if (uri === null) return undefined;
    const url = URL.canParse(uri) ? new URL(uri) : undefined;
    if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url))) {
      return undefined;
    }
    return finding(connection, {
      rule: AUT.insecure,
      side: 'client',
      group: `redirect ${uri}`,
      message: `The redirect URI ${uri} is neither HTTPS nor on this machine.`,
    });
  }

  function remember({ connection, event }: ConnectionFact): undefined {
    const memory = memories(connection);
    if (event.kind === 'auth-credential' && event.change === 'dropped') memory.hasToken = false;
    const opened = consentUrl(event, ['opened']);
    if (opened === undefined) return;
    const { searchParams: parameters } = new URL(opened.url);
    memory.logins.set(opened.chain, { parameters, server: serverAt(memory, opened.url) });
  }

  /** The redirect has to name its issuer as the authorization server said it would (RFC 9207). */
  function response({ connection, event }: ConnectionFact): Finding | undefined {
    const back = consentUrl(event, ['received', 'denied']);
    const login = back === undefined ? undefined : memories(connection).logins.get(back.chain);
    if (back === undefined || login === undefined) return undefined;
    const parameters = answered(back.url);
    if (parameters.get('state') !== login.parameters.get('state')) login.fault = 'state';
    if (login.server === undefined) return undefined;
    const { issuer, json } = login.server;
    const isAnnounced = json['authorization_response_iss_parameter_supported'] === true;
    const given = parameters.get('iss');
    if (given === null ? !isAnnounced : given === issuer && isAnnounced) return undefined;
    const isGood = given === issuer;
    if (!isGood) login.fault = 'issuer';
    return finding(connection, {
      rule: AUT.response,
      severity: isGood ? 'warning' : 'error',
      side: 'server',
      group: `${given} ${isAnnounced}`,
      message: isGood
        ? 'The redirect names its issuer in `iss`, which the metadata does not announce.'
        : given === null
          ? 'The redirect has no `iss`, although the metadata announces it.'
          : `The redirect comes from the issuer ${given}, but the login was at ${issuer}.`,
      advice: isGood
        ? 'Set authorization_response_iss_parameter_supported in the metadata.'
        : 'Clients must not use such an answer.',
    });
  }

  /** A code of an answer that must not be used was used all the same. */
  function redeemed({ connection, exchange, event }: Request): Finding | undefined {
    const { purpose, links } = exchange.record.request;
    if (purpose !== 'token' || formIn(exchange).get('grant_type') !== 'authorization_code') {
      return undefined;
    }
    const fault = memories(connection).logins.get(links.authChain ?? '')?.fault;
    if (fault === undefined) return undefined;
    return finding(connection, {
      rule: fault === 'state' ? AUT.state : AUT.response,
      side: 'client',
      group: `redeemed ${fault}`,
      message:
        fault === 'state'
          ? 'A code was used although the redirect did not carry the state of the login.'
          : 'A code was used although the redirect did not name the issuer of the login.',
      evidence: [evidenceOf(event)],
    });
  }

  function tokenWithoutResource({ connection, exchange }: Request): Finding | undefined {
    if (exchange.record.request.purpose !== 'token') return undefined;
    const form = formIn(exchange);
    if (form.has('resource')) return undefined;
    const grant = form.get('grant_type') ?? '';
    return finding(connection, {
      rule: AUT.noResource,
      side: 'client',
      group: grant,
      message: `A token was asked for by ${grant} without the parameter \`resource\`.`,
      advice: 'Without it, nobody can tell for which server the token is.',
    });
  }

  function noVerifier({ connection, exchange }: Request): Finding | undefined {
    if (exchange.record.request.purpose !== 'token') return undefined;
    const form = formIn(exchange);
    if (form.get('grant_type') !== 'authorization_code' || form.has('code_verifier')) {
      return undefined;
    }
    return finding(connection, {
      rule: AUT.noPkce,
      side: 'client',
      group: 'token',
      message: 'A code was used without its code_verifier.',
    });
  }

  /** Everything that a client was given belongs to whoever gave it. */
  function otherServer({ connection, exchange, event }: Request): Finding | undefined {
    const { purpose, body } = exchange.record.request;
    if (purpose !== 'token' && purpose !== 'revocation') return undefined;
    const memory = memories(connection);
    const issuer = serverAt(memory, urlOf(exchange))?.issuer;
    if (issuer === undefined) return undefined;
    const clientId = formIn(exchange).get('client_id') ?? '';
    const owners = [
      ['client', memory.clients.get(clientId)],
      ...(body?.cuts ?? []).map(({ secret }) => ['secret', memory.credentials.get(secret)]),
    ] as const;
    const wrong = owners.find(([, owner]) => owner !== undefined && owner !== issuer);
    if (wrong === undefined) return undefined;
    return finding(connection, {
      rule: AUT.otherServer,
      side: 'client',
      group: `${wrong[0]} ${issuer}`,
      message: `A ${wrong[0]} that ${wrong[1]} has given out was sent to ${issuer}.`,
      evidence: [evidenceOf(event)],
    });
  }

  return {
    request: [redeemed, tokenWithoutResource, noVerifier, otherServer],
    connection: [noPkce, noState, pageWithoutResource, redirectUri, response, remember],
  };
}
