import { ALL, LEGACY, mcp, MODERN, POLICY, V3, V4, V5 } from '../clause.ts';
import type { Rule } from '../issue.ts';

const TOOLS = 'server/tools';

/** Log messages. */
export const LOG = {
  notAsked: {
    id: 'LOG-01',
    severity: 'error',
    side: 'server',
    revisions: MODERN,
    title: 'Log message that was not asked for',
    clause: mcp('server/utilities/logging', 'Per-request log level'),
  },
  belowLevel: {
    id: 'LOG-01',
    severity: 'warning',
    side: 'server',
    revisions: LEGACY,
    title: 'Log message below the level that was set',
    clause: mcp('server/utilities/logging', 'Setting Log Level'),
  },
  undeclared: {
    id: 'LOG-01',
    severity: 'error',
    side: 'server',
    revisions: ALL,
    title: 'Log message without the capability',
    clause: mcp('server/utilities/logging', 'Capabilities'),
  },
  malformed: {
    id: 'LOG-20',
    severity: 'error',
    side: 'server',
    revisions: ALL,
    title: 'Log message without level or data',
    clause: mcp('server/utilities/logging', 'Log Message Notifications'),
  },
} as const satisfies Record<string, Rule>;

/** Definitions of tools, and their results. */
export const TOO = {
  inputSchema: {
    id: 'TOO-01',
    severity: 'error',
    side: 'server',
    revisions: ALL,
    title: 'Tool without a usable input schema',
    clause: mcp(TOOLS, 'Tool'),
  },
  schema: {
    id: 'TOO-01',
    severity: 'error',
    side: 'server',
    revisions: [V3, V4, V5],
    title: 'Schema of a tool that is not valid',
    clause: mcp('basic', 'JSON Schema Usage', { [V3]: { page: TOOLS, section: 'Output Schema' } }),
  },
  structured: {
    id: 'TOO-02',
    severity: 'error',
    side: 'server',
    revisions: [V3, V4, V5],
    title: 'Result that does not fit its output schema',
    clause: mcp(TOOLS, 'Output Schema'),
  },
  noText: {
    id: 'TOO-02',
    severity: 'warning',
    side: 'server',
    revisions: [V3, V4, V5],
    title: 'Structured result without its text',
    clause: mcp(TOOLS, 'Structured Content'),
  },
  name: {
    id: 'TOO-03',
    severity: 'warning',
    side: 'server',
    revisions: [V4, V5],
    title: 'Tool name that clients may refuse',
    clause: mcp(TOOLS, 'Tool Names'),
  },
  content: {
    id: 'TOO-04',
    severity: 'error',
    side: 'server',
    revisions: ALL,
    title: 'Malformed content',
    clause: mcp(TOOLS, 'Tool Result'),
  },
  networkRef: {
    id: 'TOO-05',
    severity: 'warning',
    side: 'server',
    revisions: MODERN,
    title: 'Schema that refers to the network',
    clause: mcp('basic', '$ref Resolution'),
  },
  order: {
    id: 'TOO-05',
    severity: 'warning',
    side: 'server',
    revisions: MODERN,
    title: 'Tools that are not always the same',
    clause: mcp(TOOLS, 'Capabilities'),
  },
} as const satisfies Record<string, Rule>;

/** Resources, pages of lists, completions. */
export const RES = {
  contents: {
    id: 'RES-01',
    severity: 'error',
    side: 'server',
    revisions: ALL,
    title: 'Malformed contents of a resource',
    clause: mcp('server/resources', 'Resource Contents'),
  },
  missing: {
    id: 'RES-01',
    severity: 'error',
    side: 'server',
    revisions: ALL,
    title: 'Missing resource not refused as one',
    clause: mcp('server/resources', 'Error Handling'),
  },
  shape: {
    id: 'RES-20',
    severity: 'error',
    side: 'server',
    revisions: ALL,
    title: 'Result with a member of the wrong type',
    clause: {
      kind: 'standard',
      page: 'MCP schema',
      section: '',
      url: 'https://github.com/modelcontextprotocol/modelcontextprotocol/tree/main/schema',
    },
  },
  sameKey: {
    id: 'RES-21',
    severity: 'warning',
    side: 'server',
    revisions: ALL,
    title: 'Two entries that cannot be told apart',
    clause: POLICY,
  },
  address: {
    id: 'RES-22',
    severity: 'warning',
    side: 'server',
    revisions: ALL,
    title: 'Address of a resource that is none',
    clause: mcp('server/resources', 'Data Types'),
  },
  cursor: {
    id: 'PAG-01',
    severity: 'warning',
    side: 'server',
    revisions: ALL,
    title: 'Cursor with which nobody comes to the end',
    clause: mcp('server/utilities/pagination', 'Implementation Guidelines'),
  },
  editedCursor: {
    id: 'PAG-01',
    severity: 'error',
    side: 'client',
    revisions: ALL,
    title: 'Cursor not used as it came',
    clause: mcp('server/utilities/pagination', 'Implementation Guidelines'),
  },
  completion: {
    id: 'CMP-01',
    severity: 'error',
    side: 'server',
    revisions: ALL,
    title: 'More than 100 completions',
    clause: mcp('server/utilities/completion', 'Completion Results'),
  },
} as const satisfies Record<string, Rule>;

/** What servers ask of clients. */
export const ASK = {
  form: {
    id: 'ELI-01',
    severity: 'error',
    side: 'server',
    revisions: [V3, V4, V5],
    title: 'Form that clients cannot show',
    clause: mcp('client/elicitation', 'Requested Schema', {
      [V3]: { page: 'client/elicitation', section: 'Supported Schema Types' },
    }),
  },
  mode: {
    id: 'ELI-01',
    severity: 'error',
    side: 'server',
    revisions: [V4],
    title: 'Elicitation in a mode that was not declared',
    clause: mcp('client/elicitation', 'Capabilities'),
  },
  secretField: {
    id: 'ELI-01',
    severity: 'warning',
    side: 'server',
    revisions: [V3, V4, V5],
    title: 'Form that asks for a secret',
    clause: mcp('client/elicitation', 'Security Considerations'),
  },
  url: {
    id: 'ELI-02',
    severity: 'error',
    side: 'server',
    revisions: [V4, V5],
    title: 'Malformed request to open a URL',
    clause: mcp('client/elicitation', 'URL Mode Elicitation Requests'),
  },
  unsafeUrl: {
    id: 'ELI-02',
    severity: 'warning',
    side: 'server',
    revisions: [V4, V5],
    title: 'Request to open a URL without HTTPS',
    clause: mcp('client/elicitation', 'Safe URL Handling'),
  },
  sampling: {
    id: 'SAM-01',
    severity: 'error',
    side: 'server',
    revisions: [V4, V5],
    title: 'Malformed sampling request',
    clause: mcp('client/sampling', 'Message Content Constraints'),
  },
  samplingTools: {
    id: 'SAM-01',
    severity: 'error',
    side: 'server',
    revisions: [V4],
    title: 'Sampling with tools that was not declared',
    clause: mcp('client/sampling', 'Capabilities'),
  },
  root: {
    id: 'ROO-01',
    severity: 'error',
    side: 'client',
    revisions: ALL,
    title: 'Root that is no file',
    clause: mcp('client/roots', 'Root'),
  },
} as const satisfies Record<string, Rule>;
