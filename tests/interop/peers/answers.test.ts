import { describe, expect, test } from 'vitest';
import type { AnswerPolicies, ConnectRequest } from '../../../lib/port/contract.ts';
import { startPeer, type PeerName } from '../../server/peers.ts';
import { ASK, visit, type Visit } from './visit.ts';

type Place = [peer: PeerName, path: string, options: Partial<ConnectRequest>];

const PLACES: Place[] = [
  ['everything-streamable', '/mcp', {}],
  ['everything-sse', '/sse', { transport: 'http-sse' }],
  ['supergateway-stateful', '/mcp', {}],
  ['supergateway-sse', '/sse', { transport: 'http-sse' }],
];

const ROOTS = [{ uri: 'file:///home/ada/project', name: 'Project' }];
const SAMPLE = {
  role: 'assistant',
  content: { type: 'text', text: 'sampled by hand' },
  model: 'nobody',
};

/** Rows of the server's requests, with who answered them. */
function asked(guest: Visit, method: string) {
  const answers = guest.worker.events.filter((event) => event.kind === 'server-request-answered');
  return guest.worker.correlation.items.flatMap((item) =>
    item.kind === 'request' && item.direction === 'incoming' && item.method === method
      ? [{ outcome: item.outcome, by: answers.find(({ rpcId }) => rpcId === item.rpcId)?.by }]
      : [],
  );
}

describe.concurrent.each(PLACES)('%s at %s', (peer, path, options) => {
  test('what the server asks waits for the user, and his answers reach it', async () => {
    await using server = await startPeer(peer);
    await using guest = await visit(server.url(path), { ...options, answers: ASK });
    // Some ask for the roots as soon as they can.
    const roots = guest.answer('roots/list', { roots: ROOTS });
    const listed = await guest.begin('tools/call', { name: 'get-roots-list' });
    await roots;
    await guest.worker.until(() => listed.response !== undefined);
    expect(guest.texts(listed)).toContain('file:///home/ada/project');

    const sampling = await guest.begin('tools/call', {
      name: 'trigger-sampling-request',
      arguments: { prompt: 'a haiku' },
    });
    const request = await guest.answer('sampling/createMessage', SAMPLE);
    expect(request).toMatchObject({ maxTokens: 100, messages: [{ role: 'user' }] });
    await guest.worker.until(() => sampling.response !== undefined);
    expect(guest.texts(sampling)).toContain('sampled by hand');

    const elicitation = await guest.begin('tools/call', { name: 'trigger-elicitation-request' });
    await guest.answer('elicitation/create', {
      action: 'accept',
      content: { name: 'Ada', integer: 7 },
    });
    await guest.worker.until(() => elicitation.response !== undefined);
    expect(guest.texts(elicitation)).toContain('- Name: Ada');
    expect(guest.texts(elicitation)).toContain('- Favorite Integer: 7');

    // The reference server asks for the roots by itself too, at about the same time as its tool does.
    while (guest.worker.summary(guest.id).questions.length > 0) {
      await guest.answer('roots/list', { roots: ROOTS });
    }
    expect(asked(guest, 'elicitation/create')).toEqual([{ outcome: 'result', by: 'user' }]);
    expect(asked(guest, 'sampling/createMessage')).toEqual([{ outcome: 'result', by: 'user' }]);
    expect(asked(guest, 'roots/list')).not.toEqual([]);
    await guest.worker.until(() => asked(guest, 'roots/list').every(({ by }) => by === 'user'));
    expect(guest.worker.summary(guest.id).questions).toEqual([]);
    await guest.worker.manager.functions.disconnect(guest.id, true);
    expect(await guest.issues()).toEqual([]);
  });

  test('policies answer instead of the user', async () => {
    const answers: AnswerPolicies = { elicitation: 'decline', sampling: 'refuse', roots: ROOTS };
    await using server = await startPeer(peer);
    await using guest = await visit(server.url(path), { ...options, answers });
    const listed = await guest.call('tools/call', { name: 'get-roots-list' });
    expect(guest.texts(listed)).toContain('file:///home/ada/project');
    const sampling = await guest.call('tools/call', {
      name: 'trigger-sampling-request',
      arguments: { prompt: 'a haiku' },
    });
    expect(guest.result(sampling)).toMatchObject({ isError: true });
    expect(guest.texts(sampling)).toContain('rejected');
    const elicitation = await guest.call('tools/call', { name: 'trigger-elicitation-request' });
    expect(guest.texts(elicitation)).toContain('User declined');
    expect(asked(guest, 'elicitation/create')).toEqual([{ outcome: 'result', by: 'policy' }]);
    expect(asked(guest, 'sampling/createMessage')).toEqual([{ outcome: 'error', by: 'policy' }]);
    await guest.worker.manager.functions.disconnect(guest.id, true);
    expect(await guest.issues()).toEqual([]);
  });
});

test('what is not declared is not asked for', async () => {
  const answers: AnswerPolicies = {
    elicitation: 'undeclared',
    sampling: 'undeclared',
    roots: 'undeclared',
  };
  await using server = await startPeer('everything-streamable');
  await using guest = await visit(server.url('/mcp'), { answers });
  const { tools } = guest.result(await guest.call('tools/list')) as { tools: { name: string }[] };
  const names = tools.map(({ name }) => name);
  expect(names).toContain('echo');
  for (const name of [
    'get-roots-list',
    'trigger-sampling-request',
    'trigger-elicitation-request',
  ]) {
    expect(names).not.toContain(name);
  }
  await guest.worker.manager.functions.disconnect(guest.id, true);
  expect(await guest.issues()).toEqual([]);
});
