import { AppError, type Problem } from '../../errors.ts';
import type { ClientIdentity } from '../../port/send-contract.ts';
import { isLegacyRevision, LEGACY_REVISIONS } from '../../protocol/revisions.ts';
import { jsonOf, toLine } from '../../text.ts';
import { isRecord } from '../../record.ts';
import type { Response } from '../requests/own-request.ts';

/** What is longer is no name: it is kept in summaries, and shown on one line. */
const NAME_LENGTH = 200;

export interface ServerIdentity {
  revision: string;
  serverName?: string;
  serverVersion?: string;
}

/** Who we say that we are: the client that is played, or this extension in its version. */
export function clientInfo(client: string | ClientIdentity): object {
  if (typeof client !== 'string') return client;
  return { name: 'wirescope', title: 'Wirescope', version: client };
}

/** Params of `initialize` (basic/lifecycle, "Initialization"); `offer` is the revision that is asked for. */
export function initializeParams(
  client: string | ClientIdentity,
  capabilities: object,
  offer: string,
): string {
  return JSON.stringify({
    protocolVersion: offer,
    capabilities,
    clientInfo: clientInfo(client),
  });
}

/** Reads who answered `server/discover`: display data, for nobody to rely on (2026-07-28, server/discover). */
export function readDiscoverResult({ result }: Response & { kind: 'result' }, revision: string) {
  const meta = isRecord(result) && isRecord(result['_meta']) ? result['_meta'] : {};
  return { revision, ...namesOf(meta['io.modelcontextprotocol/serverInfo']) };
}

/**
 * Reads the answer to `initialize`. Throws an `AppError`: `rpc-error` when the server refuses,
 * `protocol-version` when it chose a revision that this tool does not know.
 */
export function readInitializeResponse(response: Response): ServerIdentity {
  if (response.kind === 'error') throw new AppError(refused(response));
  const result = isRecord(response.result) ? response.result : {};
  const revision = result['protocolVersion'];
  if (typeof revision !== 'string' || !isLegacyRevision(revision)) {
    const chosen = revision === undefined ? 'no revision' : `revision ${jsonOf(revision)}`;
    throw new AppError({
      code: 'protocol-version',
      message: `The server chose ${chosen}, which Wirescope does not speak.`,
      advice: `It speaks ${LEGACY_REVISIONS.join(', ')}. The answer of the server is in the log.`,
    });
  }
  return { revision, ...namesOf(result['serverInfo']) };
}

function namesOf(info: unknown): Omit<ServerIdentity, 'revision'> {
  const { name, version } = isRecord(info) ? info : {};
  return {
    ...(typeof name === 'string' ? { serverName: name.slice(0, NAME_LENGTH) } : {}),
    ...(typeof version === 'string' ? { serverVersion: version.slice(0, NAME_LENGTH) } : {}),
  };
}

function refused(response: Response & { kind: 'error' }): Problem {
  const supported = isRecord(response.data) ? response.data['supported'] : undefined;
  return {
    code: 'rpc-error',
    message: `The server refused \`initialize\`: ${response.message} (${response.code ?? 'no code'}).`,
    ...(response.code === undefined ? {} : { answer: { rpcCode: response.code } }),
    ...(Array.isArray(supported)
      ? { advice: `The server says that it supports ${supported.map(toLine).join(', ')}.` }
      : {}),
  };
}
