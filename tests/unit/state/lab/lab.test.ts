import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCorrelation } from '../../../../lib/capture/correlate/correlate.ts';
import type { InjectedFault } from '../../../../lib/capture/correlate/fault.ts';
import { wordFault } from '../../../../lib/protocol/fault-words.ts';
import { createCounting } from '../../../../lib/state/lab/lab-counting.ts';
import { toFault, toFaultChoices } from '../../../../lib/state/lab/lab-form.ts';
import { createResumptions } from '../../../../lib/state/lab/lab-resumptions.ts';
import { toDropTargets, whyNotResumed } from '../../../../lib/state/lab/lab-targets.ts';
import { startLint } from '../../../support/rules.ts';
import { toVerdict } from '../../../../lib/state/lab/lab-words.ts';
import { toRow } from '../../../../lib/state/view/rows.ts';
import { LogBuilder } from '../../../support/builders.ts';
import { summary } from '../fakes.ts';

const log = (data: string) => ({
  jsonrpc: '2.0',
  method: 'notifications/message',
  params: { level: 'info', data },
});

/** A GET that goes on with another one. */
function resume(builder: LogBuilder, causedBy: string, lastEventId?: string): string {
  const links = { causedBy, attempt: 1, reason: 'reopen', ...(lastEventId ? { lastEventId } : {}) };
  const httpId = builder.request(undefined, { purpose: 'stream', method: 'GET', links });
  builder.head(httpId, 200, 'text/event-stream');
  return httpId;
}

function drop(builder: LogBuilder, carrierId: string): void {
  builder.add({ kind: 'fault-injected', carrierId, fault: { kind: 'drop', resume: 'last' } });
  builder.end(carrierId, { outcome: 'cut', errorName: 'dropped by us' });
}

function verdicts(builder: LogBuilder, cuts: number[] = []): unknown[] {
  const correlation = createCorrelation();
  const resumptions = createResumptions('c1', correlation);
  let from = 0;
  for (const to of [...cuts.toSorted((a, b) => a - b), builder.events.length]) {
    correlation.apply(builder.events.slice(from, to));
    resumptions.refresh();
    from = to;
  }
  return resumptions.all.map((resumption) => toVerdict(resumption));
}

/** A stream with all kinds of faults in it, beside one that answers a call. */
function tangle(): LogBuilder {
  const builder = new LogBuilder();
  builder.opened();
  const get = builder.stream();
  for (const id of ['e1', 'e2', 'e3']) builder.message(get, log(id), id);
  drop(builder, get);
  const call = builder.call('7', 'tools/call', { name: 'x' });
  builder.head(call, 200, 'text/event-stream');
  builder.message(call, log('own'), 'p1');
  const again = resume(builder, get, 'e3');
  builder.message(again, log('own'), 'p1');
  builder.message(again, log('e3'), 'e3');
  builder.message(again, log('e6'), 'e6');
  builder.message(call, { jsonrpc: '2.0', id: 7, result: {} }, 'p2');
  builder.end(call);
  builder.message(again, log('e5'), 'e5');
  builder.end(again);
  return builder;
}

test('The verdict does not depend on how the log is cut into batches', () => {
  const builder = tangle();
  const whole = verdicts(builder);
  expect(whole).toEqual([
    {
      level: 'bad',
      verdict: 'Replayed from another stream, gap, duplicate, reordered',
      evidence: [
        'Of another stream: event p1',
        'Missing: event e4',
        'Came again unasked: event e3',
        'Out of order: event e5',
      ],
    },
  ]);
  fc.assert(
    fc.property(fc.array(fc.nat(builder.events.length)), (cuts) => {
      expect(verdicts(builder, cuts)).toEqual(whole);
    }),
  );
});

test('A stream without ids is not called clean', () => {
  const builder = new LogBuilder();
  builder.opened();
  const get = builder.stream();
  builder.message(get, log('a'));
  drop(builder, get);
  builder.message(resume(builder, get), log('b'));
  expect(verdicts(builder)).toEqual([
    { level: 'open', verdict: 'Without ids, what is missing cannot be known', evidence: [] },
  ]);
});

test('What is dropped and not taken up yet has no verdict', () => {
  const builder = new LogBuilder();
  builder.opened();
  const get = builder.stream();
  drop(builder, get);
  expect(verdicts(builder)).toEqual([{ level: 'open', verdict: 'Not taken up yet', evidence: [] }]);
});

describe('Ids that are counted', () => {
  const steps = (before: string[], id: string) => createCounting(before).next(id);

  test('tell what is missing once three in a row have shown it', () => {
    expect(steps(['e1', 'e2', 'e3'], 'e6')).toEqual({ missing: ['e4', 'e5'], isBackwards: false });
    expect(steps(['e08', 'e09', 'e10'], 'e12').missing).toEqual(['e11']);
    expect(steps(['e1', 'e2'], 'e6').missing).toEqual([]);
  });

  test('tell what comes too late', () => {
    expect(steps(['e1', 'e2', 'e3'], 'e2')).toEqual({ missing: [], isBackwards: true });
  });

  test.each([
    [['a', 'b', 'c'], 'f'],
    [['e1', 'x2', 'e3'], 'e7'],
    [['e1', 'e5', 'e9', 'e10', 'e11'], 'e15'],
    [['e1', 'e2', 'e3'], 'e90000'],
    [['e1', 'e2', 'e3'], 'f7'],
  ])('%j prove nothing about %s', (before, id) => {
    expect(steps(before, id)).toEqual({ missing: [], isBackwards: false });
  });
});

