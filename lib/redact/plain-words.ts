/**
 * Words of protocols and of our own log. Where one of them is called a secret it is hidden in that place, and nowhere
 * else: a cookie that says `websocket` must not change what every event means.
 */
const WORDS = new Set(
  `accepted accept-encoding accept-language afterRequest application application/json application/octet-stream
  application/x-www-form-urlencoded arguments assistant authorization authorization_code authorized background beforeRequest bodySize
  capabilities client_credentials clientInfo close-code complete completed completion completion/complete connection
  connection-opened content-length content-type dispatched disconnected discovery elicitation elicitation/create event
  everything extension failed http-chunk http-connection http-end http-received http-request http-response http-sent
  http-sse imported incoming initialize initialized inputSchema jsonrpc keep-alive legacy listChanged localhost
  logging/setLevel message messages metadata method modern monotonicTime network no-cache no-store not-needed not-this
  notification notifications notifications/cancelled notifications/initialized notifications/message
  notifications/progress notifications/resources/list_changed notifications/resources/updated
  notifications/roots/list_changed notifications/tools/list_changed outgoing passed-over passed_over permission
  progress progressToken prompts/get prompts/list protocolVersion redacted refresh_token registration request
  resources resources/list resources/read resources/subscribe resources/templates/list response result resultType
  revocation roots/list sampling sampling/createMessage sequence server/discover serverInfo sessionId socket-close
  socket-frame socket-open socket-opening sse-comment sse-discarded sse-event sse-ignored sse-retry
  streamable-http structuredContent subscriptions/listen superseded switching terminate text/event-stream text/html
  text/plain timestamp tools/call tools/list transport undecided undefined unchanged user-agent wallTime websocket
  wirescope worker-started worker-stopped startedDateTime queryString postData headersSize httpVersion statusText
  redirectURL serverIPAddress mimeType compression connection-chosen pageTimings schemaVersion eventName`
    .split(/\s+/)
    .map((word) => word.toLowerCase()),
);

/** Whether a text is an ordinary word of protocols, in any case. */
export function isPlainWord(text: string): boolean {
  const lower = text.toLowerCase();
  return WORDS.has(lower) || MEDIA_TYPE.test(lower) || NUMBER.test(lower) || REVISION.test(lower);
}

const MEDIA_TYPE = /^(?:application|audio|font|image|text|video)\/[\w.+-]{1,40}$/;
/** A time, a count or a version stands in too many places to be hidden in all of them. */
const NUMBER = /^-?\d{1,15}(?:\.\d{1,6})?$/;
const REVISION = /^20\d\d-[01]\d-[0-3]\d$/;
