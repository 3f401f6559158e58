import { challengeDetectors } from './authorization/challenges.ts';
import { grantDetectors } from './authorization/grants.ts';
import { loginDetectors } from './authorization/login.ts';
import { createMemories } from './authorization/memory.ts';
import { metadataDetectors } from './authorization/metadata.ts';
import type { Detectors } from './facts.ts';

/** The rules of authorization, with a memory of their own. */
export function createAuthorizationDetectors(): Detectors {
  const memories = createMemories();
  const parts = [challengeDetectors, metadataDetectors, loginDetectors, grantDetectors].map(
    (make) => make(memories),
  );
  return {
    request: parts.flatMap(({ request = [] }) => request),
    head: parts.flatMap(({ head = [] }) => head),
    end: parts.flatMap(({ end = [] }) => end),
    connection: parts.flatMap(({ connection = [] }) => connection),
  };
}
