import { locate } from '../../json/locate.ts';
import { member, parseJson, sourceText, type JsonNode } from '../../json/parse.ts';
import { taskOf } from '../../protocol/result-type.ts';

/** A piece of content as a server sends it (server/tools, "Tool Result"). */
export type ContentBlock = { about: string } & (
  | { kind: 'text'; text: string }
  | { kind: 'media'; mimeType: string; base64: string }
  | { kind: 'link'; uri: string; name: string; description: string; mimeType: string }
  /** Not of a kind that the protocol knows, or without what its kind needs; as JSON. */
  | { kind: 'unknown'; source: string }
);

/** What came of a call. */
export type CallResult =
  | { kind: 'error'; code: string; message: string; data?: string }
  | {
      kind: 'result';
      /** A tool that says that it has failed. */
      isError: boolean;
      description?: string;
      blocks: ContentBlock[];
      /** `structuredContent`, as JSON text. */
      structured?: string;
      /** The task that goes on instead of an answer, in words. */
      task?: string;
      /** The result as JSON text. */
      source: string;
    }
  | { kind: 'unreadable'; reason: string };

/** Reads the response to a call, a reading of a resource, or a request for a prompt. Never throws. */
export function readResult(text: string): CallResult {
  const parsed = parseJson(text);
  if (!parsed.ok) {
    const { line, column } = locate(text, parsed.offset);
    return { kind: 'unreadable', reason: `Not JSON at ${line}:${column}: ${parsed.message}` };
  }
  const error = member(parsed.root, 'error');
  if (error !== undefined) {
    const data = member(error, 'data');
    return {
      kind: 'error',
      code: sourceOf(text, member(error, 'code')) ?? 'no code',
      message: textOf(text, member(error, 'message')) ?? 'no message',
      ...(data === undefined ? {} : { data: sourceText(text, data) }),
    };
  }
  const result = member(parsed.root, 'result');
  if (result === undefined)
    return { kind: 'unreadable', reason: 'It has neither a result nor an error.' };
  const structured = member(result, 'structuredContent');
  const description = textOf(text, member(result, 'description'));
  const task = taskWords(sourceText(text, result));
  return {
    kind: 'result',
    isError: member(result, 'isError')?.kind === 'true',
    ...(description === undefined ? {} : { description }),
    blocks: blocksOf(text, result),
    ...(structured === undefined ? {} : { structured: sourceText(text, structured) }),
    ...(task === undefined ? {} : { task }),
    source: sourceText(text, result),
  };
}

function blocksOf(text: string, result: JsonNode): ContentBlock[] {
  const content = itemsOf(member(result, 'content')).map((node) => toBlock(text, node, ''));
  const read = itemsOf(member(result, 'contents')).map((node) => toResource(text, node, ''));
  const said = itemsOf(member(result, 'messages')).flatMap((node) => {
    const role = textOf(text, member(node, 'role')) ?? 'no role';
    const content = member(node, 'content');
    const nodes =
      content?.kind === 'array' ? content.items : content === undefined ? [] : [content];
    return nodes.map((each) => toBlock(text, each, role));
  });
  return [...content, ...read, ...said];
}

function toBlock(text: string, node: JsonNode, role: string): ContentBlock {
  const get = (key: string) => textOf(text, member(node, key));
  const about = [role, annotationWords(text, node)].filter((part) => part !== '').join(' · ');
  const unknown = { kind: 'unknown', source: sourceText(text, node), about } as const;
  switch (get('type')) {
    case 'text': {
      const said = get('text');
      return said === undefined ? unknown : { kind: 'text', text: said, about };
    }
    case 'image':
    case 'audio': {
      const base64 = get('data');
      if (base64 === undefined) return unknown;
      return { kind: 'media', mimeType: get('mimeType') ?? '', base64, about };
    }
    case 'resource_link': {
      const uri = get('uri');
      if (uri === undefined) return unknown;
      const [name, description] = [get('title') ?? get('name') ?? uri, get('description') ?? ''];
      return { kind: 'link', uri, name, description, mimeType: get('mimeType') ?? '', about };
    }
    case 'resource': {
      const resource = member(node, 'resource');
      return resource === undefined ? unknown : toResource(text, resource, about);
    }
    default:
      return unknown;
  }
}

function toResource(text: string, node: JsonNode, before: string): ContentBlock {
  const get = (key: string) => textOf(text, member(node, key));
  const about = [before, get('uri') ?? 'no URI', get('mimeType') ?? '']
    .filter((part) => part !== '')
    .join(' · ');
  const [said, blob] = [get('text'), get('blob')];
  if (said !== undefined) return { kind: 'text', text: said, about };
  if (blob !== undefined) {
    return { kind: 'media', mimeType: get('mimeType') ?? '', base64: blob, about };
  }
  return { kind: 'unknown', source: sourceText(text, node), about };
}

/** For whom a block is, and how important (server/resources, "Annotations"). */
function annotationWords(text: string, node: JsonNode): string {
  const annotations = member(node, 'annotations');
  if (annotations?.kind !== 'object') return '';
  return annotations.members
    .map(({ key, value }) => `${key} ${textOf(text, value) ?? sourceText(text, value)}`)
    .join(', ');
}

function taskWords(source: string): string | undefined {
  try {
    const result = JSON.parse(source) as { task?: unknown } | null;
    const task = taskOf(result?.task) ?? taskOf(result);
    return task && `${task.taskId}, ${task.status}`;
  } catch {
    return undefined;
  }
}

function itemsOf(node: JsonNode | undefined): JsonNode[] {
  return node?.kind === 'array' ? node.items : [];
}

function sourceOf(text: string, node: JsonNode | undefined): string | undefined {
  return node === undefined ? undefined : sourceText(text, node);
}

function textOf(text: string, node: JsonNode | undefined): string | undefined {
  if (node?.kind !== 'string') return undefined;
  return String(JSON.parse(sourceText(text, node)));
}
