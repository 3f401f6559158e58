import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { answerWell, logText, type SocketMessage, type SocketPeer } from './websocket-peer.ts';

/** One way to misbehave over a WebSocket. */
export interface SocketFault {
  /** One line for the list of paths. */
  about: string;
  /** Answers the handshake, and any plain request to its path, with this instead of opening a socket. */
  refuses?: { status: number; headers?: Record<string, string> };
  /** Opens the socket without selecting a subprotocol. */
  selectsNothing?: boolean;
  /** Compresses its messages (RFC 7692). */
  compresses?: boolean;
  /** Takes the connection and never answers the handshake. */
  hangs?: boolean;
  opened?(peer: SocketPeer): void | Promise<void>;
  /** Answers a message; by default every one of them well. */
  answer?(peer: SocketPeer, message: SocketMessage): void | Promise<void>;
}

/** The same, but only where a tool is called. */
function atCall(act: (peer: SocketPeer, id: unknown) => void | Promise<void>) {
  return (peer: SocketPeer, message: SocketMessage): void | Promise<void> =>
    message.method === 'tools/call' ? act(peer, message.id) : answerWell(peer, message);
}

function atDiscover(act: (peer: SocketPeer, id: unknown) => void) {
  return (peer: SocketPeer, message: SocketMessage): void =>
    message.method === 'server/discover' ? act(peer, message.id) : answerWell(peer, message);
}

function rawSocket(peer: SocketPeer): Socket {
  return Reflect.get(peer.socket, '_socket') as Socket;
}

const RESULT = { content: [{ type: 'text', text: 'done' }] };
const callResult = (id: unknown): string => JSON.stringify({ jsonrpc: '2.0', id, result: RESULT });

