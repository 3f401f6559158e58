import type { ConnectionSummary } from '../../port/contract.ts';
import type { Channel, Channels, ChannelState } from './channel-states.ts';

/** One small indicator. */
export interface ChannelSign {
  label: string;
  /** Its shape says as much as its colour. */
  sign: string;
  level: 'good' | 'idle' | 'bad';
  /** In full. */
  words: string;
}

/** The state of a connection as it really is. */
export interface ChannelSummary {
  isGood: boolean;
  words: string;
}

const LABELS: Record<Channels['kind'], [requests: string, stream: string]> = {
  'post-and-get': ['POST', 'GET'],
  'post-and-listen': ['POST', 'listen'],
  'http-sse': ['POST', 'SSE'],
  socket: ['send', 'receive'],
};

const SIGNS: Record<ChannelState, [sign: string, level: ChannelSign['level'], words: string]> = {
  unused: ['·', 'idle', 'not used yet'],
  opening: ['◌', 'idle', 'waits for an answer'],
  works: ['●', 'good', 'works'],
  none: ['○', 'idle', 'not offered by the server, which is normal'],
  unsubscribed: ['○', 'idle', 'unsubscribed'],
  refused: ['▲', 'bad', 'refused'],
  failing: ['▲', 'bad', 'fails'],
  broken: ['▲', 'bad', 'broke off'],
  closed: ['○', 'bad', 'closed'],
  waiting: ['◍', 'bad', 'waits'],
};

/** Three indicators: what we send, what the server says of its own accord, and whether it lets us in. */
export function toChannelSigns({ kind, requests, stream, access }: Channels): ChannelSign[] {
  const [sending, listening] = LABELS[kind];
  return [
    toSign(sending, requests),
    toSign(listening, stream),
    { ...toSign('access', access), words: `access: ${accessWords(access)}` },
  ];
}

function toSign(label: string, channel: Channel): ChannelSign {
  const [sign, level] = SIGNS[channel.state];
  return { label, sign, level, words: `${label}: ${toWords(channel)}` };
}

function toWords({ state, status, cause }: Channel): string {
  const why = [status, cause?.replace(/\.$/, '')].filter((part) => part !== undefined).join(' ');
  return why === '' ? SIGNS[state][2] : `${SIGNS[state][2]} (${why})`;
}

function accessWords({ state, status }: Channel): string {
  if (state === 'refused') return `refused (${status})`;
  if (state === 'works') return 'the credentials were accepted';
  return state === 'opening' ? 'credentials were sent' : 'nothing was asked for';
}

/** One sentence that holds for all channels together; undefined where the connection is not up. */
export function summarizeChannels(
  { state }: Pick<ConnectionSummary, 'state'>,
  channels: Channels,
): ChannelSummary | undefined {
  if (state !== 'connected' && state !== 'lost') return undefined;
  const { kind, requests, stream, access } = channels;
  const isOpen = stream.state === 'works';
  if (kind === 'socket') {
    return isOpen
      ? { isGood: true, words: 'The socket is open.' }
      : { isGood: false, words: `The socket is not open: ${toWords(stream)}.` };
  }
  const although = isOpen ? ', although its stream is open' : '';
  if (access.state === 'refused' && isBad(requests)) {
    return {
      isGood: false,
      words: `The server wants authorization (${access.status}): requests are refused${although}.`,
    };
  }
  if (isBad(requests)) {
    return { isGood: false, words: `Requests do not work: ${toWords(requests)}${although}.` };
  }
  if (kind === 'http-sse' && !isOpen && stream.state !== 'opening') {
    return {
      isGood: false,
      words: `Requests are accepted, but no answer can arrive: the stream ${toWords(stream)}.`,
    };
  }
  if (isBad(stream)) {
    return {
      isGood: false,
      words: `Requests work; what the server says of its own accord does not arrive: the stream ${toWords(stream)}.`,
    };
  }
  return { isGood: true, words: isOpen ? 'Requests and stream work.' : 'Requests work.' };
}

function isBad({ state }: Channel): boolean {
  return SIGNS[state][1] === 'bad';
}
