import type { Detectors } from './facts.ts';
import { SECURITY_DETECTORS } from './features/security.ts';
import { LOG_DETECTORS } from './log-messages.ts';
import { TOOL_DETECTORS } from './tools.ts';

/** The rules of tools, resources and all else that servers and clients offer, with a memory of their own. */
export function createFeatureDetectors(): Detectors {
  const parts = [LOG_DETECTORS, TOOL_DETECTORS, SECURITY_DETECTORS];
  return {
    request: parts.flatMap(({ request = [] }) => request),
    message: parts.flatMap(({ message = [] }) => message),
  };
}
