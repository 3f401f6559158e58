import { headerValue } from '../../capture/correlate/http-record.ts';
import type { Purpose } from '../../capture/wire-event.ts';
import { classifyPayload, type Message, type Payload } from '../../protocol/jsonrpc.ts';
import { decodeUtf8 } from '../../text.ts';
import type { ForeignEntry } from './foreign-entry.ts';

/** What an entry has to do with MCP. */
export interface Meaning {
  purpose: Purpose;
  isMcp: boolean;
  /** The messages that were sent. */
  sent: Message[];
  session?: string;
  /** The `endpoint` that a stream of HTTP+SSE announces, resolved. */
  endpoint?: string;
}

/** A text that came, in a stream, a frame, or as the answer itself. */
export interface ForeignText {
  event: string;
  data: string;
  isAnswer?: true;
  /** When, where the file says so. */
  atMs?: number;
}

/** Makes out what an entry was for, by what was sent and what came. */
export function meaningOf(entry: ForeignEntry, texts: readonly ForeignText[]): Meaning {
  const { method, url, requestHeaders, responseHeaders } = entry;
  const bodyText = entry.requestBody && decodeUtf8(entry.requestBody);
  const sent = bodyText === undefined ? [] : messagesIn(classifyPayload(bodyText));
  const session =
    headerValue(responseHeaders, 'mcp-session-id') ?? headerValue(requestHeaders, 'mcp-session-id');
  const announced = texts.find(({ event }) => event === 'endpoint')?.data.trim();
  const endpoint = announced === undefined ? undefined : URL.parse(announced, url)?.href;
  const isStream = method === 'GET' && /event-stream/i.test(entry.mimeType);
  // A body that looks like a response is none where nothing was asked.
  const hasMessages = texts.some(
    ({ event, data, isAnswer }) =>
      isAnswer !== true && event !== 'endpoint' && messagesIn(classifyPayload(data)).length > 0,
  );
  const hasHeader =
    session !== undefined || headerValue(requestHeaders, 'mcp-protocol-version') !== undefined;
  const oauth = oauthPurpose(url, bodyText);
  return {
    purpose: oauth ?? purposeOf(entry, sent, isStream, hasHeader),
    isMcp:
      oauth === undefined &&
      (sent.length > 0 || hasHeader || hasMessages || endpoint !== undefined),
    sent,
    ...(session === undefined ? {} : { session }),
    ...(endpoint === undefined ? {} : { endpoint }),
  };
}

function purposeOf(
  { method }: ForeignEntry,
  sent: readonly Message[],
  isStream: boolean,
  hasHeader: boolean,
): Purpose {
  if (sent.length > 0) return 'message';
  if (isStream) return 'stream';
  return method === 'DELETE' && hasHeader ? 'terminate' : 'probe';
}

function oauthPurpose(url: string, bodyText: string | undefined): Purpose | undefined {
  if (/\/\.well-known\/(?:oauth-|openid-)/.test(url)) return 'discovery';
  if (bodyText === undefined) return /[?&]code_challenge=/.test(url) ? 'discovery' : undefined;
  if (/(?:^|&)grant_type=/.test(bodyText)) return 'token';
  return bodyText.includes('"redirect_uris"') ? 'registration' : undefined;
}

/** The JSON-RPC messages of a payload. */
export function messagesIn(payload: Payload): Message[] {
  if (payload.kind === 'batch') return payload.items.flatMap(messagesIn);
  return payload.kind === 'message' ? [payload.message] : [];
}
