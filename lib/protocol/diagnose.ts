import type { Problem } from '../errors.ts';

/** What an HTTP exchange was for, as far as judging its answer needs it. */
export type Expectation = 'response' | 'acceptance' | 'stream' | 'termination';

/** The facts of an answer on which a verdict stands. All of them are in the log. */
export interface ReplyFacts {
  expects: Expectation;
  /** JSON-RPC method of the message sent, for the wording. */
  rpcMethod?: string;
  url: string;
  status: number;
  statusText: string;
  contentType: string | undefined;
  /** `Location`, `Allow`, `Retry-After`, `WWW-Authenticate`, where present. */
  location?: string;
  allow?: string;
  retryAfter?: string;
  challenge?: string;
  sentOrigin?: string;
  sentSession: boolean;
  /** The body, or its beginning; absent while it has not been read. */
  bodyText?: string;
  /** Message of a JSON-RPC error in the body. */
  rpcError?: string;
  /** Its code. */
  rpcCode?: number;
}

/** What sends a client elsewhere (RFC 9110, 15.4); the other 3xx are answers that MCP has no use for. */
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Whoever forces HTTP+SSE on another server meets the same answers. */
const WITHOUT_GET = 'Streamable HTTP works without it, HTTP+SSE does not.';
const SHOULD_BE_405 = `A server without a GET stream should answer 405. ${WITHOUT_GET}`;
const HINT_PATH = 'Is the path right? Many servers listen on /mcp.';

/**
 * Says why an HTTP answer is not what the exchange needed, or `undefined` where it is acceptable. Judges the
 * head only; what the body or stream then holds is judged by `diagnoseBody` and `diagnoseStreamEnd`.
 * Streamable HTTP, "Sending Messages" 4 to 6, "Listening" 2 and 3, "Session Management" 3 to 5.
 */
export function diagnoseHead(facts: ReplyFacts): Problem | undefined {
  const { status, expects } = facts;
  if (REDIRECTS.has(status)) return redirectProblem(facts);
  // A session that cannot be ended, or has ended before, is over for us all the same.
  if (expects === 'termination' && (status === 404 || status === 405)) return undefined;
  if (status < 200 || status >= 300) return statusProblem(facts);
  if (expects === 'acceptance' || expects === 'termination') return undefined;
  if (status === 202 && expects === 'response') {
    return {
      code: 'accepted-request',
      message: `The server accepted \`${facts.rpcMethod ?? 'the request'}\` (202) but a request needs a response: JSON or an SSE stream.`,
      advice: 'The server treats this request as a notification. Its log may say why.',
    };
  }
  if (status === 204) {
    return {
      code: 'body-empty',
      message: `The server answered ${named(facts)} with no content (204).`,
      advice:
        expects === 'stream'
          ? `The server asks not to open this stream again. ${WITHOUT_GET}`
          : 'A request needs a response: JSON or an SSE stream.',
    };
  }
  return typeProblem(facts);
}

function typeProblem(facts: ReplyFacts): Problem | undefined {
  const type = essence(facts.contentType);
  if (type === 'text/event-stream') return undefined;
  if (type === 'application/json' && facts.expects === 'response') return undefined;
  const shown = `${facts.status} ${type === '' ? 'without a content type' : type}`;
  if (looksLikeWebPage(type, facts.bodyText)) {
    const title = pageTitle(facts.bodyText);
    return {
      code: 'body-web-page',
      message: `The server answered ${named(facts)} with a web page (${shown})${title === undefined ? '' : `: “${title}”`}.`,
      advice: `This URL leads to a web page, not to an MCP endpoint. ${HINT_PATH}`,
    };
  }
  if (facts.expects === 'stream') {
    return {
      code: 'body-type',
      message: `The server answered the GET for a stream with ${shown}, not text/event-stream.`,
      advice: SHOULD_BE_405,
    };
  }
  const looksRight = facts.bodyText?.trimStart().startsWith('{') === true;
  return {
    code: 'body-type',
    message: `The server answered ${named(facts)} with ${shown}; MCP needs application/json or text/event-stream.`,
    advice: looksRight
      ? 'The body looks like JSON. Set its content type to application/json in the server.'
      : HINT_PATH,
  };
}

