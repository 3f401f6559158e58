import type { Problem } from '../errors.ts';
import { isRecord } from '../record.ts';
import type { Message } from './jsonrpc.ts';
import { eraOf, LEGACY_REVISIONS, MODERN_REVISIONS } from './revisions.ts';

/** The error codes that only a server of the modern era uses (2026-07-28, basic/index, "Error Codes"). */
export const HEADER_MISMATCH = -32020;
export const MISSING_CAPABILITY = -32021;
export const UNSUPPORTED_VERSION = -32022;

/** Statuses of a server that was not ready to look at the request. */
const BUSY = new Set([408, 425, 429]);

const MODERN_CODES = new Set<number | undefined>([
  HEADER_MISMATCH,
  MISSING_CAPABILITY,
  UNSUPPORTED_VERSION,
]);

/** What the answer to `server/discover` says about a server; `reason` is for the connect card. */
export type ProbeVerdict =
  | { kind: 'modern'; revision: string; reason: string }
  /** `offer` is the revision that `initialize` should name, where the server has listed any. */
  | { kind: 'legacy'; reason: string; offer?: string }
  /** Modern, but not content with the request: worth one more try, with these capabilities added. */
  | {
      kind: 'again';
      reason: string;
      capabilities: Record<string, unknown>;
      /** What the repeat is for. */
      repeat: Repeat;
      problem: Problem;
    }
  /** No evidence of either era; `initialize` may be tried once. */
  | { kind: 'undecided'; reason: string; problem: Problem }
  /** No rung below can help. */
  | { kind: 'failed'; reason: string; problem: Problem };

type Repeat = 'headers' | 'capability' | 'version';

type Response = Message & { kind: 'result' | 'error' };

/** Whether an error code proves that a server speaks the modern era. */
export function isModernCode(code: number | undefined): boolean {
  return MODERN_CODES.has(code);
}

/**
 * Reads the era of a server from its response to `server/discover` (2026-07-28, basic/versioning, "Backward
 * Compatibility"): any error that is not a modern one means legacy.
 */
export function judgeProbeResponse(response: Response): ProbeVerdict {
  if (response.kind === 'result') return judgeDiscoverResult(response.result);
  const { code, message, data } = response;
  const shown = `${code ?? 'no code'} ${message}`.trim();
  switch (code) {
    case UNSUPPORTED_VERSION:
      return judgeSupported(namesIn(data, 'supported'), shown);
    case HEADER_MISMATCH:
    case MISSING_CAPABILITY:
      return {
        kind: 'again',
        reason: `a modern server that refuses the request: ${shown}`,
        capabilities: recordIn(data, 'requiredCapabilities'),
        repeat: code === HEADER_MISMATCH ? 'headers' : 'capability',
        problem: {
          code: 'rpc-error',
          message: `The server speaks the modern era, but refuses \`server/discover\`: ${shown}.`,
          advice:
            code === HEADER_MISMATCH
              ? 'A header and the body of the request seem to differ. Is a header under Options, or a proxy, in the way?'
              : 'Declare the capability that it asks for, or force a legacy transport.',
        },
      };
    default:
      return { kind: 'legacy', reason: `not a modern server: ${shown}` };
  }
}

/**
 * Reads what can be read from a probe that got no response. Only a 4xx, or a 2xx without a usable answer, is a
 * sign of a legacy server; a 5xx, a server that is busy, and silence prove nothing, and what keeps every other request from the server
 * too ends the attempt.
 */
export function judgeProbeFailure(problem: Problem): ProbeVerdict {
  const { code, answer, isHttpSse } = problem;
  if (code === 'http-unauthorized' || code === 'http-forbidden') {
    return { kind: 'failed', reason: 'asks for authorization before it tells its era', problem };
  }
  if (code.startsWith('auth-')) {
    return { kind: 'failed', reason: 'authorization was tried in vain', problem };
  }
  const status = answer?.status;
  if (status !== undefined && (status >= 500 || BUSY.has(status))) {
    return { kind: 'undecided', reason: `era unproven: probe answered ${status}`, problem };
  }
  if (code === 'deadline') return { kind: 'undecided', reason: 'era unproven: no answer', problem };
  if (code === 'http-redirect') return { kind: 'failed', reason: 'redirects elsewhere', problem };
  if (status !== undefined) {
    return { kind: 'legacy', reason: `not a modern server: ${status}` };
  }
  if (isHttpSse === true) {
    return { kind: 'legacy', reason: 'answered a POST with the `endpoint` event of HTTP+SSE' };
  }
  const isBadAnswer = /^(body|accepted)-/.test(code) || code === 'stream-no-response';
  if (isBadAnswer && code !== 'body-limit') {
    return { kind: 'legacy', reason: 'not a modern server: no usable answer' };
  }
  const reason = code === 'stream-cut' ? 'the connection broke' : 'no connection';
  return { kind: 'failed', reason, problem };
}

function judgeDiscoverResult(result: unknown): ProbeVerdict {
  const listed = namesIn(result, 'supportedVersions');
  if (listed.length === 0) {
    return { kind: 'legacy', reason: 'answered, but lists no supported versions' };
  }
  const revision = MODERN_REVISIONS.find((known) => listed.includes(known));
  if (revision !== undefined) return { kind: 'modern', revision, reason: `speaks ${revision}` };
  const offer = newestLegacy(listed);
  if (offer === undefined) return disjoint(listed);
  return { kind: 'legacy', offer, reason: `lists legacy revisions only: ${listed.join(', ')}` };
}

function judgeSupported(listed: string[], shown: string): ProbeVerdict {
  if (listed.length === 0) {
    return { kind: 'legacy', reason: `refused, without a list of versions: ${shown}` };
  }
  const mutual = MODERN_REVISIONS.find((known) => listed.includes(known));
  const offer = newestLegacy(listed);
  if (mutual !== undefined) {
    return {
      kind: 'again',
      reason: `refused ${mutual}, although it lists it`,
      capabilities: {},
      repeat: 'version',
      problem: {
        code: 'protocol-version',
        message: `The server refuses revision ${mutual}, although it lists it: ${shown}.`,
        advice: `It lists ${listed.join(', ')}.`,
      },
    };
  }
  if (offer === undefined) return disjoint(listed);
  return { kind: 'legacy', offer, reason: `lists legacy revisions only: ${listed.join(', ')}` };
}

function disjoint(listed: string[]): ProbeVerdict {
  return {
    kind: 'failed',
    reason: `speaks ${listed.join(', ')} only`,
    problem: {
      code: 'protocol-version',
      message: `No revision in common: the server speaks ${listed.join(', ')}.`,
      advice: `Wirescope speaks ${[...MODERN_REVISIONS, ...LEGACY_REVISIONS].join(', ')}.`,
    },
  };
}

function newestLegacy(listed: string[]): string | undefined {
  return listed
    .filter((revision) => eraOf(revision) === 'legacy')
    .toSorted()
    .at(-1);
}

function namesIn(holder: unknown, key: string): string[] {
  const named = isRecord(holder) ? holder[key] : undefined;
  return Array.isArray(named) ? named.filter((entry) => typeof entry === 'string') : [];
}

function recordIn(holder: unknown, key: string): Record<string, unknown> {
  const value = isRecord(holder) ? holder[key] : undefined;
  return isRecord(value) ? value : {};
}
