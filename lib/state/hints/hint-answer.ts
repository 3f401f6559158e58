import type { HttpRecord, Item } from '../../capture/correlate/items.ts';
import { formatCount, formatRunning } from '../../text.ts';
import { evidenceOf, isStream } from './hint-case.ts';
import type { Hint, WaitingCase } from './hint-case.ts';

/** After its last word for so long, a call that reports progress counts as silent, in ms. */
const SILENT_AFTER_MS = 30_000;

/** Whether there was word of it not long ago: it takes long, but does not hang. */
export function isWorking({ around, now }: WaitingCase): boolean {
  return around.word !== undefined && now - around.word.time < SILENT_AFTER_MS;
}

/** Why a request hangs whose answer has begun to come: how far it is, and since when it is silent. */
export function answerHint({ item, record, around, now }: WaitingCase): Hint | undefined {
  if (around.word !== undefined) {
    const count = item.kind === 'request' ? item.related : 1;
    return {
      kind: 'progress-silent',
      text: `The last word about it came ${formatRunning(now - around.word.time)} ago, after ${formatCount(count, 'message')}.`,
      advice: 'The work may have stopped on the server without an answer; look at its log.',
      evidence: evidenceOf(around.word.item),
    };
  }
  if (record?.response === undefined || record.end !== undefined) return acceptedHint(record);
  const { response, httpId, stream, sizeBytes } = record;
  const status = String(response.status);
  if (sizeBytes === 0) {
    return {
      kind: 'no-byte',
      text: `The head of the answer came (${status}), but not one byte after it.`,
      advice: isStream(record)
        ? 'The server has opened a stream and writes nothing to it; a proxy between may hold it back.'
        : 'The server stopped after the head, or a proxy between holds the body back.',
      evidence: { sequence: response.sequence, httpId },
    };
  }
  const last = stream.at(-1);
  if (last !== undefined && stream.every(({ kind }) => kind === 'sse-comment')) {
    return {
      kind: 'comments-only',
      text: `Its stream carries ${formatCount(stream.length, 'comment')} and no message: the server keeps it open, but does not answer.`,
      advice: 'The connection is fine. Look at what the server does with the call.',
      evidence: { sequence: last.sequence, httpId },
    };
  }
  const chunk = record.chunks.at(-1);
  if (chunk === undefined) return undefined;
  return {
    kind: 'unfinished',
    text: `A part of the answer came (${formatCount(sizeBytes, 'byte')}), the last ${formatRunning(now - chunk.wallTime)} ago, and no end.`,
    advice: 'The server, or a proxy between, does not finish its answer.',
    evidence: { sequence: chunk.sequence, httpId },
  };
}

/** HTTP+SSE, and what servers make of it: the answer is to come elsewhere. */
function acceptedHint(record: HttpRecord | undefined): Hint | undefined {
  if (record?.end === undefined || record.response?.status !== 202) return undefined;
  return {
    kind: 'accepted',
    text: 'The server accepted it (202); the answer is to come on the event stream, and has not.',
    advice: 'Look at the stream: it is the only way on which the answer can come.',
    evidence: { sequence: record.response.sequence, httpId: record.httpId },
  };
}

/** Whether there is life at the other end. */
export function signHint({ item, around, now }: WaitingCase): Hint {
  const { sign, stream } = around;
  if (sign !== undefined) {
    return {
      kind: 'alive',
      text: `The server is alive, but has not answered: ${signWords(sign.item)} came ${formatRunning(now - sign.time)} ago.`,
      advice: 'Look at what the server does with this call, or cancel it.',
      evidence: evidenceOf(sign.item),
    };
  }
  const silence = `Nothing at all came since it was sent, ${formatRunning(now - item.started.wallTime)} ago`;
  if (stream !== undefined && item !== stream) {
    return {
      kind: 'one-at-a-time',
      text: `${silence}, while the GET stream is open.`,
      advice:
        'A server that handles one exchange at a time cannot answer as long as that stream holds it.',
      evidence: evidenceOf(stream),
    };
  }
  return {
    kind: 'silent',
    text: `${silence}.`,
    advice: 'The server may be busy, stopped in a debugger, or gone.',
    evidence: evidenceOf(item),
  };
}

function signWords(item: Item): string {
  if (item.kind === 'request' && item.direction === 'outgoing')
    return `an answer to \`${item.method}\``;
  return 'method' in item ? `\`${item.method}\`` : `something on the GET stream`;
}
