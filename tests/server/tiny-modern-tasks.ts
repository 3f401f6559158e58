import { isRecord, sendJson } from './exchange.ts';
import type { Exchange } from './exchange.ts';
import { metaOf, refuse } from './tiny-modern-check.ts';
import { modernResult } from './tiny-modern-result.ts';

const EXTENSION = 'io.modelcontextprotocol/tasks';
/** How often the server wants to be asked about a task, in milliseconds. */
export const TASK_PACE_MS = 400;

type Status = 'working' | 'input_required' | 'completed' | 'cancelled';

interface Task {
  taskId: string;
  topic: string;
  /** What is asked before it goes on; nothing once it was answered. */
  question?: string;
  status: Status;
  /** How often it was asked about since it began to work. */
  polls: number;
  /** How often it has to be asked about before it goes on. */
  needed: number;
  createdAt: string;
  answer?: unknown;
}

/** Tasks by their ids, by the server that they belong to. */
const TASKS = new WeakMap<object, Map<string, Task>>();

function tasksOf({ sessions }: Exchange): Map<string, Task> {
  const known = TASKS.get(sessions) ?? new Map<string, Task>();
  TASKS.set(sessions, known);
  return known;
}

/** The task as every result about it describes it, flat (tasks extension of 2026-07-28). */
function describe(task: Task): Record<string, unknown> {
  const { taskId, status, createdAt, question, answer, topic } = task;
  const text = `Report on ${topic}, for ${JSON.stringify(answer ?? 'nobody')}`;
  const requestedSchema = {
    type: 'object',
    properties: { reader: { type: 'string', title: 'Reader' } },
    required: ['reader'],
  };
  const asked = { mode: 'form', message: question, requestedSchema };
  return {
    taskId,
    status,
    statusMessage: `${status} on ${topic}`,
    createdAt,
    lastUpdatedAt: new Date().toISOString(),
    ttlMs: 60_000,
    pollIntervalMs: TASK_PACE_MS,
    ...(status === 'input_required'
      ? { inputRequests: { reader: { method: 'elicitation/create', params: asked } } }
      : {}),
    ...(status === 'completed' ? { result: { content: [{ type: 'text', text }] } } : {}),
  };
}

/** Whether the request at hand may speak of tasks; it is refused where it may not. */
function mayHaveTasks(exchange: Exchange): boolean {
  const declared = metaOf(exchange, 'clientCapabilities');
  const extensions = isRecord(declared) ? declared['extensions'] : undefined;
  if (isRecord(extensions) && isRecord(extensions[EXTENSION])) return true;
  const data = { requiredCapabilities: { extensions: { [EXTENSION]: {} } } };
  refuse(exchange, { status: 400, code: -32021, message: 'The tasks extension is needed', data });
  return false;
}

/**
 * Answers a call of the tool `research`: with a task, which asks who the reader is before it goes on where
 * `asks` is true, and works until it is cancelled where `polls` is large.
 */
export function startTask(exchange: Exchange, given: Record<string, unknown>): void {
  if (!mayHaveTasks(exchange)) return;
  const tasks = tasksOf(exchange);
  const topic = typeof given['topic'] === 'string' ? given['topic'] : 'nothing';
  const task: Task = {
    taskId: `task-${tasks.size + 1}`,
    topic,
    status: 'working',
    polls: 0,
    needed: Number(given['polls'] ?? 2),
    createdAt: new Date().toISOString(),
    ...(given['asks'] === true ? { question: `Who reads about ${topic}?` } : {}),
  };
  tasks.set(task.taskId, task);
  sendJson(exchange, modernResult(exchange, { ...describe(task), resultType: 'task' }));
}

function advance(task: Task): void {
  task.polls += 1;
  if (task.status !== 'working' || task.polls < task.needed) return;
  task.status = task.question === undefined ? 'completed' : 'input_required';
}

function update(task: Task, responses: unknown): void {
  const response = isRecord(responses) ? responses['reader'] : undefined;
  if (task.status !== 'input_required' || !isRecord(response)) return;
  const content = isRecord(response['content']) ? response['content'] : {};
  task.answer = content['reader'] ?? response['action'];
  task.status = 'working';
  task.polls = 0;
  delete task.question;
}

/** Answers `tasks/get`, `tasks/update` and `tasks/cancel`; the last two are acknowledged and no more. */
export function answerTask(exchange: Exchange): void {
  if (!mayHaveTasks(exchange)) return;
  const { method, params } = exchange.message;
  const task = tasksOf(exchange).get(String(params?.['taskId']));
  if (task === undefined) {
    refuse(exchange, { status: 200, code: -32602, message: 'No such task' });
    return;
  }
  if (method === 'tasks/get') {
    advance(task);
    return sendJson(exchange, modernResult(exchange, describe(task)));
  }
  if (method === 'tasks/update') update(task, params?.['inputResponses']);
  else if (task.status !== 'completed') task.status = 'cancelled';
  sendJson(exchange, modernResult(exchange, {}));
}
