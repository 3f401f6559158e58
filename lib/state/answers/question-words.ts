import type { ServerQuestion } from '../../port/contract.ts';
import { toLine } from '../../text.ts';
import { isRecord } from '../../record.ts';

/** A line of what a server asks, with who says it. */
export interface SaidLine {
  by: string;
  text: string;
}

/** What a question says, as text: the message of an elicitation, or the conversation of a sampling request. */
export function toSaidLines({ method, params }: ServerQuestion): SaidLine[] {
  if (!isRecord(params)) return [];
  if (method === 'elicitation/create') return said('', params['message']);
  if (method !== 'sampling/createMessage') return [];
  const messages = Array.isArray(params['messages']) ? params['messages'] : [];
  return [
    ...said('system', params['systemPrompt']),
    ...messages.flatMap((message: unknown) =>
      isRecord(message) ? said(toLine(message['role']), contentText(message['content'])) : [],
    ),
  ];
}

/** Who asks, where it is the result of a call of ours; undefined for a request of the server. */
export function toAskerWords({ askedBy }: ServerQuestion): string | undefined {
  const { taskId } = askedBy ?? {};
  const of = taskId === undefined ? '' : 'the task of ';
  return askedBy && `${of}${callName(askedBy)} asks before it goes on`;
}

/**
 * What a refusal does where it cannot be sent: in revision 2026-07-28 only an elicitation has an answer that
 * says no (client/sampling, client/roots). `title` is that of the button.
 */
export function toRefusalWords(question: ServerQuestion, title: string): string | undefined {
  const { askedBy, method } = question;
  if (askedBy === undefined || method === 'elicitation/create') return undefined;
  return askedBy.taskId === undefined
    ? `There is no answer that says no: with “${title}”, ${callName(askedBy)} is not sent again.`
    : `There is no answer that says no: with “${title}”, nothing is sent, and the task waits on.`;
}

function callName({ method, target }: NonNullable<ServerQuestion['askedBy']>): string {
  return [method, target].filter((part) => part !== undefined).join(' ');
}

/** Limits and wishes of a sampling request, in words. */
export function toSamplingWishes({ params }: ServerQuestion): string[] {
  if (!isRecord(params)) return [];
  const { maxTokens, temperature, stopSequences } = params;
  return [
    typeof maxTokens === 'number' ? `at most ${maxTokens} tokens` : '',
    typeof temperature === 'number' ? `temperature ${temperature}` : '',
    Array.isArray(stopSequences) ? `stops at ${toLine(stopSequences)}` : '',
  ].filter((words) => words !== '');
}

/** The parts of a URL around its host, as a browser would go there; undefined where it would not. */
export function toUrlParts(url: string) {
  const parsed = URL.parse(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return undefined;
  const { href, host, username, password } = parsed;
  const login = username === '' && password === '' ? '' : href.slice(0, href.indexOf('@') + 1);
  const before = login === '' ? `${parsed.protocol}//` : login;
  return { before, host, after: href.slice(before.length + host.length) };
}

function said(by: string, text: unknown): SaidLine[] {
  return typeof text === 'string' && text !== '' ? [{ by, text }] : [];
}

/** Revision 2025-11-25 allows several blocks in one message. */
function contentText(content: unknown): string {
  const blocks: unknown[] = Array.isArray(content) ? content : [content];
  return blocks.map(blockText).join('\n');
}

function blockText(block: unknown): string {
  if (!isRecord(block)) return '';
  if (typeof block['text'] === 'string') return block['text'];
  const { type, mimeType } = block;
  if (typeof type === 'string' && typeof mimeType === 'string') return `[${type}, ${mimeType}]`;
  return toLine(block);
}
