import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { WireFact } from '../../../../lib/capture/wire-event.ts';
import { createRequests } from '../../../../lib/connection/requests/requests.ts';
import type { Response } from '../../../../lib/connection/requests/own-request.ts';
import type { OutgoingMessage, Transport } from '../../../../lib/transport/transport.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const IDLE = { idle: { kind: 'idle', durationMs: 1000 } } as const;

/** Requests over a channel that accepts everything and brings nothing by itself. */
function start(kind: Transport['kind'] = 'websocket') {
  const sent: OutgoingMessage[] = [];
  const facts: WireFact[] = [];
  const transport = {
    kind,
    send: (message: OutgoingMessage) => {
      sent.push(message);
      message.started?.('carrier');
      return Promise.resolve();
    },
  } as Partial<Transport> as Transport;
  const requests = createRequests(
    'c1',
    { record: (fact: WireFact) => facts.push(fact) as never },
    () => ({ transport, era: 'legacy' }),
    (_era, _method, paramsText) => ({ paramsText }),
  );
  const outcomes: string[] = [];
  const send = (method: string, paramsText?: string) =>
    void requests.send(method, paramsText, IDLE).then(
      () => outcomes.push(`${method} answered`),
      () => outcomes.push(`${method} failed`),
    );
  return { requests, sent, facts, outcomes, send };
}

const answer = (id: string) => ({ kind: 'result', id, result: {} }) as Response;

describe('ids', () => {
  test('go on from an earlier life, and never back', () => {
    const { requests, send, sent } = start();
    requests.continueFrom(5);
    requests.continueFrom(3);
    send('ping');
    expect([sent[0]?.rpcId, requests.nextId]).toEqual(['5', 6]);
  });

  test('of another JSON type count where one request can be meant', async () => {
    const { requests, send, outcomes } = start();
    send('ping');
    expect(requests.respond(answer('"0"'), undefined)).toBe(true);
    await vi.waitFor(() => expect(outcomes).toEqual(['ping answered']));
    expect(requests.respond(answer('0'), undefined)).toBe(false);
  });
});

describe('limits of time', () => {
  test('begin once, also where a redirect begins the request anew', () => {
    const { send, sent, facts } = start();
    send('tools/call');
    sent[0]?.started?.('second carrier');
    expect(facts.filter(({ kind }) => kind === 'deadline-started')).toHaveLength(1);
  });

  test('are those of the request whose progress it is', async () => {
    const { requests, send, outcomes } = start();
    send('tools/call', '{"_meta":{"progressToken":"a"}}');
    send('tools/list');
    await vi.advanceTimersByTimeAsync(900);
    requests.progress('"a"');
    await vi.advanceTimersByTimeAsync(900);
    expect(outcomes).toEqual(['tools/list failed']);
    await vi.advanceTimersByTimeAsync(100);
    expect(outcomes).toEqual(['tools/list failed', 'tools/call failed']);
  });
});
