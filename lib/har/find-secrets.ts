import { bodyBytes, eventText, newHttpRecord } from '../capture/http-record.ts';
import type { EventOf, WireEvent } from '../capture/wire-event.ts';
import { redactHeader } from '../redact/headers.ts';
import { paramClass } from '../redact/names.ts';
import { redactPatterns } from '../redact/patterns.ts';
import { isPseudonym, type Pseudonyms } from '../redact/pseudonyms.ts';
import { redactForm, redactUrl, redactUrlsIn } from '../redact/url.ts';

/** Told of every secret that is found, with the class of what it is. */
export type FoundSecret = (value: string, secretClass: string) => void;

/** Members of JSON-RPC messages whose names leave no doubt; `id`, `code` and `cursor` are ordinary words there. */
const RPC_MEMBERS = new Set(
  `access_token refresh_token id_token client_secret password secret api_key apikey authorization token
  credential credentials private_key`.split(/\s+/),
);

/** How a value reads that is masked as a whole. */
export const MASKED = /^\**$/;

/**
 * Finds the secrets in the events of one exchange or socket, or in events of no exchange, by the names of their
 * headers, parameters and members, and by what they look like. All bytes have to be in memory.
 */
export function findSecrets(events: readonly WireEvent[], found: FoundSecret): void {
  const collect: Pseudonyms = {
    of(secretClass, value) {
      if (!MASKED.test(value) && !isPseudonym(value)) found(value, secretClass);
      return value;
    },
    ofFingerprint: (_class, fingerprint) => fingerprint,
  };
  const [first] = events;
  for (const event of events) lookAt(event, collect);
  if (first?.kind === 'http-request') lookAtBody(first, events, collect);
}

function lookAt(event: WireEvent, collect: Pseudonyms): void {
  switch (event.kind) {
    case 'http-request':
      redactUrl(event.url.text, collect);
      for (const { name, value } of event.headers) redactHeader(name, value, collect);
      if (event.body !== undefined) {
        const text = utf8.decode(event.body.bytes);
        const isForm = /^[\w.~%+-]+=[^{<]*$/.test(text);
        if (isForm) redactForm(text, collect);
        else lookAtText(text, isOauth(event.purpose), collect);
      }
      return;
    case 'http-sent':
      for (const { name, value } of [...event.headers, ...event.added]) {
        redactHeader(name, value, collect);
      }
      return;
    case 'http-response':
    case 'http-received':
      for (const { name, value } of event.headers) redactHeader(name, value, collect);
      return;
    case 'socket-frame':
      if (event.opcode === 'text') lookAtText(utf8.decode(event.data.bytes), false, collect);
      return;
    // Their bytes are looked at as one.
    case 'http-chunk':
      return;
    default:
      lookAtText(JSON.stringify(event), false, collect);
  }
}

function lookAtBody(
  request: EventOf<'http-request'>,
  events: readonly WireEvent[],
  collect: Pseudonyms,
): void {
  const record = newHttpRecord(request);
  const stream: EventOf<'sse-event'>[] = [];
  for (const event of events) {
    if (event.kind === 'sse-event') stream.push(event);
    if (event.kind !== 'http-chunk') continue;
    record.chunks.push(event);
    record.sizeBytes = Math.max(record.sizeBytes, event.offset + event.data.bytes.length);
  }
  const isOfOauth = isOauth(request.purpose);
  lookAtText(utf8.decode(bodyBytes(record)), isOfOauth, collect);
  for (const event of stream) {
    const text = eventText(record, event) ?? '';
    // It may be an address, as the `endpoint` of HTTP+SSE is.
    if (/^\S*\?\S*$/.test(text)) redactUrl(text, collect);
    lookAtMembers(text, isOfOauth, collect);
  }
}

const utf8 = new TextDecoder();

function isOauth(purpose: EventOf<'http-request'>['purpose']): boolean {
  return purpose === 'token' || purpose === 'registration' || purpose === 'revocation';
}

function lookAtText(text: string, isOfOauth: boolean, collect: Pseudonyms): void {
  redactPatterns(redactUrlsIn(text, collect), collect);
  lookAtMembers(text, isOfOauth, collect);
}

/** Members by their names, at any depth. */
function lookAtMembers(text: string, isOfOauth: boolean, collect: Pseudonyms): void {
  if (!/^\s*[[{]/.test(text)) return;
  try {
    JSON.parse(text, (key, value: unknown) => {
      const secretClass = memberClass(key, isOfOauth);
      if (secretClass !== undefined && typeof value === 'string' && value !== '') {
        collect.of(secretClass, value);
      }
    });
  } catch {
    // What is no JSON has no members; what it looks like was looked at.
  }
}

/** Whether the name of a JSON member gives its value away as a secret. */
export function isSecretMember(name: string): boolean {
  return RPC_MEMBERS.has(name.toLowerCase());
}

function memberClass(key: string, isOfOauth: boolean): string | undefined {
  const lower = key.toLowerCase();
  if (RPC_MEMBERS.has(lower)) return lower.replaceAll('_', '-');
  return isOfOauth ? paramClass(lower) : undefined;
}
