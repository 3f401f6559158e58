import type { Problem } from '../errors.ts';

/**
 * Says that the stream of a modern request is over without its response. Nothing resumes it: the request is
 * lost, and only the user can know whether it may be sent again (2026-07-28, changelog, item 9).
 */
export function diagnoseLostCall(rpcMethod: string, errorName?: string): Problem {
  const how = errorName === undefined ? 'ended' : 'broke off';
  const detail = errorName === undefined ? {} : { detail: errorName };
  const code = errorName === undefined ? 'stream-no-response' : 'stream-cut';
  if (rpcMethod === 'subscriptions/listen') {
    return {
      code,
      message: `The subscription was lost: its stream ${how} without a result.`,
      advice: 'Nothing is replayed: subscribe again, and list again what it watched.',
      ...detail,
    };
  }
  return {
    code,
    message: `The stream that should answer \`${rpcMethod}\` ${how}, with no response.`,
    advice:
      'The call may have run on the server. In revision 2026-07-28 nothing resumes it; send it again if that does no harm.',
    ...detail,
  };
}
