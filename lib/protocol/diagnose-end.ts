import type { AbortCause, HttpEnd } from '../capture/wire-event.ts';
import type { Problem } from '../errors.ts';
import { excerpt } from './diagnose.ts';

/** How a request's SSE stream ended without the response that it owed. */
export interface StreamEndFacts {
  rpcMethod: string;
  eventCount: number;
  /** An event id was seen, so the stream could be resumed. */
  resumable: boolean;
  /** How the body begins, where no event was in it. */
  startText: string;
  /** Size of the unfinished event that the end cut off. */
  tailBytes: number;
  /** The browser's error name, where the connection broke rather than ended. */
  errorName?: string;
}

/** Says why a stream that ended leaves its request without a response. */
export function diagnoseStreamEnd(facts: StreamEndFacts): Problem {
  const { tailBytes } = facts;
  const events = facts.eventCount === 1 ? '1 event' : `${facts.eventCount} events`;
  const how = facts.errorName === undefined ? 'ended' : 'broke off';
  const looksLikeSse = facts.eventCount > 0 || /^(data|event|id|retry|:)/m.test(facts.startText);
  if (!looksLikeSse && /^\s*[[{]/.test(facts.startText)) {
    return {
      code: 'body-type',
      message: `The answer to \`${facts.rpcMethod}\` says text/event-stream, but its body is JSON.`,
      advice: 'The server should send the content type application/json.',
      detail: excerpt(facts.startText),
    };
  }
  const tail =
    tailBytes === 0
      ? ''
      : ` It was cut off inside an event: ${tailBytes} bytes without the blank line that ends one.`;
  return {
    code: facts.errorName === undefined ? 'stream-no-response' : 'stream-cut',
    message: `The stream that should answer \`${facts.rpcMethod}\` ${how} after ${events}, with no response.${tail}`,
    advice: facts.resumable
      ? 'The server may still be at work: its events have ids, so the stream can be asked for again.'
      : 'The server may have done the work all the same. Its events have no ids, so nothing can be resumed.',
    ...(facts.errorName === undefined ? {} : { detail: facts.errorName }),
  };
}

/** Says what was waited for when a deadline fired, and what had come by then. */
export function diagnoseSilence(facts: {
  rpcMethod: string;
  waitedMs: number;
  headStatus: number | undefined;
  receivedBytes: number;
}): Problem {
  const seconds = `${Math.round(facts.waitedMs / 100) / 10} s`;
  const what =
    facts.headStatus === undefined
      ? 'The server took the connection but sent nothing'
      : facts.receivedBytes === 0
        ? `The server sent its headers (${facts.headStatus}) and then nothing`
        : `The server sent ${facts.receivedBytes} bytes, but no response`;
  return {
    code: 'deadline',
    message: `${what}: no answer to \`${facts.rpcMethod}\` within ${seconds}.`,
    advice:
      facts.headStatus === undefined
        ? 'Is the server stuck, or is another program listening on this port?'
        : 'The server is reachable but does not answer. Its log may say what it waits for.',
  };
}

/** Says why we ended an exchange before its answer was complete. */
export function diagnoseAbort(
  end: { cause: AbortCause; sizeBytes: number },
  rpcMethod: string,
): Problem {
  switch (end.cause) {
    case 'limit':
      return {
        code: 'body-limit',
        message: `The answer to \`${rpcMethod}\` is larger than the size limit, so reading stopped after ${end.sizeBytes} bytes.`,
        advice:
          'Raise “Size limit of one message” under Options, connect again and replay. What came is kept.',
      };
    case 'too-fast':
      return {
        code: 'stream-too-fast',
        message: `The server sends faster than this browser can store, so the stream was stopped after ${end.sizeBytes} bytes.`,
        advice: 'What came is kept.',
      };
    case 'user':
    case 'deadline':
    case 'close':
    case 'not-needed':
      return {
        code: 'aborted',
        message: `\`${rpcMethod}\` was stopped before its answer was complete.`,
      };
  }
}

/** Says that the connection broke inside an answer. */
export function diagnoseCut(
  rpcMethod: string,
  end: { sizeBytes: number; errorName: string },
): Problem {
  return {
    code: 'stream-cut',
    message: `The connection broke after ${end.sizeBytes} bytes of the answer to \`${rpcMethod}\`.`,
    advice: 'The server may have done the work all the same, so nothing was sent again.',
    detail: end.errorName,
  };
}

/** Says that the server did not take the stream up again where it had ended. */
export function diagnoseRefusedResume(
  rpcMethod: string,
  refusal: { status: number; problem: Problem },
): Problem {
  return {
    code: 'stream-no-response',
    message: `The stream that should answer \`${rpcMethod}\` ended without a response, and the server did not resume it (${refusal.status}).`,
    advice: 'The response is lost; the server may have done the work all the same.',
    detail: refusal.problem.message,
  };
}

/** Says that a request was answered as servers of revision 2024-11-05 open their stream. */
export function diagnoseHttpSse(rpcMethod: string): Problem {
  return {
    code: 'body-type',
    message: `The server answered \`${rpcMethod}\` with the \`endpoint\` event of HTTP+SSE, the transport of revision 2024-11-05.`,
    advice: 'Choose HTTP+SSE as the transport and connect again.',
    isHttpSse: true,
  };
}

/** Says that an exchange is over, and that what it brought has the id of another request that was open. */
export function diagnoseOtherAnswer(rpcMethod: string): Problem {
  return {
    code: 'stream-no-response',
    message: `The stream that should answer \`${rpcMethod}\` ended after a response to another request, with no response.`,
  };
}

/** Says that the response to an accepted request came where none belongs ("Listening for Messages" 3). */
export function diagnoseElsewhere(rpcMethod: string): Problem {
  return {
    code: 'accepted-request',
    message: `The server only accepted \`${rpcMethod}\` (202), and sent its response on the GET stream, which is for messages of its own.`,
    advice: 'A request is to be answered on its own exchange, by JSON or by an SSE stream.',
  };
}

/** Whether we ended a stream that had begun because its keep-alives stopped: it is as good as cut. */
export function fellSilent(end: HttpEnd): boolean {
  return end.outcome === 'aborted' && end.cause === 'deadline' && end.note !== undefined;
}

/** Whether we ended it because nothing else slows a server down: what has event ids can be taken up again. */
export function wasTooFast(end: HttpEnd): boolean {
  return end.outcome === 'aborted' && end.cause === 'too-fast';
}

/** Says why a stream that fell silent was ended; `note` holds the times. */
export function diagnoseSilentStream(note: string): Problem {
  return {
    code: 'stream-cut',
    message: `${note} The connection is taken for broken.`,
    advice: 'Connections that vanish without a word are often cut by a proxy, or by sleep.',
  };
}
