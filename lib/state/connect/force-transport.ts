import type { TransportChoice } from '../../capture/store/stored-profile.ts';
import { DEFAULT_CONNECT } from '../../port/contract.ts';
import type { ConnectionSummary, ConnectRequest } from '../../port/contract.ts';
import type { AppModel } from '../app-model.ts';
import { planReconnect } from './reconnect.ts';

/** A way to connect again, for a button. */
export interface ForceChoice {
  choice: TransportChoice;
  label: string;
  /** Where it connects to: over WebSocket that is the `ws` form of the same URL. */
  url: string;
}

const LABELS: readonly (readonly [TransportChoice, string])[] = [
  ['modern', 'Modern'],
  ['streamable-http', 'Streamable'],
  ['http-sse', 'HTTP+SSE'],
  ['websocket', 'WebSocket'],
  ['auto', 'Automatic'],
];

/** The ways in which the server at a URL can be tried. */
export function toForceChoices(url: string): ForceChoice[] {
  return LABELS.map(([choice, label]) => ({ choice, label, url: toFormOf(url, choice) }));
}

/** Connects again to the server of a connection, in one way only; synchronously within a click. */
export function forceTransport(
  model: Pick<AppModel, 'connector' | 'recentServers' | 'form' | 'options'>,
  connection: ConnectionSummary,
  choice: TransportChoice,
): void {
  const { connectionId } = connection;
  const plan = planReconnect(connection, {
    made: model.connector.requestOf(connectionId),
    recentServers: model.recentServers.list.value,
    defaults: DEFAULT_CONNECT,
  });
  if (plan.kind === 'ready') {
    model.connector.replace(connectionId, toForced(plan.request, choice));
    return;
  }
  model.form.use({ ...plan.server, url: toFormOf(plan.server.url, choice) });
  model.options.transport.value = choice;
}

/** Asks a server that was known as legacy for its era once more; synchronously within a click. */
export function probeAgain(
  model: Parameters<typeof forceTransport>[0],
  connection: ConnectionSummary,
): void {
  forceTransport(model, connection, 'auto');
}

/** The same request in one way only. Only legacy Streamable HTTP can go on in an existing session. */
export function toForced(request: ConnectRequest, choice: TransportChoice): ConnectRequest {
  const { attach, probeAgain: _asked, ...rest } = request;
  const keepsSession = choice === 'streamable-http' || choice === 'auto';
  return {
    ...rest,
    url: toFormOf(request.url, choice),
    transport: choice,
    // Whoever asks for the choice again wants to see it made.
    ...(choice === 'auto' ? { probeAgain: true } : {}),
    ...(attach !== undefined && keepsSession ? { attach } : {}),
  };
}

/** The scheme says whether a URL is that of a WebSocket; all other ways begin over HTTP. */
function toFormOf(url: string, choice: TransportChoice): string {
  return choice === 'websocket'
    ? url.replace(/^(\s*)http/i, '$1ws')
    : url.replace(/^(\s*)ws/i, '$1http');
}
