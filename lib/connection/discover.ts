import { AppError, toProblem, type Problem } from '../errors.ts';
import { eraOf, LEGACY_REVISIONS, MODERN_REVISIONS } from '../protocol/revisions.ts';
import type { Requests, Response } from './requests.ts';

/** A legacy server may say nothing to a method that it does not know. */
const DISCOVER_MS = 2000;
const UNSUPPORTED_VERSION = -32022;
/** A wrong header and a missing capability: only a modern server knows these. */
const MODERN_ERRORS = new Set([-32020, -32021]);

/**
 * Asks a server on a shared channel for its era before `initialize` (basic/versioning, "Backward
 * Compatibility"). Resolves where the handshake may go on: the server is legacy, or speaks legacy too. Rejects
 * with an `AppError`: `protocol-version` when it speaks modern revisions only, or whatever ended the channel.
 */
export async function discover(
  requests: Requests,
  clientVersion: string,
  started: (carrierId: string) => void,
): Promise<void> {
  let response: Response;
  try {
    response = await requests.send('server/discover', discoverParams(clientVersion), {
      idle: { kind: 'connect', durationMs: DISCOVER_MS },
      started: ({ carrierId }) => started(carrierId),
    });
  } catch (error) {
    if (toProblem(error).code === 'deadline') return;
    throw error;
  }
  const revisions = namedRevisions(response);
  const isModern = response.kind === 'error' && MODERN_ERRORS.has(response.code ?? 0);
  const speaksOnlyModern = revisions.length > 0 && !revisions.some(isLegacy);
  if (isModern || speaksOnlyModern) throw new AppError(modernOnly(revisions));
}

/** A modern request is complete in itself: who asks, in which revision, able to do what. */
function discoverParams(version: string): string {
  return JSON.stringify({
    _meta: {
      'io.modelcontextprotocol/protocolVersion': MODERN_REVISIONS[0],
      'io.modelcontextprotocol/clientCapabilities': {},
      'io.modelcontextprotocol/clientInfo': { name: 'wirescope', title: 'Wirescope', version },
    },
  });
}

/** The revisions that an answer says the server speaks; none where it says nothing of the kind. */
function namedRevisions(response: Response): string[] {
  const holder = response.kind === 'result' ? response.result : response.data;
  if (response.kind === 'error' && response.code !== UNSUPPORTED_VERSION) return [];
  if (typeof holder !== 'object' || holder === null) return [];
  const { supportedVersions, supported } = holder as Record<string, unknown>;
  const named = response.kind === 'result' ? supportedVersions : supported;
  return Array.isArray(named) ? named.filter((entry) => typeof entry === 'string') : [];
}

function isLegacy(revision: string): boolean {
  return eraOf(revision) === 'legacy';
}

function modernOnly(revisions: string[]): Problem {
  const named = revisions.length === 0 ? 'modern revisions' : revisions.join(', ');
  return {
    code: 'protocol-version',
    message: `The server speaks ${named} only, which Wirescope does not speak over WebSocket yet.`,
    advice: `It speaks ${LEGACY_REVISIONS.join(', ')}. The answer of the server is in the log.`,
  };
}
