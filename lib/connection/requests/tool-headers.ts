import { paramHeadersOf, type ParamHeader } from '../../protocol/param-headers.ts';
import { isRecord } from '../../record.ts';
import type { Response } from './own-request.ts';

/** What the tools of a server want mirrored in headers, as far as its lists have told. */
export interface ToolHeaders {
  /** Takes a response to `tools/list`. */
  learn(response: Response): void;
  /** The headers of a tool; none for one that was never listed, or whose annotations are not valid. */
  of(tool: string): readonly ParamHeader[];
  /** Goes through the pages of `tools/list` until one names the tool. */
  find(tool: string, list: (cursor: string | undefined) => Promise<Response>): Promise<void>;
}

/** A server that never ends its list is not asked for more pages than this. */
const PAGES = 50;

/** Collects the annotations of tools as their lists come, and tells which arguments are mirrored. */
export function createToolHeaders(): ToolHeaders {
  const known = new Map<string, readonly ParamHeader[]>();

  function learn(response: Response): void {
    for (const tool of toolsIn(response)) {
      const read = paramHeadersOf(tool['inputSchema']);
      if (typeof tool['name'] === 'string') known.set(tool['name'], read.ok ? read.headers : []);
    }
  }

  return {
    learn,
    of: (tool) => known.get(tool) ?? [],
    async find(tool, list) {
      let cursor: string | undefined;
      for (let page = 0; page < PAGES; page += 1) {
        const response = await list(cursor);
        learn(response);
        const isNamed = toolsIn(response).some(({ name }) => name === tool);
        const next = response.kind === 'result' ? nextCursor(response.result) : undefined;
        if (isNamed || next === undefined || next === cursor) return;
        cursor = next;
      }
    },
  };
}

function toolsIn(response: Response): Record<string, unknown>[] {
  const result = response.kind === 'result' ? response.result : undefined;
  const tools = isRecord(result) ? result['tools'] : undefined;
  return Array.isArray(tools) ? tools.filter(isRecord) : [];
}

function nextCursor(result: unknown): string | undefined {
  const cursor = isRecord(result) ? result['nextCursor'] : undefined;
  return typeof cursor === 'string' ? cursor : undefined;
}
