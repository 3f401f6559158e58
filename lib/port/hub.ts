import type { Recorder } from '../capture/recorder.ts';
import type { WireEvent } from '../capture/wire-event.ts';
import { serveBackground, type PortLike } from './channel.ts';
import type {
  BackgroundFunctions,
  ConnectionSummary,
  HubFunctions,
  PageFunctions,
  PortedBatch,
} from './contract.ts';
import { encodeEvents } from './encode.ts';

/** Far below the 64 MiB at which Chrome refuses a message; larger batches are read from storage. */
const MESSAGE_LENGTH = 1024 * 1024;

export interface Hub {
  /** Serves one page until its port closes. */
  attach(port: PortLike): void;
  /** Tells every subscribed page of a batch; `areStored` is false while the database refuses. */
  publish(events: readonly WireEvent[], areStored: boolean): void;
  publishConnections(list: ConnectionSummary[]): void;
}

interface Page {
  remote: PageFunctions;
  wantsEvents: boolean;
}

/** Fans the log out to every open page. Calls that come before the log is open wait for it. */
export function createHub(opened: Promise<{ recorder: Recorder; functions: HubFunctions }>): Hub {
  const pages = new Set<Page>();
  let connections: ConnectionSummary[] = [];

  function attach(port: PortLike): void {
    const page: Page = {
      remote: serveBackground(
        port,
        callable(() => page),
      ),
      wantsEvents: false,
    };
    port.onDisconnect.addListener(() => pages.delete(page));
  }

  function callable(page: () => Page): BackgroundFunctions {
    const ready = opened.then(({ functions }) => functions);
    return {
      connect: async (...call) => (await ready).connect(...call),
      permissionAnswered: async (...call) => (await ready).permissionAnswered(...call),
      disconnect: async (...call) => (await ready).disconnect(...call),
      dismiss: async (...call) => (await ready).dismiss(...call),
      send: async (...call) => (await ready).send(...call),
      answer: async (...call) => (await ready).answer(...call),
      cancel: async (...call) => (await ready).cancel(...call),
      reveal: async (...call) => (await ready).reveal(...call),
      report: async (...call) => (await ready).report(...call),
      stopReport: async (...call) => (await ready).stopReport(...call),
      dropStream: async (...call) => (await ready).dropStream(...call),
      armFault: async (...call) => (await ready).armFault(...call),
      disarmFault: async (...call) => (await ready).disarmFault(...call),
      recentServers: async (...call) => (await ready).recentServers(...call),
      forgetServer: async (...call) => (await ready).forgetServer(...call),
      subscribe: async (afterSequence) => subscribe(page(), (await opened).recorder, afterSequence),
    };
  }

  function subscribe(page: Page, recorder: Recorder, afterSequence: number | 'none') {
    pages.add(page);
    page.wantsEvents = afterSequence !== 'none';
    page.remote.connections(connections);
    const { unstored, captureId } = recorder;
    const stored = (unstored[0]?.sequence ?? recorder.lastCommittedSequence + 1) - 1;
    // At once, so that no live event overtakes them: a page cannot read these from the store.
    if (page.wantsEvents) send([page], batchesOf(unstored, false));
    return { captureId, lastSequence: stored };
  }

  function send(to: Page[], batches: PortedBatch[]): void {
    for (const page of to) {
      for (const batch of batches) page.remote.events(batch);
    }
  }

  return {
    attach,
    publish(events, areStored) {
      const listening = [...pages].filter((page) => page.wantsEvents);
      // Encoding is work, and most of the time no page is open.
      if (listening.length > 0) send(listening, batchesOf(events, areStored));
    },
    publishConnections(list) {
      connections = list;
      for (const page of pages) page.remote.connections(list);
    },
  };
}

/** Events as messages of bounded length; what is stored and too long is only named. */
function batchesOf(events: readonly WireEvent[], areStored: boolean): PortedBatch[] {
  const [first] = events;
  const last = events.at(-1);
  if (first === undefined || last === undefined) return [];
  const range = {
    captureId: first.captureId,
    firstSequence: first.sequence,
    lastSequence: last.sequence,
  };
  const json = encodeEvents(events);
  if (json.length <= MESSAGE_LENGTH) return [{ kind: 'events', ...range, json }];
  if (areStored) return [{ kind: 'stored', ...range }];
  if (events.length === 1) return [{ kind: 'events', ...range, json }];
  const middle = events.length >> 1;
  return [...batchesOf(events.slice(0, middle), false), ...batchesOf(events.slice(middle), false)];
}
