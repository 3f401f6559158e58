import { signal } from '@preact/signals-core';
import type { EventOf, HttpEnd, WireEvent } from '../../capture/wire-event.ts';

/**
 * How one way to the server stands, by the last that the log says about it. `unused`: nothing is known yet.
 * `none`: the server offers no such way, which is normal. `unsubscribed`: the user has ended the last subscription.
 */
export type ChannelState =
  | 'unused'
  | 'opening'
  | 'works'
  | 'none'
  | 'unsubscribed'
  | 'refused'
  | 'failing'
  | 'broken'
  | 'closed'
  | 'waiting';

/** One way to the server. */
export interface Channel {
  state: ChannelState;
  /** HTTP status, where one says it. */
  status?: number;
  /** Why, where it does not work. */
  cause?: string;
}

/** The ways of one connection. */
export interface Channels {
  /** POSTs, or the socket: what we send. */
  requests: Channel;
  /** The GET stream, a subscription, or the socket: what the server says of its own accord. */
  stream: Channel;
  /** Whether the server lets us in. */
  access: Channel;
  /** What the channels are called. */
  kind: 'post-and-get' | 'post-and-listen' | 'http-sse' | 'socket';
}

export interface ChannelStates {
  /** The ways of a connection; undefined before the log says anything about it, and when it is over. */
  of(connectionId: string): Readonly<Channels> | undefined;
  apply(events: readonly WireEvent[]): void;
  /** Tells whoever reads, once per drawing. */
  refresh(): void;
}

type SocketEvent = EventOf<'socket-opening' | 'socket-open' | 'socket-frame' | 'socket-close'>;

interface Carrier {
  channels: Channels;
  channel: 'requests' | 'stream';
  /** In the modern era an error of the protocol has a status of its own. */
  isModern: boolean;
}

