import type { BackgroundFunctions } from '../../port/contract.ts';
import { member, parseJson, sourceText } from '../../json/parse.ts';
import type { RawText, SendOptions } from '../../port/send-contract.ts';
import { classifyPayload } from '../../protocol/jsonrpc.ts';
import { filledText, type Replayed } from './replay-fill.ts';
import type { ExactSending } from './replay-exact-plan.ts';
import { joinSecrets, resolveExact, secretsOf, toBase64 } from './replay-exact.ts';
import { wordLeftOut } from './replay-headers.ts';

type Background = Pick<BackgroundFunctions, 'sendRaw' | 'reveal'>;

/** What can be sent, with what of it differs from what it was made of; or why it cannot. */
export type Prepared =
  | {
      ok: true;
      /** In sentences. */
      differences: string[];
      send(options: Pick<SendOptions, 'replayOf' | 'idleTimeoutMs'>): Promise<Replayed>;
    }
  | { ok: false; reason: string };

/** Joins the secrets in, as far as they are held and may go where it goes. */
export async function prepareExact(
  background: Background,
  sending: ExactSending,
): Promise<Prepared> {
  if (sending.kind === 'text') {
    const filled = await filledText(background, sending.text);
    if ('refused' in filled) return { ok: false, reason: filled.refused };
    const { connectionId } = sending;
    const message = { kind: 'text', connectionId, ...describeText(filled.text ?? '') } as const;
    return sendable(background, message, []);
  }
  if (sending.kind === 'binary') return prepareBinary(background, sending);
  const marks = secretsOf(sending.request);
  const values = marks.length === 0 ? {} : await background.reveal(marks);
  const resolved = resolveExact(sending.request, values);
  if (!resolved.ok) return resolved;
  const { connectionId } = sending;
  const on = connectionId === undefined ? {} : { connectionId };
  return sendable(background, { ...resolved.message, ...on }, wordLeftOut(resolved.leftOut));
}

async function prepareBinary(
  background: Background,
  { connectionId, recorded }: ExactSending & { kind: 'binary' },
): Promise<Prepared> {
  const marks = (recorded.cuts ?? []).map(({ secret }) => secret);
  const values = marks.length === 0 ? {} : await background.reveal(marks);
  const bytes = joinSecrets(recorded, 'frame', values);
  if (typeof bytes === 'string') return { ok: false, reason: bytes };
  return sendable(background, { kind: 'binary', connectionId, base64: toBase64(bytes) }, []);
}

function sendable(
  background: Background,
  message: Parameters<Background['sendRaw']>[0],
  differences: string[],
): Prepared {
  return {
    ok: true,
    differences,
    async send(options) {
      const { carrierId } = await background.sendRaw(message, options);
      return { carrierId, replayOf: options.replayOf };
    },
  };
}

/**
 * A text as a connection sends it. Whatever is no notification and no response is sent like a request, since only
 * those have an answer that is worth waiting for.
 */
export function describeText(text: string): { text: string; as: RawText } {
  const payload = classifyPayload(text);
  const message = payload.kind === 'message' ? payload.message : undefined;
  if (message === undefined) return { text, as: { kind: 'request', method: 'raw text' } };
  if (!('method' in message)) return { text, as: { kind: 'response', method: 'raw text' } };
  const parsed = parseJson(text);
  const params = parsed.ok ? member(parsed.root, 'params') : undefined;
  return {
    text,
    as: {
      kind: message.kind,
      method: message.method,
      ...(message.kind === 'request' ? { rpcId: message.id } : {}),
      ...(params === undefined ? {} : { paramsText: sourceText(text, params) }),
    },
  };
}
