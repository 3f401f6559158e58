import type { TransportKind } from '../../capture/store/stored-profile.ts';
import type { Era } from '../../capture/wire-event.ts';
import type { ExchangeContext } from '../../transport/exchange/exchange.ts';
import { HttpSse } from '../../transport/http/http-sse.ts';
import { LEFT_OUT } from '../../transport/http/merge-headers.ts';
import { ModernHttp } from '../../transport/http/modern-http.ts';
import type { SocketDoor } from '../../transport/websocket/socket-door.ts';
import { StreamableHttp } from '../../transport/http/streamable-http.ts';
import type { Transport, TransportEvents } from '../../transport/transport.ts';
import { WebSocketTransport } from '../../transport/websocket/websocket.ts';
import type { Profile } from '../profile.ts';

/** A transport of this kind and era, with what the profile says about all of them. */
export function createTransport(
  kind: TransportKind,
  era: Era,
  profile: Profile,
  context: ExchangeContext & { socketDoor: SocketDoor },
  events: TransportEvents,
): Transport {
  const own = () => profile.headers.map(({ name, value }) => ({ name, value }));
  const { omit = [], accept } = profile.client ?? {};
  const habits = omit.map((name) => ({ name, value: LEFT_OUT }));
  if (accept !== undefined) habits.unshift({ name: 'Accept', value: accept });
  // A handshake has none of ours that could be left out, or take another value.
  const headers = kind === 'websocket' ? own : () => [...own(), ...habits];
  const options = {
    ...context,
    url: profile.url,
    headers,
    limitBytes: profile.messageLimitBytes,
    reconnection: profile.reconnection,
    ...(profile.originPolicy.kind === 'value' ? { sentOrigin: profile.originPolicy.value } : {}),
    events,
  };
  switch (kind) {
    case 'streamable-http':
      return era === 'modern' ? new ModernHttp(options) : new StreamableHttp(options);
    case 'http-sse':
      return new HttpSse(options);
    case 'websocket':
      return new WebSocketTransport({ ...options, originPolicy: profile.originPolicy });
  }
}