describe('What the lab offers', () => {
  test('streams that are open, and sockets', () => {
    const builder = tangle();
    const open = builder.stream();
    builder.message(open, log('x'), 'x1');
    builder.add({
      kind: 'socket-opening',
      socketId: 's1',
      url: { text: 'ws://h.example/' },
      subprotocols: [],
    });
    const correlation = createCorrelation();
    correlation.apply(builder.events);
    const resumptions = createResumptions('c1', correlation);
    resumptions.refresh();
    expect(toDropTargets('c1', resumptions.streams, correlation)).toEqual([
      { carrierId: open, name: 'GET stream', lastEventId: 'x1', newestIds: ['x1'] },
      { carrierId: 's1', name: 'WebSocket', lastEventId: '', newestIds: [] },
    ]);
  });

  test.each([
    [{ transport: 'streamable-http', era: 'legacy' }, 'possible'],
    [{ transport: 'streamable-http', era: 'modern' }, 'cancelled'],
    [{ transport: 'http-sse', era: 'legacy' }, 'HTTP+SSE'],
    [{ transport: 'websocket', era: 'legacy' }, 'WebSocket'],
  ] as const)('resumption where there is one: %j', (link, reason) => {
    expect(whyNotResumed(summary(link)) ?? 'possible').toContain(reason);
  });

  test('404 only where there is a session', () => {
    const names = (session?: string) =>
      toFaultChoices(summary(session === undefined ? {} : { session })).map(({ name }) => name);
    expect(names()).toEqual(['delay', 'split', 'cut', '401']);
    expect(names('3f9a')).toContain('404');
  });

  test.each([
    ['delay', '0', { kind: 'delay', delayMs: 0 }],
    ['split', '1', { kind: 'split', pieceBytes: 1 }],
    ['split', '0', undefined],
    ['cut', ' 12 ', { kind: 'cut', afterBytes: 12 }],
    ['cut', '-1', undefined],
    ['cut', '1e3', undefined],
    ['delay', '', undefined],
    ['401', '', { kind: 'refuse', status: 401 }],
    ['404', '', { kind: 'refuse', status: 404 }],
  ])('%s with %j', (name, typed, expected) => {
    const choice = toFaultChoices(summary({ session: 'a' })).find((each) => each.name === name)!;
    expect(toFault(choice, typed)).toEqual(expected);
  });

  test.each<[InjectedFault, string]>([
    [{ kind: 'delay', delayMs: 5 }, 'answer held back for 5 ms'],
    [{ kind: 'split', pieceBytes: 1 }, 'body in pieces of 1 byte'],
    [{ kind: 'cut', afterBytes: 2 }, 'cut after 2 bytes of the body'],
    [
      { kind: 'drop', resume: 'wrong', afterEvent: true },
      'dropped after an event, to be resumed with a wrong id',
    ],
    [{ kind: 'drop', resume: 'none' }, 'dropped, not to be resumed'],
    [{ kind: 'resume', from: 'chosen' }, 'resumes with a chosen id'],
  ])('%j in words', (fault, expected) => {
    expect(wordFault(fault)).toBe(expected);
  });
});

describe('What a fault leaves in the table', () => {
  test('marks on the rows that it was put into, and no others', () => {
    const builder = tangle();
    const correlation = createCorrelation();
    correlation.apply(builder.events);
    const marked = correlation.items
      .map((item) => toRow(item, correlation))
      .filter(({ isInjected }) => isInjected);
    expect(marked.map(({ name, kind }) => [name, kind])).toEqual([
      ['GET stream', 'stream'],
      ['Fault injected', 'fault'],
    ]);
  });

  test('an answer that is called ours', () => {
    const builder = new LogBuilder();
    builder.opened();
    const call = builder.call('1');
    const fault: InjectedFault = { kind: 'refuse', status: 401 };
    builder.add({ kind: 'fault-injected', carrierId: call, fault });
    builder.head(call, 401, null);
    builder.events.at(-1)!.origin = { kind: 'injected' };
    builder.end(call);
    const correlation = createCorrelation();
    correlation.apply(builder.events);
    const item = correlation.items.find(({ kind }) => kind === 'request');
    expect(item).toMatchObject({
      outcome: 'failed',
      problem: {
        code: 'http-unauthorized',
        message: expect.stringContaining('Wirescope answered 401 in place of the server') as string,
      },
    });
  });

  test('no issue for what was provoked, and each for what was not, however the log is cut', () => {
    const builder = new LogBuilder();
    builder.opened();
    const call = builder.call('1', 'tools/call', { name: 'x' });
    builder.head(call, 200, 'text/event-stream');
    builder.message(call, '{"broken', 'p1');
    builder.sse(call, 'data: {"half');
    drop(builder, call);
    const rules = (cut: number) => {
      const correlation = createCorrelation();
      const lint = startLint(correlation);
      lint.apply(correlation.apply(builder.events.slice(0, cut)));
      lint.apply(correlation.apply(builder.events.slice(cut)));
      return lint.all.filter(({ side }) => side === 'server').map(({ ruleId }) => ruleId);
    };
    const whole = rules(0);
    expect(whole).not.toEqual([]);
    expect(whole.filter((rule) => rule.startsWith('HTT'))).toEqual([]);
    for (let cut = 1; cut <= builder.events.length; cut += 1) expect(rules(cut)).toEqual(whole);
  });
});
