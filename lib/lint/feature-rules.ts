import type { Detectors } from './facts.ts';
import { ASKING_DETECTORS } from './features/asking.ts';
import { CONTENT_DETECTORS } from './features/content.ts';
import { listDetectors } from './features/lists.ts';
import { loggingDetectors } from './features/logging.ts';
import { createMemories } from './features/memory.ts';
import { RESOURCE_DETECTORS } from './features/resources.ts';
import { SECURITY_DETECTORS } from './features/security.ts';
import { SHAPE_DETECTORS } from './features/shapes.ts';
import { structuredDetectors } from './features/structured.ts';
import { taskExtensionDetectors } from './features/task-extension.ts';
import { taskDetectors } from './features/tasks.ts';
import { toolListDetectors } from './features/tool-lists.ts';
import { toolDetectors } from './features/tools.ts';

/** The rules of tools, resources and all else that servers and clients offer, with a memory of their own. */
export function createFeatureDetectors(): Detectors {
  const memories = createMemories();
  const parts: Detectors[] = [
    loggingDetectors(memories),
    toolDetectors(memories),
    toolListDetectors(memories),
    structuredDetectors(memories),
    CONTENT_DETECTORS,
    RESOURCE_DETECTORS,
    SHAPE_DETECTORS,
    listDetectors(memories),
    ASKING_DETECTORS,
    taskDetectors(memories),
    taskExtensionDetectors(memories),
    SECURITY_DETECTORS,
  ];
  return {
    request: parts.flatMap(({ request = [] }) => request),
    requests: parts.flatMap(({ requests = [] }) => requests),
    notifications: parts.flatMap(({ notifications = [] }) => notifications),
    responses: parts.flatMap(({ responses = [] }) => responses),
    connection: parts.flatMap(({ connection = [] }) => connection),
  };
}
