import type { HttpRecord, Item } from '../../capture/correlate/items.ts';
import type { StoredBytes } from '../../capture/store/stored-text.ts';
import type { Purpose } from '../../capture/wire-event.ts';
import type { RawMessage } from '../../port/send-contract.ts';
import { createPseudonyms } from '../../redact/pseudonyms.ts';
import { decodeUtf8 } from '../../text.ts';
import { joiningWriter, notingWriter } from '../copy/copy-secrets.ts';
import { canSetHeader, isCredential, type LeftOut } from './replay-headers.ts';
import { fillMarks, isMasked, marksIn, redactedIn, toMarked } from './replay-marks.ts';

/** A whole HTTP request as it is to be sent, with marks in the place of secrets. */
export interface ExactRequest {
  method: string;
  url: string;
  /** What was typed may go anywhere. */
  headers: { name: string; value: string; isTyped?: boolean }[];
  /** Where its secrets may go; absent where it was not recorded but typed. */
  origin?: string;
  /** `recorded` bytes are sent as they are, to the last one; text stands for its UTF-8. */
  body?: { text: string } | { recorded: StoredBytes };
}

/** A request that can be sent, or the reason why not. */
export type ResolvedRequest =
  | { ok: true; message: Omit<RawMessage & { kind: 'http' }, 'connectionId'>; leftOut: LeftOut[] }
  | { ok: false; reason: string };

/** Steps of an authorization hold what can be used once, or must not be used by others. */
const AUTHORIZATION = new Set(['registration', 'token', 'revocation']);

/** The exchange of ours that an item stands for; what came from the server was never sent by us. */
export function ownExchange(
  item: Item | undefined,
  https: ReadonlyMap<string, HttpRecord>,
): HttpRecord | undefined {
  if (item === undefined || item.kind === 'lifecycle' || item.httpId === undefined)
    return undefined;
  if ('direction' in item && item.direction === 'incoming') return undefined;
  return https.get(item.httpId);
}

/** The request of an exchange as it was asked for; a reason where it must not be sent again. */
export function toExactRequest({ request }: HttpRecord): ExactRequest | { refused: string } {
  if (AUTHORIZATION.has(request.purpose)) {
    return { refused: 'A step of an authorization is not replayed. Log in again instead.' };
  }
  const url = toMarked(request.url.text, request.url.cuts);
  return {
    method: request.method,
    url,
    headers: request.headers.map(({ name, value, cuts }) => ({
      name,
      value: toMarked(value, cuts),
    })),
    ...(URL.canParse(request.url.text) ? { origin: new URL(request.url.text).origin } : {}),
    ...(request.body === undefined ? {} : { body: { recorded: request.body } }),
  };
}

/** Text of a body to be edited, with marks in the place of secrets; undefined where it is not UTF-8. */
export function toBodyText({ bytes, cuts }: StoredBytes): string | undefined {
  const text = decodeUtf8(bytes);
  if (text === undefined || cuts === undefined) return text;
  let offset = 0;
  let textOffset = 0;
  // Masks are ASCII, so only their place differs between bytes and text.
  const textCuts = cuts.map((cut) => {
    textOffset += decodeUtf8(bytes.subarray(offset, cut.offset))?.length ?? 0;
    offset = cut.offset;
    return { ...cut, offset: textOffset };
  });
  return toMarked(text, textCuts);
}

/** Fingerprints of all secrets that a request needs. */
export function secretsOf({ url, headers, body }: ExactRequest): string[] {
  const found = new Set([url, ...headers.map(({ value }) => value)].flatMap(marksIn));
  if (body !== undefined && 'text' in body) for (const mark of marksIn(body.text)) found.add(mark);
  if (body !== undefined && 'recorded' in body) notingWriter(found).body(body.recorded, false);
  return [...found];
}

/**
 * The request with its secrets, as far as they are held and may go where it goes. A header that cannot go is left
 * out and named; a URL or body that holds what must not be sent stops the whole.
 */
