import type { ConnectionSummary } from '../../../lib/port/contract.ts';
import { createServerModel } from '../../../lib/state/server/server-model.ts';
import type { StoredVisit, VisitStore } from '../../../lib/state/server/server-visits.ts';
import { settled, summary } from './fakes.ts';
import { LogBuilder } from './log-builder.ts';
import { startAppModel } from './start-app-model.ts';

type Params = Record<string, unknown>;

/** Answers a request with a result, with the whole text of a response, or not at all. */
export type Answer = (
  method: string,
  params: Params,
) =>
  | { result: unknown }
  | { error: { code: number; message: string } }
  | { text: string }
  | 'later';

export interface SentRequest {
  method: string;
  /** To the letter. */
  paramsText: string | undefined;
  params: Params;
  rpcId: string;
}

/** What servers listed, kept by the test. */
export function memoryVisits() {
  const kept = new Map<string, StoredVisit>();
  const store: VisitStore = {
    read: async (url) => structuredClone(kept.get(url)),
    write: async (visit) => void kept.set(visit.url, structuredClone(visit)),
    forget: async (url) => void kept.delete(url),
  };
  return { kept, store };
}

/** The server screen over a scripted server, every message of which goes through the log. */
export function openServerStage(
  answer: Answer,
  options: {
    visits?: VisitStore;
    capabilities?: object;
    connectionId?: string;
    era?: 'legacy' | 'modern';
  } = {},
) {
  const { visits, capabilities = { tools: {} }, connectionId = 'c1', era = 'legacy' } = options;
  const log = new LogBuilder();
  log.connectionId = connectionId;
  const sent: SentRequest[] = [];
  const open = new Map<string, string>();
  let nextId = 1;
  const stage = startAppModel(visits === undefined ? {} : { loadVisits: async () => visits }, {
    send: async (_connection, method, paramsText) => {
      const rpcId = String(nextId);
      nextId += 1;
      const params = JSON.parse(paramsText ?? '{}') as Params;
      const httpId = log.request(
        `{"jsonrpc":"2.0","id":${rpcId},"method":${JSON.stringify(method)},"params":${paramsText ?? '{}'}}`,
      );
      sent.push({ method, paramsText, params, rpcId });
      open.set(rpcId, httpId);
      const given = answer(method, params);
      if (given !== 'later') respond(rpcId, given);
      publish();
      return { rpcId, carrierId: httpId };
    },
  });

  function respond(rpcId: string, given: Exclude<ReturnType<Answer>, 'later'>): void {
    const body =
      'text' in given
        ? given.text
        : JSON.stringify({ jsonrpc: '2.0', id: Number(rpcId), ...given });
    log.answer(open.get(rpcId) ?? '', body);
  }

  function publish(): void {
    stage.feed.events(log.take());
    stage.draw();
  }

  log.opened();
  log.answer(
    log.request(
      '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"capabilities":{"roots":{}}}}',
    ),
    JSON.stringify({
      jsonrpc: '2.0',
      id: 0,
      result: {
        protocolVersion: '2025-11-25',
        capabilities,
        serverInfo: {
          name: 'scripted',
          version: '1',
          icons: [{ src: 'data:,x', sizes: ['16x16'] }],
        },
        instructions: 'Be kind.',
      },
    }),
  );
  log.add({
    kind: 'connection-chosen',
    transport: 'streamable-http',
    era,
    revision: '2025-11-25',
    serverName: 'scripted',
  } as Parameters<typeof log.add>[0]);
  publish();
  const connection: ConnectionSummary = summary({ connectionId });
  stage.feed.connections([connection]);
  const servers = createServerModel(stage.model, () => 1000);
  return {
    ...stage,
    servers,
    log,
    sent,
    publish,
    /** Answers a request that was left open. */
    async finish(rpcId: string, given: Exclude<ReturnType<Answer>, 'later'>) {
      respond(rpcId, given);
      publish();
      await settled();
    },
    view() {
      const { value } = servers.view;
      if (value === undefined) throw new Error('No server is shown.');
      return value;
    },
  };
}
