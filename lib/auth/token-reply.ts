import { isRecord } from '../record.ts';
import type { AuthReply } from './auth-doors.ts';
import { headerOf } from './chain.ts';

/** An answer of a token endpoint as RFC 6749 (5) wants it, and what was odd about it. */
export interface TidyReply {
  reply: AuthReply;
  /** Lifetime in seconds; absent where the server did not say, or said nothing that can be read. */
  expiresIn?: number;
  /** One sentence each. */
  notes: string[];
}

/** So far ahead, in seconds, that no clock need be asked: about thirty years. */
const LONGEST = 1e9;

/**
 * Makes an answer of a token endpoint readable: other 2xx, errors with status 200, form encoding, odd
 * lifetimes, a type that is missing. What is in it is not changed.
 */
export function tidyTokenReply(reply: AuthReply): TidyReply {
  const notes: string[] = [];
  const json = readBody(reply, notes);
  if (json === undefined) {
    // Says 200 to a web page: no token is in it, whatever the library would make of it.
    const isRefused = reply.status >= 200 && reply.status < 300;
    return { reply: isRefused ? { ...reply, status: 502, headers: [] } : plain(reply), notes };
  }
  let { status } = reply;
  if (status > 200 && status < 300) {
    notes.push(`answered ${status} instead of 200`);
    status = 200;
  }
  if (typeof json['error'] === 'string' && (status < 400 || status > 499)) {
    notes.push(`an error with status ${reply.status}`);
    status = 400;
  }
  const expiresIn = readLifetime(json['expires_in'], notes);
  delete json['expires_in'];
  // Ours is an access token; who the user is, is not our business.
  delete json['id_token'];
  if (status === 200 && typeof json['token_type'] !== 'string') {
    notes.push('names no token_type; Bearer is assumed');
    json['token_type'] = 'bearer';
  }
  const token = json['access_token'];
  // Of printable ASCII (RFC 6749, appendix A.12): anything else could not be sent in a header.
  if (typeof token === 'string' && !/^[ -~]*$/.test(token)) {
    notes.push('its access_token holds characters that no token may have');
    delete json['access_token'];
  }
  for (const name of ['refresh_token', 'scope']) {
    if (json[name] !== undefined && typeof json[name] !== 'string') delete json[name];
  }
  if (json['refresh_token'] === '') delete json['refresh_token'];
  return {
    reply: { ...plain(reply), status, text: JSON.stringify(json) },
    notes,
    ...(expiresIn === undefined ? {} : { expiresIn }),
  };
}

/** Without the headers that the library would look at before the body. */
function plain(reply: AuthReply): AuthReply {
  const nonce = headerOf(reply, 'dpop-nonce');
  return {
    ...reply,
    headers: [
      { name: 'Content-Type', value: 'application/json' },
      ...(nonce === undefined ? [] : [{ name: 'DPoP-Nonce', value: nonce }]),
    ],
  };
}

function readBody(reply: AuthReply, notes: string[]): Record<string, unknown> | undefined {
  const { text } = reply;
  try {
    const json: unknown = JSON.parse(text);
    return isRecord(json) ? json : undefined;
  } catch {
    if (!/^(access_token|error|token_type)=|&(access_token|error)=/.test(text)) return undefined;
    notes.push('form-encoded instead of JSON');
    return Object.fromEntries(new URLSearchParams(text));
  }
}

function readLifetime(value: unknown, notes: string[]): number | undefined {
  if (value === undefined || value === null) return undefined;
  let seconds = value;
  if (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value.trim())) {
    notes.push('expires_in is a string');
    seconds = Number(value);
  }
  if (typeof seconds !== 'number' || !Number.isFinite(seconds)) {
    notes.push(`expires_in is ${JSON.stringify(value)}, which is no number`);
    return undefined;
  }
  return Math.min(Math.max(0, seconds), LONGEST);
}
