import { batch, computed, signal } from '@preact/signals-core';
import type { ReadonlySignal, Signal } from '@preact/signals-core';
import type { Item, RequestItem } from '../../capture/correlate/items.ts';
import type { Problem } from '../../errors.ts';
import type {
  BackgroundFunctions,
  ConnectionSummary,
  ServerAnswer,
  ServerQuestion,
} from '../../port/contract.ts';
import { toServerTitle } from '../connect/server-title.ts';
import { readProblem } from '../captures/read-problem.ts';

/** A request of a server that waits for the user. */
export interface OpenQuestion {
  key: string;
  connectionId: string;
  server: string;
  question: ServerQuestion;
  /** The answer is on its way. */
  isSending: Signal<boolean>;
  /** The user has tried to send a draft that has a fault. */
  hasTried: Signal<boolean>;
}

/** What servers ask, over all connections, and the answers to it. */
export interface Questions {
  /** Oldest first within a connection. */
  open: ReadonlySignal<readonly OpenQuestion[]>;
  isExpanded: Signal<boolean>;
  /** Says that something is asked, for a live region; empty while nothing is. */
  announcement: ReadonlySignal<string>;
  /** Why the last answer did not get through. */
  problem: ReadonlySignal<Problem | undefined>;
  /** The question that is to take the focus. */
  wanted: Signal<string | undefined>;
  /** The question that a row of the table stands for: a request of theirs, or one of ours that waits for input. */
  find(item: Item | undefined): OpenQuestion | undefined;
  show(question: OpenQuestion): void;
  /** Sends what is drafted; undefined is a draft that has a fault, which is shown then. */
  accept(question: OpenQuestion, drafted: ServerAnswer | undefined): void;
  answer(question: OpenQuestion, answer: ServerAnswer): void;
  clearProblem(): void;
}

/** Creates the questions over the connections. */
export function createQuestions(
  background: Pick<BackgroundFunctions, 'answer'>,
  connections: ReadonlySignal<readonly ConnectionSummary[]>,
): Questions {
  const isExpanded = signal(true);
  const problem = signal<Problem | undefined>(undefined);
  const wanted = signal<string | undefined>(undefined);
  let known: readonly OpenQuestion[] = [];

  // Connections change with every message: the list is a new one only if the questions are others.
  const open = computed(() => {
    const before = new Map(known.map((question) => [question.key, question]));
    const next = connections.value.flatMap((connection) =>
      connection.questions.map(
        (question) =>
          before.get(toKey(connection, question)) ?? createOpenQuestion(connection, question),
      ),
    );
    const isSame = next.length === known.length && next.every((entry, at) => entry === known[at]);
    if (!isSame) known = next;
    return known;
  });

  function answer(question: OpenQuestion, given: ServerAnswer): void {
    problem.value = undefined;
    question.isSending.value = true;
    background
      .answer(question.connectionId, question.question.rpcId, given)
      .catch((error: unknown) => {
        batch(() => {
          question.isSending.value = false;
          problem.value = readProblem(error);
        });
      });
  }

  return {
    open,
    isExpanded,
    problem,
    wanted,
    announcement: computed(() => {
      const newest = open.value.at(-1);
      if (newest === undefined) return '';
      const count = open.value.length;
      const rest = count === 1 ? '' : ` ${count} questions are open.`;
      return `${newest.server} asks: ${newest.question.method}.${rest}`;
    }),
    find(item) {
      if (item?.kind !== 'request') return undefined;
      const own = open.value.filter(({ connectionId }) => connectionId === item.connectionId);
      if (item.direction === 'outgoing') return askedByResult(item, own);
      if (item.outcome !== 'pending') return undefined;
      return own.find(({ question }) => question.rpcId === item.rpcId);
    },
    show(question) {
      isExpanded.value = true;
      wanted.value = question.key;
    },
    accept(question, drafted) {
      question.hasTried.value = drafted === undefined;
      if (drafted !== undefined) answer(question, drafted);
    },
    answer,
    clearProblem() {
      problem.value = undefined;
    },
  };
}

/** What the result of a request asks. Calls of one tool may wait side by side: time tells them apart. */
function askedByResult(
  { resultType, method, target, ended, createdTask }: RequestItem,
  open: readonly OpenQuestion[],
): OpenQuestion | undefined {
  if (createdTask !== undefined)
    return open.find(({ question }) => question.askedBy?.taskId === createdTask);
  if (resultType !== 'input_required' || ended === undefined) return undefined;
  const distance = ({ question }: OpenQuestion) => Math.abs(question.since - ended.wallTime);
  return open
    .filter(
      ({ question: { askedBy } }) =>
        askedBy?.method === method && askedBy.target === target && askedBy.taskId === undefined,
    )
    .toSorted((a, b) => distance(a) - distance(b))[0];
}

function createOpenQuestion(connection: ConnectionSummary, question: ServerQuestion): OpenQuestion {
  return {
    key: toKey(connection, question),
    connectionId: connection.connectionId,
    server: toServerTitle(connection),
    question,
    isSending: signal(false),
    hasTried: signal(false),
  };
}

/** A server may use an id again once it has its answer. */
function toKey({ connectionId }: ConnectionSummary, { rpcId, since }: ServerQuestion): string {
  return `${connectionId} ${rpcId} ${since}`;
}
