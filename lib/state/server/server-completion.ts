import { effect, signal } from '@preact/signals-core';
import type { CallDesk, CallRun } from './server-call.ts';
import type { Completer } from './schema-form.ts';

export interface CompletionTarget {
  desk: CallDesk;
  /** Undefined while nothing can be sent. */
  connectionId(): string | undefined;
  /** What is completed (server/utilities/completion, "Reference Types"). */
  ref: { type: 'ref/prompt'; name: string } | { type: 'ref/resource'; uri: string };
  /** The other texts of the form. */
  others(name: string): Record<string, string>;
}

/** A request for every key would be a burden on both sides, in milliseconds. */
const PAUSE_MS = 250;
/** A server may send a hundred (CompleteResult). */
const MANY = 100;

/** Asks a server for completions a moment after the last key, and drops what is not wanted any more. */
export function createCompleter(target: CompletionTarget): Completer {
  const options = signal<Completer['options']['value']>(undefined);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let run: CallRun | undefined;
  let unfollow: (() => void) | undefined;

  function drop(): void {
    clearTimeout(timer);
    unfollow?.();
    unfollow = undefined;
    if (run !== undefined && !run.isOver.peek()) run.cancel();
    run = undefined;
  }

  function ask(name: string, value: string): void {
    const connectionId = target.connectionId();
    if (connectionId === undefined) return;
    const others = target.others(name);
    const params = {
      ref: target.ref,
      argument: { name, value },
      ...(Object.keys(others).length === 0 ? {} : { context: { arguments: others } }),
    };
    const asked = target.desk.send(connectionId, 'completion/complete', JSON.stringify(params), 0);
    run = asked;
    unfollow = effect(() => {
      const problem = asked.problem.value;
      const result = asked.result.value;
      if (problem !== undefined) options.value = { name, values: [], note: problem.message };
      else if (result !== undefined) options.value = { name, ...readCompletion(result) };
    });
  }

  return {
    options,
    type(name, text) {
      drop();
      if (options.value?.name !== name) options.value = undefined;
      timer = setTimeout(() => ask(name, text), PAUSE_MS);
    },
    leave() {
      drop();
      options.value = undefined;
    },
  };
}

function readCompletion(result: NonNullable<CallRun['result']['value']>) {
  if (result.kind === 'error') {
    return { values: [], note: `No completions: ${result.message} (${result.code})` };
  }
  const nothing = { values: [], note: 'The answer holds no completions.' };
  if (result.kind === 'unreadable') return nothing;
  const completion = (JSON.parse(result.source) as { completion?: unknown } | null)?.completion;
  if (typeof completion !== 'object' || completion === null) return nothing;
  const { values, total, hasMore } = completion as Record<string, unknown>;
  const given = Array.isArray(values) ? values.filter((each) => typeof each === 'string') : [];
  const shown = given.slice(0, MANY);
  const isMore = hasMore === true || (typeof total === 'number' && total > shown.length);
  const count = typeof total === 'number' ? ` of ${total.toLocaleString('en')}` : '';
  return { values: [...new Set(shown)], note: isMore ? `${shown.length}${count}, type on` : '' };
}
