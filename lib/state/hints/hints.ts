import type { HttpRecord, Item } from '../../capture/correlate/items.ts';
import { decisiveItem, roundStateOf } from '../view/call-state.ts';
import { answerHint, isWorking, signHint } from './hint-answer.ts';
import { evidenceOf, isStream } from './hint-case.ts';
import type { Hint, WaitingCase } from './hint-case.ts';
import { linkHints, otherIdHint } from './hint-links.ts';
import { survey } from './hint-survey.ts';
import type { HintSource } from './hint-survey.ts';
import { isPending } from '../view/item-status.ts';

/** Nobody wonders about what takes less, in ms. */
export const HINT_AFTER_MS = 5000;

/** Hints for a row that has waited for long, what explains most first; none for all others. */
export function findHints(row: Item, source: HintSource, now: number): Hint[] {
  const item = decisiveItem(row, source);
  if (!mayHang(row, item, source) || now - waitingSince(item, source) < HINT_AFTER_MS) return [];
  const record = item.httpId === undefined ? undefined : source.https.get(item.httpId);
  const found: WaitingCase = { item, record, around: survey(item, source), source, now };
  const asked = inputHint(row, found);
  if (asked !== undefined) return [asked];
  const isOurs = !('direction' in item) || item.direction === 'outgoing';
  if (!isOurs) return [];
  if (isWorking(found)) return [];
  const unsent = unsentHint(found);
  const first = [otherIdHint(found), ...linkHints(found)].filter((hint) => hint !== undefined);
  if (unsent !== undefined) return [...first, unsent];
  const answer = answerHint(found);
  // Where it is known what happened, general signs of life say nothing more.
  return first.length > 0 && answer === undefined ? first : [...first, answer ?? signHint(found)];
}

/** An open stream, a socket and a subscription wait by their nature. */
function mayHang(row: Item, item: Item, source: HintSource): boolean {
  if (item.kind === 'socket' || (item.kind === 'stream' && item.outcome === 'open')) return false;
  const subscription = source.subscriptions.get(item.key);
  if (subscription !== undefined && 'acknowledged' in subscription) return false;
  return isPending(row, source);
}

/** An interim result asks since it came. */
function waitingSince(item: Item, source: HintSource): number {
  const isAsking = roundStateOf(item, source)?.asked === 'waiting';
  return (isAsking ? item.ended : undefined)?.wallTime ?? item.started.wallTime;
}

function inputHint(row: Item, { item, around, source }: WaitingCase): Hint | undefined {
  const advice = 'It goes on with your answer: use Answer on the row, or the list of questions.';
  if (roundStateOf(row, source)?.asked === 'waiting') {
    const text = 'It waits for you: its last result asks for input.';
    return { kind: 'input', text, advice, evidence: evidenceOf(item) };
  }
  if (item.kind === 'request' && item.direction === 'incoming') {
    const text = `It waits for you: the server asks \`${item.method}\`.`;
    return { kind: 'input', text, advice, evidence: evidenceOf(item) };
  }
  const onStream = around.questions.find(
    ({ httpId }) => httpId !== undefined && httpId === item.httpId,
  );
  // What is asked on the stream of another call is about that one.
  const [later] = around.questions.filter(
    ({ sequence, httpId = '' }) =>
      sequence > item.sequence && source.https.get(httpId)?.request.purpose !== 'message',
  );
  const question = onStream ?? later;
  if (question === undefined) return undefined;
  const text = `The server asked \`${question.method}\` meanwhile, and has no answer yet.`;
  return { kind: 'input', text, advice, evidence: evidenceOf(question) };
}

function unsentHint({ record, around, source }: WaitingCase): Hint | undefined {
  if (record === undefined || record.sent !== undefined || record.response !== undefined) {
    return undefined;
  }
  if (record.queued !== undefined && record.released === undefined) {
    const streams = around.open.filter(({ httpId }) => isStream(source.https.get(httpId ?? '')));
    const share = streams.length === 0 ? '' : `, ${streams.length} of them by streams`;
    const [oldest] = streams.length === 0 ? around.open : streams;
    return {
      kind: 'slots',
      text: `It is not sent: all connections that the browser opens to this host are in use${share}.`,
      advice: 'End a stream or a call that is not needed. Over HTTP/2 there is no such limit.',
      ...(oldest === undefined ? {} : { evidence: evidenceOf(oldest) }),
    };
  }
  // Where nothing is ever seen to be sent, its absence tells nothing.
  if (!hasSeenSending(record, source)) return undefined;
  return {
    kind: 'not-sent',
    text: 'The browser has it, but has not sent it.',
    advice:
      'Its connections to this host may be taken, by other tabs too, or it is still connecting.',
    evidence: { sequence: record.request.sequence, httpId: record.httpId },
  };
}

function hasSeenSending(record: HttpRecord, { https }: HintSource): boolean {
  for (const other of https.values()) {
    if (other.connectionId === record.connectionId && other.sent !== undefined) return true;
  }
  return false;
}