function whyNotFollowed({ status, url, expects }: ReplyFacts, target: string): string {
  if (originOf(target) === undefined) return 'That is no URL, so nothing was sent there';
  if (originOf(target) !== originOf(url))
    return 'It leads to another origin, so nothing was sent there';
  return status === 307 || status === 308 || expects === 'stream'
    ? 'It was one hop too many: the redirects may go in a circle'
    : `A ${status} would turn the request into a GET, so it was not followed`;
}

function redirectProblem(facts: ReplyFacts): Problem {
  if (facts.location === undefined) {
    return {
      code: 'http-redirect',
      message: `The server redirects ${named(facts)} (${facts.status}) from ${facts.url}, but does not say where to.`,
      advice: HINT_PATH,
    };
  }
  const target = facts.location;
  const why = whyNotFollowed(facts, target);
  return {
    code: 'http-redirect',
    message: `The server redirects ${named(facts)} (${facts.status}) from ${facts.url} to ${target}. ${why}.`,
    advice:
      originOf(target) === undefined ? HINT_PATH : `Connect to ${target} instead, if you trust it.`,
  };
}

/** The body, where its message does not tell all of it: the data of an error name versions, or fields. */
function detailOf({ rpcError, bodyText = '' }: ReplyFacts): { detail?: string } {
  const isTold = rpcError !== undefined && !bodyText.includes('"data"');
  return bodyText === '' || isTold ? {} : { detail: excerpt(bodyText) };
}

function statusProblem(facts: ReplyFacts): Problem {
  const { status } = facts;
  const shown = `${status}${facts.statusText === '' ? '' : ` ${facts.statusText}`}`;
  // Where no server of MCP answers, but a proxy or a firewall, its page tells most by its title.
  const words = facts.rpcError ?? pageTitle(facts.bodyText);
  const said = words === undefined ? '' : `: ${words.replace(/\.$/, '')}`;
  const problem = (code: Problem['code'], message: string, advice: string): Problem => ({
    code,
    message,
    advice,
    answer: { status, ...(facts.rpcCode === undefined ? {} : { rpcCode: facts.rpcCode }) },
    ...detailOf(facts),
  });
  if (status === 401) {
    return problem(
      'http-unauthorized',
      `The server asks for authorization (${shown})${facts.challenge === undefined ? ', but names no way to get it' : `: ${facts.challenge}`}.`,
      'Add an Authorization header under Headers and connect again.',
    );
  }
  if (status === 403) {
    return problem(
      'http-forbidden',
      `The server refuses ${named(facts)} (${shown})${said}.`,
      looksLikeWebPage(essence(facts.contentType), facts.bodyText)
        ? 'The answer is a web page: a proxy or firewall before the server may have given it, for example to keep bots out.'
        : facts.sentOrigin === undefined
          ? 'Check the credentials and what they allow. No Origin header was sent, so that is not the reason.'
          : `The server may not allow the origin ${facts.sentOrigin}: add it to the server's allow-list, or send no Origin.`,
    );
  }
  if (status === 404 && facts.expects === 'stream') {
    return problem(
      'http-not-found',
      `The server offers no GET stream at ${facts.url} (${shown})${said}.`,
      SHOULD_BE_405,
    );
  }
  if (status === 404 && facts.sentSession) {
    return problem(
      'http-session-ended',
      `The server no longer knows this session (${shown})${said}.`,
      'Connect again to start a new session.',
    );
  }
  if (status === 404) {
    return problem(
      'http-not-found',
      `There is no MCP endpoint at ${facts.url} (${shown})${said}.`,
      HINT_PATH,
    );
  }
  if (status === 405) {
    return problem(
      'http-method-not-allowed',
      `The server does not allow this HTTP method at ${facts.url} (${shown}${facts.allow === undefined ? '' : `, Allow: ${facts.allow}`})${said}.`,
      facts.expects === 'stream'
        ? `Normal for a server without a GET stream. ${WITHOUT_GET}`
        : `This URL does not take POST. It may be the address of an HTTP+SSE stream (2024-11-05). ${HINT_PATH}`,
    );
  }
  return problem(
    'http-status',
    `The server answered ${named(facts)} with ${shown}${said}.`,
    adviceFor(facts),
  );
}

