import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { WebSocketServer, type WebSocket } from 'ws';
import {
  progressTokenIn,
  type RecordedCall,
  type RecordedMessage,
  type Recording,
} from '../../lib/har/serve/recording.ts';
import { createMatcher, wordMissing, type MatchKind } from '../../lib/har/serve/replay-match.ts';
import type { Rewriting } from '../../lib/har/serve/rewrite-message.ts';
import { classifyPayload, type Message } from '../../lib/protocol/jsonrpc.ts';
import {
  awaitAnswers,
  rewritingOf,
  sayAgain,
  type AwaitedAnswers,
  type Pace,
} from './served-call.ts';

type Request = Message & { kind: 'request' };

export interface ServeOptions extends Pace {
  /** 0 takes any that is free. */
  port?: number;
  /** Told of every request, and of what was found for it. */
  asked?(method: string, found: MatchKind | 'ping' | 'nothing'): void;
}

/** A capture that is a server. */
export interface ServedRecording extends AsyncDisposable {
  /** Streamable HTTP. */
  url: string;
  /** HTTP+SSE. */
  sseUrl: string;
  socketUrl: string;
}

const NO_REWRITING = { ids: new Map<string, string>(), progressTokens: new Map<string, string>() };

/** Serves a recording on the loopback, over all transports, whatever it was recorded over. */
export async function serveRecording(
  recording: Recording,
  options: ServeOptions,
): Promise<ServedRecording> {
  const { speed, port = 0, asked = () => undefined } = options;
  const findCall = createMatcher(recording);
  const closing = new AbortController();
  const streamsLeft = [...recording.streams];
  /** By session of HTTP+SSE: its stream, and what it waits for. */
  const sessions = new Map<string, { stream: ServerResponse; answers: AwaitedAnswers }>();
  /** By id of an event: what came after it. */
  const said = new Map<string, { messages: readonly RecordedMessage[]; rewriting: Rewriting }>();
  /** Clients of Streamable HTTP have one session in common: what they answer is told by its id. */
  const answers = awaitAnswers();

  const http = createServer((request, response) => {
    // A client that leaves is no failure of ours.
    response.on('error', () => undefined);
    answer(request, response).catch(() => response.destroy());
  });
  const sockets = new WebSocketServer({
    server: http,
    path: '/ws',
    handleProtocols: (offered) => (offered.has('mcp') ? 'mcp' : false),
  });
  sockets.on('connection', (socket) => serveSocket(socket));
  http.listen(port, '127.0.0.1');
  await once(http, 'listening');
  const address = http.address();
  const host = `127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}`;

  function signalOf(response: ServerResponse): AbortSignal {
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    return AbortSignal.any([gone.signal, closing.signal]);
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!isOfThisMachine(request, host))
      return refuse(response, 403, 'Only this machine is served.');
    const url = new URL(request.url ?? '/', `http://${host}`);
    if (url.pathname === '/sse' && request.method === 'GET') return serveEndpointStream(response);
    if (url.pathname === '/message') return takeMessage(request, response, url);
    if (url.pathname !== '/mcp') return refuse(response, 404, `Try ${host}/mcp, /sse or /ws.`);
    switch (request.method) {
      case 'POST':
        return takePost(await text(request), response);
      case 'GET':
        return serveStream(request, response);
      case 'DELETE':
        return void response.writeHead(200).end();
      default:
        return refuse(response, 405, 'Only POST, GET and DELETE are answered.');
    }
  }

  /** Streamable HTTP: the answer is that of the POST. */
  async function takePost(body: string, response: ServerResponse): Promise<void> {
    const request = requestIn(body, answers);
    if (request === undefined) return void response.writeHead(202).end();
    const headers =
      recording.hasSession && request.method === 'initialize'
        ? { 'mcp-session-id': randomUUID() }
        : {};
    const found = find(request);
    if ('text' in found) return sendJson(response, found.text, headers);
    const { call, rewriting } = found;
    if (call.refusal !== undefined) {
      const { status, type, body: refused } = call.refusal;
      response.writeHead(status, type === '' ? {} : { 'content-type': type });
      return void response.end(refused);
    }
    const signal = signalOf(response);
    if (call.isStream) {
      response.writeHead(200, { 'content-type': 'text/event-stream', ...headers });
      response.flushHeaders();
      await sayEvents(response, call.messages, rewriting, signal);
    } else {
      const saying = { speed, answers, signal, rewriting };
      await sayAgain(call.messages, (json) => sendJson(response, json, headers), saying);
    }
    finish(response, call);
  }

  /** What follows each event that had an id is remembered: a client may come back for it. */
  function sayEvents(
    response: ServerResponse,
    messages: readonly RecordedMessage[],
    rewriting: Rewriting,
    signal: AbortSignal,
  ): Promise<void> {
    return sayAgain(
      messages,
      (data, message) => {
        const { eventId } = message;
        const rest = messages.slice(messages.indexOf(message) + 1);
        if (eventId !== undefined) said.set(eventId, { messages: rest, rewriting });
        writeEvent(response, data, eventId);
      },
      { speed, answers, signal, rewriting },
    );
  }

  function finish(response: ServerResponse, { end }: RecordedCall): void {
    if (response.writableEnded) return;
    if (end === 'complete') response.end();
    else if (end === 'cut') response.destroy();
  }

  /** What a request is answered with: a recorded call, or a text of ours. */
  function find(request: Request) {
    const match = findCall(request);
    if (match !== undefined) {
      asked(request.method, match.kind);
      const token = progressTokenIn(request.params);
      return { call: match.call, rewriting: rewritingOf(match.call, request.id, token) };
    }
    if (request.method === 'ping') {
      asked(request.method, 'ping');
      return { text: `{"jsonrpc":"2.0","id":${request.id},"result":{}}` };
    }
    asked(request.method, 'nothing');
    const message = JSON.stringify(wordMissing(request, recording));
    return {
      text: `{"jsonrpc":"2.0","id":${request.id},"error":{"code":-32601,"message":${message}}}`,
    };
  }

  /** The standalone stream: each of those recorded is served once, the last one again and again. */
  async function serveStream(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const resumed = said.get(String(request.headers['last-event-id'] ?? ''));
    if (resumed !== undefined) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      await sayEvents(response, resumed.messages, resumed.rewriting, signalOf(response));
      return;
    }
    const stream = streamsLeft.length > 1 ? streamsLeft.shift() : streamsLeft[0];
    if (stream === undefined) return refuse(response, 405, 'The capture has no stream of its own.');
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    await sayEvents(response, stream.messages, NO_REWRITING, signalOf(response));
    // A stream that is closed is opened again at once by some clients, which hear the same again then.
    if (stream.end === 'cut') response.destroy();
  }

  /** HTTP+SSE: one stream has the answers to all that is posted. */
  function serveEndpointStream(response: ServerResponse): void {
    const session = randomUUID();
    sessions.set(session, { stream: response, answers: awaitAnswers() });
    response.on('close', () => sessions.delete(session));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`event: endpoint\ndata: /message?sessionId=${session}\n\n`);
  }

  async function takeMessage(
    request: IncomingMessage,
    response: ServerResponse,
    url: URL,
  ): Promise<void> {
    const session = sessions.get(url.searchParams.get('sessionId') ?? '');
    if (session === undefined) return refuse(response, 404, 'No stream of this session is open.');
    const asking = requestIn(await text(request), session.answers);
    response.writeHead(202).end();
    if (asking === undefined) return;
    const { stream } = session;
    const signal = signalOf(stream);
    await reply(asking, session.answers, signal, (data) => writeEvent(stream, data, undefined));
  }

  function serveSocket(socket: WebSocket): void {
    const own = awaitAnswers();
    const gone = new AbortController();
    socket.on('close', () => gone.abort());
    socket.on('message', (data: Buffer) => {
      const asking = requestIn(data.toString(), own);
      const signal = AbortSignal.any([gone.signal, closing.signal]);
      if (asking === undefined) return;
      reply(asking, own, signal, (each) => socket.send(each)).catch(() => socket.terminate());
    });
  }

  /** Answers on a channel that others use too. */
  async function reply(
    request: Request,
    own: AwaitedAnswers,
    signal: AbortSignal,
    say: (text: string) => void,
  ): Promise<void> {
    const found = find(request);
    if ('text' in found) return say(found.text);
    const { call, rewriting } = found;
    if (call.refusal === undefined) {
      return sayAgain(call.messages, say, { speed, answers: own, signal, rewriting });
    }
    const message = JSON.stringify(`It was answered ${call.refusal.status} when it was recorded.`);
    say(`{"jsonrpc":"2.0","id":${request.id},"error":{"code":-32603,"message":${message}}}`);
  }

  return {
    url: `http://${host}/mcp`,
    sseUrl: `http://${host}/sse`,
    socketUrl: `ws://${host}/ws`,
    async [Symbol.asyncDispose]() {
      closing.abort();
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
      http.closeAllConnections();
      http.close();
      await once(http, 'close');
    },
  };
}

