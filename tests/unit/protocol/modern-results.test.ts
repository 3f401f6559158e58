import { describe, expect, test } from 'vitest';
import { cacheHintOf } from '../../../lib/protocol/caching.ts';
import { isTaskOver, resultTypeOf, taskOf } from '../../../lib/protocol/result-type.ts';

describe('caching hints', () => {
  test.each([
    [
      { ttlMs: 60_000, cacheScope: 'public' },
      { ttlMs: 60_000, scope: 'public' },
    ],
    [
      { ttlMs: 0, cacheScope: 'private' },
      { ttlMs: 0, scope: 'private' },
    ],
    [{ cacheScope: 'tenant' }, { ttlMs: 0, fault: 'absent' }],
    [{ ttlMs: -5 }, { ttlMs: 0, fault: 'negative' }],
    [{ ttlMs: null }, { ttlMs: 0, fault: 'no number' }],
  ])('of %j are %j', (result, hint) => {
    expect(cacheHintOf('server/discover', { resultType: 'complete', ...result })).toEqual(hint);
    expect(cacheHintOf('tools/list', result)).toEqual(hint);
  });

  test('belong to complete results of methods that list, read and discover', () => {
    const result = { ttlMs: 1, cacheScope: 'public' };
    for (const method of ['tools/call', 'prompts/get', 'completion/complete']) {
      expect(cacheHintOf(method, result)).toBeUndefined();
    }
    const interim = { ...result, resultType: 'input_required' };
    expect(cacheHintOf('resources/read', interim)).toBeUndefined();
    expect(cacheHintOf('resources/read', null)).toBeUndefined();
  });
});

describe('the type of a result', () => {
  test.each([undefined, null, 7, [], {}, { resultType: 'complete' }, { resultType: null }])(
    'of %j is nothing special',
    (result) => {
      expect(resultTypeOf(result)).toBeUndefined();
    },
  );

  test('is told where it is another one, known or not', () => {
    expect(resultTypeOf({ resultType: 'task' })).toBe('task');
    expect(resultTypeOf({ resultType: '' })).toBe('');
  });
});

describe('a task', () => {
  test('is read from a result that names it and its status', () => {
    const task = { taskId: 't', status: 'working', statusMessage: 'Busy', pollIntervalMs: 5 };
    expect(taskOf({ ...task, createdAt: 'x', ttlMs: null })).toEqual(task);
    expect(taskOf({ taskId: 't', status: 'failed', pollIntervalMs: '5' })).toEqual({
      taskId: 't',
      status: 'failed',
    });
    for (const other of [null, [], {}, { taskId: 't' }, { taskId: 7, status: 'working' }]) {
      expect(taskOf(other)).toBeUndefined();
    }
  });

  test.each([
    ['working', false],
    ['input_required', false],
    ['completed', true],
    ['failed', true],
    ['cancelled', true],
  ])('that is %s is over: %s', (status, isOver) => {
    expect(isTaskOver({ taskId: 't', status })).toBe(isOver);
  });
});