/** Follows every channel of every connection; a pure function of the events applied. */
export function createChannelStates(): ChannelStates {
  const connections = new Map<string, Channels>();
  const carriers = new Map<string, Carrier>();
  /** The exchange that carried the stream of a connection last. */
  const lastStream = new Map<string, Channels>();
  const version = signal(0);
  let isChanged = false;

  function channelsOf(connectionId: string): Channels {
    const known = connections.get(connectionId) ?? {
      requests: { state: 'unused' },
      stream: { state: 'unused' },
      access: { state: 'unused' },
      kind: 'post-and-get',
    };
    connections.set(connectionId, known);
    return known;
  }

  function set(channels: Channels, name: 'requests' | 'stream' | 'access', channel: Channel): void {
    channels[name] = channel;
    isChanged = true;
  }

  /** A socket is both ways in one. */
  function setBoth(channels: Channels, channel: Channel): void {
    set(channels, 'requests', channel);
    set(channels, 'stream', channel);
  }

  function request(event: EventOf<'http-request'>, channels: Channels): void {
    const { httpId, purpose, links } = event;
    const method = headerOf(event, 'mcp-method');
    const isListening = method === 'subscriptions/listen';
    // What goes on with the answer to a request is no channel of its own.
    const isStream = (purpose === 'stream' && links.reason !== 'resume') || isListening;
    if (!isStream && purpose !== 'message') return;
    const channel = isStream ? 'stream' : 'requests';
    carriers.set(httpId, { channels, channel, isModern: method !== undefined });
    // A server may be asked in both eras before it is known which one it speaks.
    if (method !== undefined) channels.kind = 'post-and-listen';
    else if (channels.kind === 'post-and-listen') channels.kind = 'post-and-get';
    if (isStream) {
      lastStream.set(httpId, channels);
      set(channels, 'stream', { state: 'opening' });
    }
    if (headerOf(event, 'authorization') !== undefined && channels.access.state === 'unused')
      set(channels, 'access', { state: 'opening' });
  }

  function response({ httpId, status }: EventOf<'http-response'>): void {
    const carrier = carriers.get(httpId);
    if (carrier === undefined) return;
    const { channels, channel, isModern } = carrier;
    const isLetIn = status !== 401 && status !== 403;
    if (!isLetIn) set(channels, 'access', { state: 'refused', status });
    else if (status < 300 && channels.access.state !== 'unused')
      set(channels, 'access', { state: 'works' });
    if (status < 300) set(channels, channel, { state: 'works' });
    else if (channel === 'stream' && status === 405) set(channels, channel, { state: 'none' });
    else if (isModern && isLetIn && status < 500) set(channels, channel, { state: 'works' });
    else set(channels, channel, { state: 'refused', status });
  }

  function ended(httpId: string, end: HttpEnd): void {
    const carrier = carriers.get(httpId);
    carriers.delete(httpId);
    if (carrier === undefined) return;
    const { channels, channel, isModern } = carrier;
    if (isModern && channel === 'stream' && isByUser(end)) {
      const others = [...carriers.values()].filter((other) => other.channels === channels);
      const isLast = others.every((other) => other.channel !== 'stream');
      if (isLast) set(channels, channel, { state: 'unsubscribed' });
    } else if (end.outcome === 'failed') {
      set(channels, channel, { state: 'failing', cause: end.problem.message });
    } else if (end.outcome === 'cut') {
      set(channels, channel, { state: 'broken', cause: end.errorName });
    } else if (end.outcome === 'aborted' && end.cause === 'deadline') {
      set(channels, channel, { state: 'failing', ...causeOf(end.note ?? 'no answer in time') });
    } else if (channel === 'stream' && channels.stream.state === 'works') {
      set(channels, channel, { state: 'closed', ...causeOf(wordEnd(end)) });
    }
  }

  function retry(carrierId: string, cause: string): void {
    const channels = lastStream.get(carrierId);
    if (channels !== undefined) set(channels, 'stream', { state: 'waiting', cause });
    const whole = connections.get(carrierId);
    if (whole !== undefined) setBoth(whole, { state: 'waiting', cause });
  }

  function socket(event: SocketEvent, channels: Channels): void {
    const { socketId } = event;
    switch (event.kind) {
      case 'socket-opening':
        channels.kind = 'socket';
        carriers.set(socketId, { channels, channel: 'requests', isModern: false });
        return setBoth(channels, { state: 'opening' });
      case 'socket-open':
        return setBoth(channels, { state: 'works' });
      case 'socket-frame':
        if (event.direction === 'incoming' && channels.requests.state !== 'works')
          setBoth(channels, { state: 'works' });
        return;
      case 'socket-close': {
        carriers.delete(socketId);
        const why = `${event.code}${event.reason === '' ? '' : ` ${event.reason}`}`;
        return setBoth(channels, { state: event.clean ? 'closed' : 'broken', cause: why });
      }
    }
  }

  function interrupt(): void {
    carriers.clear();
    lastStream.clear();
    for (const channels of connections.values()) {
      const { kind, stream } = channels;
      // Nothing keeps a POST from working again.
      set(channels, 'requests', { state: 'unused' });
      if (stream.state === 'works' || kind === 'socket')
        set(channels, 'stream', { state: 'broken', cause: 'the background was stopped' });
    }
  }

  function forget(connectionId: string): void {
    const channels = connections.get(connectionId);
    connections.delete(connectionId);
    for (const [id, carrier] of carriers) if (carrier.channels === channels) carriers.delete(id);
    for (const [id, other] of lastStream) if (other === channels) lastStream.delete(id);
    isChanged = true;
  }

  function applyEvent(event: WireEvent): void {
    const { connectionId } = event;
    if (event.kind === 'worker-started') return interrupt();
    if (connectionId === undefined) return;
    switch (event.kind) {
      case 'http-request':
        return request(event, channelsOf(connectionId));
      case 'http-response':
        return response(event);
      case 'http-end':
        return ended(event.httpId, event.end);
      case 'endpoint-announced':
        channelsOf(connectionId).kind = 'http-sse';
        return;
      case 'socket-opening':
      case 'socket-open':
      case 'socket-frame':
      case 'socket-close':
        return socket(event, channelsOf(connectionId));
      case 'deadline-fired': {
        const carrier = carriers.get(event.carrierId);
        const cause = `no answer within ${Math.round(event.durationMs / 1000)} s`;
        if (carrier) set(carrier.channels, 'requests', { state: 'failing', cause });
        return;
      }
      case 'retry-scheduled':
        return retry(event.carrierId, `tried again in ${event.delayMs} ms`);
      case 'retry-held':
        return retry(event.carrierId, 'tried again when the browser is online');
      case 'connection-state':
        if (event.state === 'degraded')
          set(channelsOf(connectionId), 'stream', { state: 'failing', cause: event.cause });
        return;
      case 'connection-closed':
      case 'connection-failed':
        return forget(connectionId);
      default:
        return;
    }
  }

  return {
    of(connectionId) {
      // Channels change in place: this subscribes the reader to the drawings that change them.
      return version.value < 0 ? undefined : connections.get(connectionId);
    },
    apply(events) {
      for (const event of events) applyEvent(event);
    },
    refresh() {
      if (!isChanged) return;
      isChanged = false;
      version.value += 1;
    },
  };
}

function headerOf({ headers }: EventOf<'http-request'>, name: string): string | undefined {
  return headers.find((header) => header.name.toLowerCase() === name)?.value;
}

function isByUser(end: HttpEnd): boolean {
  return end.outcome === 'aborted' && end.cause === 'user';
}

function wordEnd(end: HttpEnd): string {
  return end.outcome === 'aborted' ? `by us: ${end.cause}` : 'by the server';
}

function causeOf(cause: string): { cause: string } {
  return { cause };
}
