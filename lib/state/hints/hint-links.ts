import type { StrayItem } from '../../capture/correlate/items.ts';
import { recordedText } from '../../capture/correlate/socket-record.ts';
import { classifyPayload } from '../../protocol/jsonrpc.ts';
import { evidenceOf } from './hint-case.ts';
import type { Hint, WaitingCase } from './hint-case.ts';
import type { HintSource } from './hint-survey.ts';

/** What became of the way to the server meanwhile; the last of each counts. */
export function linkHints({ item, around }: WaitingCase): Hint[] {
  const hints: Hint[] = [];
  const { events } = around;
  const ofLink = events.findLast(
    ({ event: { kind } }) =>
      kind === 'connection-state' ||
      kind === 'online' ||
      kind === 'offline' ||
      kind === 'retry-held',
  );
  const state = ofLink?.event;
  const isLost =
    state?.kind === 'offline' ||
    state?.kind === 'retry-held' ||
    (state?.kind === 'connection-state' && state.state === 'lost');
  if (ofLink !== undefined && isLost) {
    hints.push({
      kind: 'lost',
      text: `The way to the server is broken: ${lower(ofLink.title)}.`,
      advice: 'It goes on when the server can be reached again, or fails at its deadline.',
      evidence: evidenceOf(ofLink),
    });
  }
  const retry = events.findLast(
    ({ event }) => event.kind === 'retry-scheduled' && event.carrierId === item.httpId,
  );
  if (retry !== undefined) {
    hints.push({
      kind: 'resuming',
      text: `Its stream broke off, and is resumed: ${lower(retry.title)}.`,
      advice: 'The answer can still come on the resumed stream.',
      evidence: evidenceOf(retry),
    });
  }
  const ended = events.findLast(({ event }) => event.kind === 'session-ended');
  if (ended !== undefined) {
    hints.push({
      kind: 'session-ended',
      text: 'The session in which it was sent has ended.',
      advice: 'No answer is to be expected. Cancel it, and send it again.',
      evidence: evidenceOf(ended),
    });
  }
  const restart = events.findLast(
    ({ event: { kind } }) => kind === 'worker-started' || kind === 'connection-revived',
  );
  if (restart !== undefined) {
    hints.push({
      kind: 'restarted',
      text: `The browser restarted the extension's worker meanwhile (${restart.detail ?? ''}).`,
      advice: 'The answer comes only if the server resumes the stream; otherwise send it again.',
      evidence: evidenceOf(restart),
    });
  }
  const reading = events.findLast(
    ({ event }) =>
      (event.kind === 'reading-paused' || event.kind === 'reading-resumed') &&
      event.carrierId === (item.httpId ?? item.socketId),
  );
  if (reading?.event.kind === 'reading-paused') {
    hints.push({
      kind: 'reading-paused',
      text: 'Reading is paused: more came than could be stored so far.',
      advice: 'It goes on by itself. If not, look at Storage.',
      evidence: evidenceOf(reading),
    });
  }
  return hints;
}

/** An answer that was meant for this row, but names another. */
export function otherIdHint({ item, around, source }: WaitingCase): Hint | undefined {
  const stray = around.strays.at(-1);
  if (item.kind !== 'request' || stray === undefined) return undefined;
  const id = idOf(stray, source) ?? 'null';
  return {
    kind: 'other-id',
    text: `A response came with the id ${id}, which no open request has. This request has the id ${item.rpcId}.`,
    advice: 'A server has to repeat the id of a request exactly, its JSON type included.',
    evidence: evidenceOf(stray),
  };
}

function idOf(stray: StrayItem, source: HintSource): string | undefined {
  const payload = classifyPayload(recordedText(source, stray.message) ?? '');
  const message = payload.kind === 'message' ? payload.message : undefined;
  return message !== undefined && 'id' in message ? (message.id ?? undefined) : undefined;
}

function lower(title: string): string {
  return `${title.charAt(0).toLowerCase()}${title.slice(1)}`;
}