/** Every behaviour by its path. */
export const SOCKET_FAULTS: Record<string, SocketFault> = {
  ok: { about: 'a small legacy server that behaves well' },
  'no-subprotocol': { about: 'opens without selecting a subprotocol', selectsNothing: true },
  unauthorized: {
    about: '401 with a challenge on the handshake',
    refuses: { status: 401, headers: { 'WWW-Authenticate': 'Bearer realm="sockets"' } },
  },
  'to-login': {
    about: '302 to a login page on the handshake',
    refuses: { status: 302, headers: { Location: '/login' } },
  },
  forbidden: { about: '403 on the handshake', refuses: { status: 403 } },
  'not-found': { about: '404 on the handshake', refuses: { status: 404 } },
  hang: { about: 'never answers the handshake', hangs: true },
  'silent-discover': {
    about: 'does not answer `server/discover`',
    answer: atDiscover(() => undefined),
  },
  'close-on-discover': {
    about: 'closes the socket on anything before `initialize`',
    answer(peer, message) {
      const isFirst = peer.received.length === 1;
      if (isFirst && message.method !== 'initialize') peer.socket.close(1002, 'initialize first');
      else answerWell(peer, message);
    },
  },
  'modern-only': {
    about: 'speaks 2026-07-28 only',
    answer: atDiscover((peer, id) =>
      peer.sendResult(id, { supportedVersions: ['2026-07-28'], capabilities: {} }),
    ),
  },
  'modern-error': {
    about: 'refuses the revision of `server/discover` and names only a modern one',
    answer: atDiscover((peer, id) =>
      peer.sendError(id, -32022, 'Unsupported protocol version', { supported: ['2027-01-01'] }),
    ),
  },
  'dual-era': {
    about: 'says in its answer to `server/discover` that it speaks legacy too',
    answer: atDiscover((peer, id) =>
      peer.sendResult(id, { supportedVersions: ['2026-07-28', '2025-11-25'], capabilities: {} }),
    ),
  },
  binary: {
    about:
      'a text frame, a binary one with JSON, a binary one with noise; then the answer in binary',
    answer: atCall(({ socket }, id) => {
      socket.send(logText('as text'));
      socket.send(Buffer.from(logText('as binary')));
      socket.send(Buffer.from([0x00, 0xff, 0xfe, 0x80]));
      socket.send(Buffer.from(callResult(id)));
    }),
  },
  fragments: {
    about: 'one message in 1000 fragments, pings and a split character among them',
    answer: atCall(async ({ socket }, id) => {
      const text = callResult(id).replace('done', 'häppchen ☕ '.repeat(200));
      const bytes = Buffer.from(text);
      const size = Math.ceil(bytes.length / 1000);
      for (let start = 0; start < bytes.length; start += size) {
        const fin = start + size >= bytes.length;
        socket.send(bytes.subarray(start, start + size), { binary: false, fin });
        if (start % (size * 100) === 0) socket.ping('still here');
      }
      await nextTurn();
    }),
  },
  compressed: { about: 'compresses every message', compresses: true },
  'long-ping': {
    about: 'a ping of 126 bytes, which RFC 6455 5.5 forbids',
    answer: atCall((peer) => {
      rawSocket(peer).write(Buffer.concat([Buffer.from([0x89, 126, 0, 126]), Buffer.alloc(126)]));
    }),
  },
  'bad-utf8': {
    about: 'a text frame that is not UTF-8',
    answer: atCall((peer) => void rawSocket(peer).write(Buffer.from([0x81, 2, 0xc3, 0x28]))),
  },
  odd: {
    about:
      'a trailing newline, two texts in a frame, an array, an empty frame, noise; then the answer',
    answer: atCall(({ socket }, id) => {
      socket.send(`${logText('newline')}\n`);
      socket.send(`${logText('first')}\n${logText('second')}`);
      socket.send(`[${logText('in an array')},${logText('too')}]`);
      socket.send('');
      socket.send('no JSON');
      socket.send(callResult(id));
    }),
  },
  close: {
    about: 'closes at a call, with `?code=` and `&reason=`',
    answer: atCall(({ socket, query }) => {
      const code = query.get('code');
      if (code === null) socket.close();
      else socket.close(Number(code), query.get('reason') ?? '');
    }),
  },
  drop: {
    about: 'cuts the connection at a call, without a close frame',
    answer: atCall((peer) => void rawSocket(peer).destroy()),
  },
  'drop-once': {
    about:
      'cuts the first socket at a call; later ones insist on `initialize`, and get the late answer',
    answer(peer, message) {
      if (peer.visit === 1) {
        if (message.method !== 'tools/call') return answerWell(peer, message);
        peer.memory.set('late', message.id);
        rawSocket(peer).destroy();
        return;
      }
      const isReady = peer.received.some(({ method }) => method === 'initialize');
      if (!isReady) return peer.sendError(message.id, -32600, 'initialize first');
      answerWell(peer, message);
      if (message.method === 'notifications/initialized') {
        peer.sendResult(peer.memory.get('late'), RESULT);
      }
    },
  },
  huge: {
    about: 'a frame of `?n=` bytes at a call, and the answer after it',
    answer: atCall(({ socket, query }, id) => {
      socket.send(logText('x'.repeat(Number(query.get('n') ?? 1_000_000))));
      socket.send(callResult(id));
    }),
  },
  flood: {
    about: 'frames of 1 MiB at a call, until the socket is closed',
    answer: atCall(async ({ socket }) => {
      const frame = logText('x'.repeat(1024 * 1024));
      while (socket.readyState === socket.OPEN) {
        await new Promise((resolve) => socket.send(frame, resolve));
        // A send that fails at once would leave no turn in which the socket could say that it has closed.
        await nextTurn();
      }
    }),
  },
  deaf: {
    about: 'stops reading at a call, and so never confirms a close; reads on after `?ms=`',
    answer: atCall((peer) => {
      const raw = rawSocket(peer);
      raw.pause();
      const ms = peer.query.get('ms');
      if (ms !== null) setTimeout(() => raw.resume(), Number(ms));
    }),
  },
  numbers: {
    about: '`?n=` numbered notifications at a call, then the answer',
    answer: atCall(({ socket, query }, id) => {
      for (let index = 0; index < Number(query.get('n') ?? 100); index += 1) {
        socket.send(logText(index));
      }
      socket.send(callResult(id));
    }),
  },
  'silent-ping': {
    about: 'never answers a ping on its first socket',
    answer(peer, message) {
      if (message.method !== 'ping' || peer.visit > 1) answerWell(peer, message);
    },
  },
  unanswered: { about: 'never answers a call', answer: atCall(() => undefined) },
};
