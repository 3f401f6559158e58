import { decodeUtf8 } from '../../text.ts';
import type { BackgroundFunctions } from '../../port/contract.ts';
import type { SendOptions } from '../../port/send-contract.ts';
import { callsIn } from '../replay/replay-exact-plan.ts';
import { prepareExact } from '../replay/replay-exact-send.ts';
import { requestFault, type ExactRequest } from '../replay/replay-exact.ts';
import { filledText } from '../replay/replay-fill.ts';
import { fillMarks, marksIn } from '../replay/replay-marks.ts';
import type { Asked, ReplaySource } from '../replay/replay-plan.ts';
import { freshProgressToken } from '../replay/replay-token.ts';

interface Target {
  connectionId?: string;
  replayOf?: number;
  idleTimeoutMs?: number;
}

/** What the composer is to send. */
export type Composition = Target &
  (
    | {
        kind: 'request';
        method: string;
        paramsText: string | undefined;
        headers: { name: string; value: string }[];
        /** It may become a task, which the connection is to declare. */
        asTask?: boolean;
      }
    | { kind: 'text'; text: string }
    | { kind: 'binary'; bytes: Uint8Array<ArrayBuffer> }
    | { kind: 'http'; request: ExactRequest }
  );

type Background = Pick<BackgroundFunctions, 'send' | 'sendRaw' | 'reveal'>;

/** What goes out, once the user has agreed to what has to be asked; or why nothing does. */
export type PreparedComposition =
  | {
      ok: true;
      calls: Asked[];
      differences: string[];
      send(): Promise<{ carrierId: string; rpcId?: string }>;
    }
  | { ok: false; reason: string };

/** Joins secrets in, and finds what the user has to be asked. What was typed anew is not asked about. */
export async function prepareSending(
  background: Background,
  composition: Composition,
  source: ReplaySource,
): Promise<PreparedComposition> {
  const { connectionId, replayOf, idleTimeoutMs } = composition;
  const options: SendOptions = {
    ...(replayOf === undefined ? {} : { replayOf }),
    ...(idleTimeoutMs === undefined ? {} : { idleTimeoutMs }),
  };
  const asks = (text: string) =>
    replayOf === undefined ? [] : callsIn(text, { connectionId }, source);
  if (composition.kind === 'http') {
    const { request } = composition;
    const on = connectionId === undefined ? {} : { connectionId };
    const prepared = await prepareExact(background, { kind: 'http', ...on, request });
    if (!prepared.ok) return prepared;
    const { differences } = prepared;
    return {
      ok: true,
      calls: asks(bodyText(request)),
      differences,
      send: () => prepared.send(options),
    };
  }
  if (connectionId === undefined) return { ok: false, reason: 'Connect to a server first.' };
  if (composition.kind === 'binary') {
    const recorded = { bytes: composition.bytes };
    const prepared = await prepareExact(background, { kind: 'binary', connectionId, recorded });
    if (!prepared.ok) return prepared;
    const calls = asks(decodeUtf8(composition.bytes) ?? '');
    return { ok: true, calls, differences: [], send: () => prepared.send(options) };
  }
  if (composition.kind === 'text' || composition.method.startsWith('notifications/')) {
    const text =
      composition.kind === 'text'
        ? composition.text
        : notificationText(composition.method, composition.paramsText);
    const prepared = await prepareExact(background, { kind: 'text', connectionId, text });
    if (!prepared.ok) return prepared;
    return { ok: true, calls: asks(text), differences: [], send: () => prepared.send(options) };
  }
  return prepareRequest(background, { ...composition, connectionId }, options, asks);
}

async function prepareRequest(
  background: Background,
  composition: Composition & { kind: 'request'; connectionId: string },
  options: SendOptions,
  asks: (text: string) => Asked[],
): Promise<PreparedComposition> {
  const { connectionId, method, paramsText, asTask } = composition;
  const filled = await filledText(background, paramsText);
  if ('refused' in filled) return { ok: false, reason: filled.refused };
  const headers = await filledHeaders(background, composition.headers);
  if (headers === undefined) {
    return { ok: false, reason: 'A header holds a secret that is no longer held. Type it anew.' };
  }
  const fault = requestFault('POST', 'https://example.invalid/', true, headers);
  if (fault !== undefined) return { ok: false, reason: `Such a header cannot be sent: ${fault}` };
  const isReplay = options.replayOf !== undefined;
  const params = isReplay ? freshProgressToken(filled.text) : filled.text;
  const text = `{"jsonrpc":"2.0","id":0,"method":${JSON.stringify(method)},"params":${paramsText ?? '{}'}}`;
  return {
    ok: true,
    calls: asks(text),
    differences: [],
    send: () =>
      background.send(connectionId, method, params, {
        ...options,
        ...(asTask === undefined ? {} : { asTask }),
        ...(headers.length === 0 ? {} : { headers }),
      }),
  };
}

async function filledHeaders(
  background: Background,
  headers: readonly { name: string; value: string }[],
): Promise<{ name: string; value: string }[] | undefined> {
  const marks = headers.flatMap(({ value }) => marksIn(value));
  const values = marks.length === 0 ? {} : await background.reveal(marks);
  const filled = headers.map(({ name, value }) => ({ name, value: fillMarks(value, values) }));
  const isWhole = filled.every(
    (each): each is { name: string; value: string } => each.value !== undefined,
  );
  return isWhole ? filled : undefined;
}

function notificationText(method: string, paramsText: string | undefined): string {
  const params = paramsText === undefined ? '' : `,"params":${paramsText}`;
  return `{"jsonrpc":"2.0","method":${JSON.stringify(method)}${params}}`;
}

function bodyText({ body }: ExactRequest): string {
  if (body === undefined) return '';
  return 'text' in body ? body.text : (decodeUtf8(body.recorded.bytes) ?? '');
}
