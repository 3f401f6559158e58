import {
  acceptedContent,
  createRequestStateCodec,
  fromJsonSchema,
  inputRequired,
  McpServer,
  type RegisteredTool,
} from '@modelcontextprotocol/server';

/** What the tools of all requests share: in the modern era each of them gets a server of its own. */
export interface Shared {
  hasFarewell: boolean;
  cancelled: number;
  /** Tells subscribers that a tool has come or gone. */
  changed(tool: RegisteredTool): void;
  /** Ends all subscriptions in order. */
  end(): void;
}

const key = crypto.getRandomValues(new Uint8Array(32));
const states = createRequestStateCodec<{ env: string }>({ key });

function schema<T>(properties: Record<string, object> = {}) {
  return fromJsonSchema<T>({ type: 'object', properties, required: Object.keys(properties) });
}

function text(value: string) {
  return { content: [{ type: 'text' as const, text: value }] };
}

/** A server of the official SDK that speaks both eras. */
export function createPeerServer(name: string, shared: Shared): McpServer {
  const server = new McpServer(
    { name, version: '1.0.0' },
    { capabilities: { tools: { listChanged: true } }, requestState: { verify: states.verify } },
  );

  server.registerTool(
    'echo',
    {
      description: 'Says it again',
      inputSchema: schema<{ text: string }>({ text: { type: 'string' } }),
    },
    (given) => text(given.text),
  );

  server.registerTool(
    'mirror',
    {
      description: 'Wants its region in a header',
      inputSchema: schema<{ region: string }>({
        region: { type: 'string', 'x-mcp-header': 'Region' },
      }),
    },
    ({ region }) => text(`in ${region}`),
  );

  server.registerTool(
    'slow',
    {
      description: 'Reports each step, and after the last one waits for as long as it is told to',
      inputSchema: schema<{ steps: number; ms: number }>({
        steps: { type: 'integer' },
        ms: { type: 'integer' },
      }),
    },
    async ({ steps, ms }, { mcpReq }) => {
      const progressToken = mcpReq._meta?.progressToken;
      for (let step = 1; step <= steps; step += 1) {
        if (progressToken === undefined) break;
        const params = { progressToken, progress: step, total: steps };
        await mcpReq.notify({ method: 'notifications/progress', params });
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        mcpReq.signal.addEventListener('abort', () => {
          clearTimeout(timer);
          shared.cancelled += 1;
          resolve();
        });
      });
      return text('done');
    },
  );

  server.registerTool(
    'cancelled',
    { description: 'Counts the calls of `slow` that were cancelled' },
    () => text(String(shared.cancelled)),
  );

  server.registerTool(
    'deploy',
    {
      description: 'Asks before it acts',
      inputSchema: schema<{ env: string }>({ env: { type: 'string' } }),
    },
    async ({ env }, { mcpReq }) => {
      const answer = acceptedContent<{ confirm?: boolean }>(mcpReq.inputResponses, 'confirm');
      const known = mcpReq.requestState<{ env: string }>();
      if (answer?.confirm === true) return text(`deployed ${env}, as asked for ${known?.env}`);
      const confirm = inputRequired.elicit({
        message: `Deploy ${env}?`,
        requestedSchema: {
          type: 'object',
          properties: { confirm: { type: 'boolean', title: 'Go ahead?' } },
          required: ['confirm'],
        },
      });
      const requestState = await states.mint({ env });
      return inputRequired({ inputRequests: { confirm }, requestState });
    },
  );

  const farewell = server.registerTool('farewell', { description: 'Comes and goes' }, () =>
    text('bye'),
  );
  if (!shared.hasFarewell) farewell.disable();

  server.registerTool('flip', { description: 'Lets `farewell` come or go' }, () => {
    shared.hasFarewell = !shared.hasFarewell;
    shared.changed(farewell);
    return text(String(shared.hasFarewell));
  });

  server.registerTool('end', { description: 'Ends all subscriptions' }, () => {
    // After the answer to this call.
    setImmediate(shared.end);
    return text('ending');
  });

  return server;
}