export function resolveExact(
  request: ExactRequest,
  values: Readonly<Record<string, string>>,
): ResolvedRequest {
  const url = fillMarks(request.url, values);
  if (url === undefined) return refuse('The URL holds a secret that is no longer held.');
  if (!URL.canParse(url)) return refuse(`“${request.url}” is not a URL.`);
  const isElsewhere = request.origin !== undefined && new URL(url).origin !== request.origin;
  if (isElsewhere && marksIn(request.url).length > 0) {
    return refuse('The URL holds a secret of another origin. Type it anew.');
  }
  const redacted = redactedIn(url);
  if (redacted !== undefined) return refuse(`The URL holds ${redacted} in the place of a secret.`);
  const fault = requestFault(request.method, url, request.body !== undefined, request.headers);
  if (fault !== undefined) return refuse(`The browser does not send such a request: ${fault}`);
  const body = resolveBody(request, values, isElsewhere);
  if (typeof body === 'string') return refuse(body);
  const leftOut: LeftOut[] = [];
  const headers = request.headers.flatMap((header) => {
    const value = fillMarks(header.value, values);
    const why = whyNot(header, value, isElsewhere);
    if (why === undefined && value !== undefined) return [{ name: header.name, value }];
    if (why !== undefined) leftOut.push({ name: header.name, why });
    return [];
  });
  return {
    ok: true,
    message: {
      kind: 'http',
      purpose: purposeOf(request),
      method: request.method,
      url,
      headers,
      ...(body === undefined ? {} : { base64: toBase64(body) }),
    },
    leftOut,
  };
}

/** Why a browser sends no such request, in its own words. */
export function requestFault(
  method: string,
  url: string,
  hasBody: boolean,
  headers: ExactRequest['headers'] = [],
): string | undefined {
  try {
    void new Headers(headers.map(({ name, value }): [string, string] => [name, value]));
    const asked = new Request(url, { method, ...(hasBody ? { body: '' } : {}) });
    const { protocol } = new URL(asked.url);
    return /^https?:$/.test(protocol) ? undefined : `${protocol} is not HTTP.`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function purposeOf({ method, headers, body }: ExactRequest): Purpose {
  if (body !== undefined) return 'message';
  if (method === 'DELETE') return 'terminate';
  const accept = headers.find(({ name }) => name.toLowerCase() === 'accept')?.value ?? '';
  return method === 'GET' && accept.includes('text/event-stream') ? 'stream' : 'probe';
}

function whyNot(
  { name, value, isTyped = false }: ExactRequest['headers'][number],
  filled: string | undefined,
  isElsewhere: boolean,
): LeftOut['why'] | undefined {
  if (!canSetHeader(name)) return 'browser';
  const isBound = marksIn(value).length > 0 || (isCredential(name) && !isTyped);
  if (isElsewhere && isBound) return 'other-origin';
  if (filled === undefined) return 'not-held';
  return redactedIn(filled) !== undefined || (isCredential(name) && isMasked(filled))
    ? 'redacted'
    : undefined;
}

/** The bytes; words where they must not be sent. */
function resolveBody(
  { body }: ExactRequest,
  values: Readonly<Record<string, string>>,
  isElsewhere: boolean,
): Uint8Array | string | undefined {
  if (body === undefined) return undefined;
  const hasSecrets =
    'text' in body ? marksIn(body.text).length > 0 : (body.recorded.cuts ?? []).length > 0;
  if (hasSecrets && isElsewhere) return 'The body holds a secret of another origin. Type it anew.';
  if ('text' in body) {
    const text = fillMarks(body.text, values);
    if (text === undefined) return 'The body holds a secret that is no longer held.';
    const redacted = redactedIn(text);
    if (redacted !== undefined) return `The body holds ${redacted} in the place of a secret.`;
    return new TextEncoder().encode(text);
  }
  return joinSecrets(body.recorded, 'body', values);
}

/** Recorded bytes with their secrets in them; words where they must not be sent. `what` they are is named there. */
export function joinSecrets(
  recorded: StoredBytes,
  what: string,
  values: Readonly<Record<string, string>>,
): Uint8Array | string {
  const { bytes, cuts = [] } = recorded;
  const isHeld = cuts.every(({ secret }) => Object.hasOwn(values, secret));
  if (!isHeld) return `The ${what} holds a secret that is no longer held.`;
  const redacted = redactedIn(new TextDecoder('latin1').decode(bytes));
  if (redacted !== undefined) return `The ${what} holds ${redacted} in the place of a secret.`;
  if (cuts.length === 0) return bytes;
  return joiningWriter(values, createPseudonyms(new Uint8Array(32))).body(recorded, false);
}

const PIECE = 8192;

/** As Base64, which is how bytes travel over a port. */
export function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let from = 0; from < bytes.length; from += PIECE) {
    binary += String.fromCharCode(...bytes.subarray(from, from + PIECE));
  }
  return btoa(binary);
}

function refuse(reason: string): ResolvedRequest {
  return { ok: false, reason };
}
