import { AppError, type Problem } from '../errors.ts';
import {
  isLegacyRevision,
  LEGACY_REVISIONS,
  NEWEST_LEGACY_REVISION,
} from '../protocol/revisions.ts';
import type { Response } from './requests.ts';

export interface ServerIdentity {
  revision: string;
  serverName?: string;
  serverVersion?: string;
}

/** Params of `initialize` (basic/lifecycle, "Initialization"). */
export function initializeParams(clientVersion: string, capabilities: object): string {
  return JSON.stringify({
    protocolVersion: NEWEST_LEGACY_REVISION,
    capabilities,
    clientInfo: { name: 'wirescope', title: 'Wirescope', version: clientVersion },
  });
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
    const chosen = revision === undefined ? 'no revision' : `revision ${JSON.stringify(revision)}`;
    throw new AppError({
      code: 'protocol-version',
      message: `The server chose ${chosen}, which Wirescope does not speak.`,
      advice: `It speaks ${LEGACY_REVISIONS.join(', ')}. The answer of the server is in the log.`,
    });
  }
  const info = isRecord(result['serverInfo']) ? result['serverInfo'] : {};
  const { name, version } = info;
  return {
    revision,
    ...(typeof name === 'string' ? { serverName: name } : {}),
    ...(typeof version === 'string' ? { serverVersion: version } : {}),
  };
}

function refused(response: Response & { kind: 'error' }): Problem {
  const supported = isRecord(response.data) ? response.data['supported'] : undefined;
  return {
    code: 'rpc-error',
    message: `The server refused \`initialize\`: ${response.message} (${response.code ?? 'no code'}).`,
    ...(Array.isArray(supported)
      ? { advice: `The server says that it supports ${supported.map(String).join(', ')}.` }
      : {}),
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
