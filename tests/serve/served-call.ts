import { setTimeout as delay } from 'node:timers/promises';
import type { RecordedCall, RecordedMessage } from '../../lib/har/serve/recording.ts';
import { rewriteMessage, type Rewriting } from '../../lib/har/serve/rewrite-message.ts';
import { classifyPayload } from '../../lib/protocol/jsonrpc.ts';

/** How fast what was recorded is said again: 1 as it was, 10 ten times faster, Infinity at once. */
export interface Pace {
  speed: number;
}

/** Waits for the client's answers to requests of the server, by their ids. */
export interface AwaitedAnswers {
  wait(id: string, signal: AbortSignal): Promise<void>;
  answered(id: string): void;
}

/** The answers of one client. */
export function awaitAnswers(): AwaitedAnswers {
  const waiting = new Map<string, () => void>();
  return {
    wait: (id, signal) =>
      new Promise((resolve, reject) => {
        waiting.set(id, resolve);
        signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      }),
    answered(id) {
      waiting.get(id)?.();
      waiting.delete(id);
    },
  };
}

interface Saying extends Pace {
  answers: AwaitedAnswers;
  signal: AbortSignal;
  rewriting: Rewriting;
}

/** Says messages with the pauses that were between them; after a request of the server it waits for its answer. */
export async function sayAgain(
  messages: readonly RecordedMessage[],
  say: (text: string, message: RecordedMessage) => void,
  { speed, answers, signal, rewriting }: Saying,
): Promise<void> {
  let at = 0;
  for (const message of messages) {
    const pauseMs = (message.atMs - at) / speed;
    at = Math.max(message.atMs, at);
    if (pauseMs >= 1) await delay(pauseMs, undefined, { signal });
    signal.throwIfAborted();
    const text = rewriteMessage(message.text, rewriting);
    say(text, message);
    const asked = classifyPayload(text);
    if (asked.kind === 'message' && asked.message.kind === 'request') {
      await answers.wait(asked.message.id, signal);
    }
  }
}

/** What has to be another in a call that is answered again: its id and its token are of the present. */
export function rewritingOf(
  call: RecordedCall,
  rpcId: string,
  progressToken: string | undefined,
): Rewriting {
  const isTold = call.progressToken !== undefined && progressToken !== undefined;
  return {
    ids: new Map([[call.rpcId, rpcId]]),
    progressTokens: new Map(isTold ? [[call.progressToken ?? '', progressToken]] : []),
  };
}
