import { toBytes } from '../../bytes.ts';
import { AppError } from '../../errors.ts';
import type { Recorder } from '../../capture/recorder.ts';
import type { OriginPolicy } from '../../capture/store/stored-profile.ts';
import type { RequestLinks } from '../../capture/wire-event.ts';
import type { RawMessage, SendFunctions } from '../../port/send-contract.ts';
import type { ExchangeAbort, ExchangeContext } from '../../transport/exchange/exchange.ts';
import { headerOf } from '../../transport/header-of.ts';
import type { HttpDoor } from '../../transport/exchange/http-door.ts';
import type { openExchange } from '../../transport/exchange/open-exchange.ts';
import type { Slots } from '../../transport/exchange/slots.ts';
import type { Connection } from '../connection.ts';
import { notAllowed } from '../wishes/not-allowed.ts';
import { readReply } from './read-reply.ts';
import type { timeLimit } from '../time-limit.ts';

/** An answer is waited for as long as that of any request, in milliseconds, and no more of it is read, in bytes. */
const LIMIT_MS = 10 * 60_000;
const LIMIT_BYTES = 16 * 1024 * 1024;

export interface RawParts {
  doors: {
    hostPattern(url: string): string;
    hasPermission(hostPattern: string): Promise<boolean>;
    setOrigin(connectionId: string, url: string, policy: OriginPolicy): Promise<void>;
    clearOrigin(connectionId: string): Promise<void>;
  };
  recorder: Recorder;
  slots?: Slots;
  newId(): string;
  /** Of the background, whose transports know an abort by its class. */
  openExchange: typeof openExchange;
  timeLimit: typeof timeLimit;
  stopped(): ExchangeAbort;
  /** The way to the network that the profile of a connection wants; of none, the plain one. */
  doorOf(connectionId: string): HttpDoor;
  /** Throws an `AppError` where the connection is not live. */
  live(connectionId: string): Connection;
  /** Something was begun or has ended. */
  changed(): void;
}

type RawHttp = RawMessage & { kind: 'http' };

/** What the user has written is sent to the letter. */
export interface RawSender extends Pick<SendFunctions, 'sendRaw' | 'stopRaw'> {
  readonly isBusy: boolean;
}

/** A sender with nothing under way. */
export function createRawSender(parts: RawParts): RawSender {
  const { doors, recorder, newId, openExchange, live } = parts;
  const running = new Map<string, AbortController>();

  /** Keeps what is under way where it can be stopped; `go` is given what to call when it is. */
  function begin(
    limitMs: number,
    go: (signal: AbortSignal, started: (carrierId: string) => void) => Promise<unknown>,
  ): Promise<string> {
    const controller = new AbortController();
    const limit = parts.timeLimit(limitMs, 'The answer took too long.', controller.signal);
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const ids = new Set<string>();
    // How it ends is told by its row.
    void go(limit.signal, (carrierId) => {
      ids.add(carrierId);
      running.set(carrierId, controller);
      parts.changed();
      resolve(carrierId);
    })
      .catch(reject)
      .finally(() => {
        limit.stop();
        for (const id of ids) running.delete(id);
        parts.changed();
      });
    return promise;
  }

  async function sendHttp(message: RawHttp, links: RequestLinks, limitMs: number): Promise<string> {
    const { url, connectionId, headers } = message;
    const connection = connectionId === undefined ? undefined : live(connectionId);
    const host = doors.hostPattern(url);
    if (!(await doors.hasPermission(host))) throw new AppError(notAllowed(host));
    const ruleId = newId();
    const origin = headerOf(headers, 'origin');
    const policy: OriginPolicy =
      origin === undefined ? { kind: 'none' } : { kind: 'value', value: origin };
    const rule = doors.setOrigin(ruleId, url, policy);
    // Where a connection to this URL wants another one, that counts, unless one was asked for.
    await (origin === undefined ? rule.catch(() => undefined) : rule);
    const context: ExchangeContext = {
      door: parts.doorOf(connectionId ?? ''),
      recorder: connection === undefined ? unconnected(recorder) : recorder,
      connectionId: connectionId ?? '',
      newHttpId: newId,
      ...(parts.slots === undefined ? {} : { slots: parts.slots }),
    };
    return begin(limitMs, async (signal, started) => {
      try {
        const exchange = await openExchange(context, {
          purpose: message.purpose,
          method: message.method,
          url,
          headers: headers.filter(({ name }) => name.toLowerCase() !== 'origin'),
          ...(message.base64 === undefined ? {} : { body: toBytes(message.base64) }),
          links,
          signal,
          staysPut: true,
          started,
        });
        // What the server asks or tells there goes where it always goes; answers do not.
        await readReply(exchange, { ...context, limitBytes: LIMIT_BYTES }, (payload) =>
          connection?.raw.heed(payload),
        );
      } finally {
        await doors.clearOrigin(ruleId);
      }
    });
  }

  return {
    get isBusy() {
      return running.size > 0;
    },
    async sendRaw(message, { replayOf, idleTimeoutMs = LIMIT_MS } = {}) {
      const links = linksOf(replayOf);
      if (message.kind === 'http') {
        return { carrierId: await sendHttp(message, links, idleTimeoutMs) };
      }
      const connection = live(message.connectionId);
      const carrierId = await begin(idleTimeoutMs, (signal, started) =>
        connection.raw.send(message, links, signal, started),
      );
      return { carrierId };
    },
    async stopRaw(carrierId) {
      running.get(carrierId)?.abort(parts.stopped());
    },
  };
}

function linksOf(replayOf: number | undefined): RequestLinks {
  return replayOf === undefined ? {} : { replayOf };
}

/** What belongs to no connection says so in the log. */
function unconnected(recorder: Recorder): ExchangeContext['recorder'] {
  return {
    record: (fact, _none, origin) => recorder.record(fact, undefined, origin),
    uncommittedBytes: (none) => recorder.uncommittedBytes(none),
    flushed: () => recorder.flushed(),
  };
}
