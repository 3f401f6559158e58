import type { CaptureLog } from '../../capture/store/capture-log.ts';
import type { RequestItem } from '../../capture/correlate/items.ts';
import type { Definition } from '../../compare/definition-diff.ts';
import { isList, isObject, readJson } from '../../compare/json-value.ts';
import { readMessage } from './capture-text.ts';

/** Where the results of the methods hold what is offered, and what tells one from the other. */
const LISTS: Record<string, { what: string; member: string; name: string }> = {
  'tools/list': { what: 'tool', member: 'tools', name: 'name' },
  'prompts/list': { what: 'prompt', member: 'prompts', name: 'name' },
  'resources/list': { what: 'resource', member: 'resources', name: 'uri' },
  'resources/templates/list': {
    what: 'template',
    member: 'resourceTemplates',
    name: 'uriTemplate',
  },
};

/** What the servers of a capture offered last: of each list the newest one, with all of its pages. */
export async function readDefinitions(log: CaptureLog): Promise<Definition[]> {
  const lists = new Map<string, Definition[]>();
  for (const item of log.correlation.items) {
    if (item.kind !== 'request' || item.outcome !== 'result') continue;
    const list = LISTS[item.method];
    if (list === undefined || item.response === undefined) continue;
    const key = `${item.connectionId ?? ''} ${item.method}`;
    const known = (await isFirstPage(log, item)) ? [] : (lists.get(key) ?? []);
    lists.set(key, [...known, ...(await readPage(log, item, list))]);
  }
  return [...lists.values()].flat();
}

async function isFirstPage(log: CaptureLog, item: RequestItem): Promise<boolean> {
  const request = readJson((await readMessage(log, item.message)) ?? '');
  const params = isObject(request) ? request['params'] : undefined;
  return !isObject(params) || params['cursor'] === undefined;
}

async function readPage(
  log: CaptureLog,
  { response }: RequestItem,
  { what, member, name: nameMember }: { what: string; member: string; name: string },
): Promise<Definition[]> {
  const text = response && (await readMessage(log, response));
  const message = readJson(text ?? '');
  const result = isObject(message) ? message['result'] : undefined;
  const items = isObject(result) ? result[member] : undefined;
  if (!isList(items)) return [];
  return items.flatMap((value) => {
    const name = isObject(value) ? value[nameMember] : undefined;
    return isObject(value) && typeof name === 'string' ? [{ what, name, value }] : [];
  });
}