/** The request in a body; what is a response of the client is passed on. */
function requestIn(body: string, answers: AwaitedAnswers): Request | undefined {
  const payload = classifyPayload(body);
  const message = payload.kind === 'message' ? payload.message : undefined;
  if (message?.kind === 'result' || message?.kind === 'error') answers.answered(message.id ?? '');
  return message?.kind === 'request' ? message : undefined;
}

/** A page of the web must not reach it by a name that leads here. */
function isOfThisMachine({ headers }: IncomingMessage, host: string): boolean {
  const { origin } = headers;
  const isLocal =
    origin === undefined ||
    /^(?:https?:\/\/(?:127\.0\.0\.1|localhost)(?::\d+)?|(?:chrome|moz)-extension:\/\/.*)$/.test(
      origin,
    );
  const port = host.split(':')[1];
  return isLocal && (headers.host === host || headers.host === `localhost:${port}`);
}

function writeEvent(response: ServerResponse, data: string, eventId: string | undefined): void {
  const lines = data.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`);
  response.write(`${eventId === undefined ? '' : `id: ${eventId}\n`}${lines.join('')}\n`);
}

function sendJson(response: ServerResponse, json: string, headers: Record<string, string>): void {
  response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(json);
}

function refuse(response: ServerResponse, status: number, words: string): void {
  response.writeHead(status, { 'content-type': 'text/plain' }).end(`${words}\n`);
}