function adviceFor({ status, retryAfter }: ReplyFacts): string {
  if (status === 406) return 'The server refuses the Accept header: see Headers for what was sent.';
  if (status === 415) return 'The server refuses the content type application/json.';
  if (status === 413) return 'The request is larger than the server takes.';
  if (retryAfter !== undefined) return `The server asks to wait: Retry-After is ${retryAfter}.`;
  if (status === 429) return 'The server asks to slow down. Try again later.';
  if (status >= 500)
    return 'The fault is in the server, or in a proxy before it. Its log says more.';
  return 'The answer of the server is under Message; it may say what is wrong.';
}

/** Says why a JSON body cannot be taken as the response, given what it was classified as. */
export function diagnoseBody(
  body: { kind: 'not-json'; error: string; offset: number } | { kind: 'not-rpc'; reason: string },
  rpcMethod: string,
  text: string,
): Problem {
  if (text.trim() === '') {
    return {
      code: 'body-empty',
      message: `The server answered \`${rpcMethod}\` with an empty body.`,
      advice: 'A request needs a response. The log of the server may say why it gave none.',
    };
  }
  if (body.kind === 'not-rpc') {
    return {
      code: 'body-not-rpc',
      message: `The answer to \`${rpcMethod}\` is JSON but not a JSON-RPC response: ${body.reason}.`,
      advice: 'See Message for the text as it came.',
    };
  }
  const looksLikeSse = /^\s*(event|data|id|retry)?:/.test(text);
  return {
    code: 'body-not-json',
    message: looksLikeSse
      ? `The answer to \`${rpcMethod}\` says application/json, but its body is an SSE stream.`
      : `The answer to \`${rpcMethod}\` is not valid JSON, from byte ${body.offset} on: ${body.error}.`,
    advice: looksLikeSse
      ? 'The server should send the content type text/event-stream.'
      : 'See Message for the text as it came.',
    detail: excerpt(text.slice(Math.max(0, body.offset - 40))),
  };
}

function named(facts: ReplyFacts): string {
  if (facts.rpcMethod !== undefined) return `\`${facts.rpcMethod}\``;
  return facts.expects === 'stream' ? 'the GET for a stream' : 'the request';
}

/** A media type alone (RFC 9110, 8.3.1). */
const MEDIA_TYPE = /^[\w!#$%&'+.^`|~-]+\/[\w!#$%&'+.^`|~-]+$/;

/**
 * The media type without parameters, in lower case; empty where there is none. Of a header that came more than once,
 * whose values stand in one line then, the last one counts (fetch, "extract a MIME type").
 */
export function essence(contentType: string | undefined): string {
  if (contentType === undefined) return '';
  // Nearly always there is nothing to take apart.
  if (MEDIA_TYPE.test(contentType)) return contentType.toLowerCase();
  const types = contentType
    .split(',')
    .map((type) => type.split(';', 1)[0]?.trim().toLowerCase() ?? '');
  return types.findLast((type) => MEDIA_TYPE.test(type)) ?? types[0] ?? '';
}

function looksLikeWebPage(type: string, body: string | undefined): boolean {
  return type === 'text/html' || /^\s*<(!doctype|html)/i.test(body ?? '');
}

function pageTitle(body: string | undefined): string | undefined {
  const title = /<title[^>]*>([^<]{1,120})/i.exec(body ?? '')?.[1]?.trim();
  return title === '' ? undefined : title;
}

function originOf(url: string | undefined): string | undefined {
  return url !== undefined && URL.canParse(url) ? new URL(url).origin : undefined;
}

/** The beginning of a text on one line. */
export function excerpt(text: string): string {
  const flat = text.slice(0, 240).replace(/\s+/g, ' ').trim();
  return text.length > 240 ? `${flat}…` : flat;
}
