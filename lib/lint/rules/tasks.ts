import { mcp, MODERN, V4 } from '../clause.ts';
import type { Rule } from '../issue.ts';

const TASKS = 'basic/utilities/tasks';
const EXTENSION = {
  kind: 'standard',
  page: 'MCP Tasks extension',
  section: 'Task lifecycle',
  url: 'https://modelcontextprotocol.io/extensions/tasks/overview#task-lifecycle',
} as const;

/** Tasks: part of 2025-11-25, an extension of 2026-07-28. */
export const TSK = {
  status: {
    id: 'TSK-01',
    severity: 'error',
    side: 'both',
    revisions: [V4],
    title: 'Task in a status that it cannot have',
    clause: mcp(TASKS, 'Task Status Lifecycle'),
  },
  fields: {
    id: 'TSK-01',
    severity: 'error',
    side: 'both',
    revisions: [V4],
    title: 'Task that lacks what each has',
    clause: mcp(TASKS, 'TTL and Resource Management'),
  },
  undeclared: {
    id: 'TSK-01',
    severity: 'error',
    side: 'both',
    revisions: [V4],
    title: 'Task that was not negotiated',
    clause: mcp(TASKS, 'Capability Negotiation'),
  },
  unrelated: {
    id: 'TSK-01',
    severity: 'error',
    side: 'both',
    revisions: [V4],
    title: 'Result that does not name its task',
    clause: mcp(TASKS, 'Associating Task-Related Messages'),
  },
  polling: {
    id: 'TSK-01',
    severity: 'warning',
    side: 'both',
    revisions: [V4],
    title: 'Task asked about too often',
    clause: mcp(TASKS, 'TTL and Resource Management'),
  },
  extension: {
    id: 'TSK-02',
    severity: 'error',
    side: 'both',
    revisions: MODERN,
    title: 'Task that is not as the extension wants it',
    clause: EXTENSION,
  },
} as const satisfies Record<string, Rule>;
