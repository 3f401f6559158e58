import { toBytes } from '../../bytes.ts';
import type { Opcode, SocketClose } from '../../transport/websocket/socket-door.ts';

/** Names the ports between the worker and its offscreen document, one for each socket. */
export const PIPE_PORT = 'wirescope-socket';

/** Chrome refuses port messages above 64 MiB, and text may take three bytes a unit: longer data goes in parts. */
const PART_LENGTH = 4 * 1024 * 1024;

/** A port takes whatever it is given: with more than this under way, the worker has fallen too far behind. */
export const UNDER_WAY_LENGTH = 32 * 1024 * 1024;
/** So often the worker says how far it has come. */
export const TAKEN_LENGTH = 1024 * 1024;

/** A piece of a frame: text as it is, binary as base64. The last piece ends the frame. */
export interface FramePart {
  opcode: Opcode;
  part: string;
  isLast: boolean;
}

/** What the worker tells the pipe. */
export type PipeOrder =
  /** `overrunCode` is what to close it with where the worker falls behind. */
  | { open: { url: string; subprotocols: string[]; overrunCode: number } }
  | { send: FramePart }
  /** How much of what came over the port has been dealt with, in UTF-16 units of its parts. */
  | { taken: number }
  | { close: { code: number; reason: string } };

/** What the pipe tells the worker. */
export type PipeReport =
  | { opened: string }
  | { frame: FramePart }
  /** How much of what it was given has left, in bytes since the socket was opened. */
  | { sentBytes: number }
  /** The worker is this far behind, so the socket has been closed. */
  | { overrun: number }
  | { closed: SocketClose };

/** A runtime port, as far as both ends need it. */
export interface PipePort {
  postMessage(message: unknown): void;
  disconnect(): void;
  onMessage: { addListener(listener: (message: unknown) => void): void };
  onDisconnect: { addListener(listener: () => void): void };
}

/** Cuts a frame into parts that a port takes. No surrogate pair is cut in two. */
export function* toParts(data: string | Uint8Array): Generator<FramePart> {
  const opcode = typeof data === 'string' ? 'text' : 'binary';
  const text = typeof data === 'string' ? data : toBase64(data);
  let start = 0;
  do {
    let end = Math.min(start + PART_LENGTH, text.length);
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end -= 1;
    yield { opcode, part: text.slice(start, end), isLast: end === text.length };
    start = end;
  } while (start < text.length);
}

/** Puts parts together again; gives a frame with each last part. */
export function createPartReader(): (
  part: FramePart,
) => string | Uint8Array<ArrayBuffer> | undefined {
  let parts: string[] = [];
  return ({ opcode, part, isLast }) => {
    parts.push(part);
    if (!isLast) return undefined;
    const text = parts.join('');
    parts = [];
    return opcode === 'text' ? text : toBytes(text);
  };
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

// Chrome 132, the oldest that we run in, has no methods of its own for this.
function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}
