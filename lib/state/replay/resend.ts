import type { Item, RequestItem } from '../../capture/correlate/items.ts';
import { recordedText } from '../../capture/correlate/socket-record.ts';
import { member, parseJson, sourceText } from '../../json/parse.ts';
import type { JsonNode } from '../../json/parse.ts';
import type { ConnectionSummary } from '../../port/contract.ts';
import { insertMember } from '../../protocol/envelope.ts';
import { planToTheLetter } from './replay-plan.ts';
import type { ReplayPlan, ReplaySource } from './replay-plan.ts';

const CAPABILITIES = ['_meta', 'io.modelcontextprotocol/clientCapabilities'];

/**
 * Source text of the capabilities that a server misses in a request (2026-07-28, error -32021); undefined for
 * every other answer.
 */
export function missingCapabilities(item: Item, source: ReplaySource): string | undefined {
  // Of other answers, which may be huge, not a byte has to be read.
  if (item.kind !== 'request' || item.outcome === 'result') return undefined;
  if (item.response === undefined) return undefined;
  const text = recordedText(source, item.response) ?? '';
  const parsed = parseJson(text);
  const error = parsed.ok ? member(parsed.root, 'error') : undefined;
  const code = member(error, 'code');
  if (code === undefined || Number(sourceText(text, code)) !== -32021) return undefined;
  const required = member(member(error, 'data'), 'requiredCapabilities');
  return required?.kind === 'object' ? sourceText(text, required) : undefined;
}

/** Plans the replay of a request that declares these capabilities too; all else is kept to the letter. */
export function planWithCapabilities(
  item: RequestItem,
  capabilitiesText: string,
  source: ReplaySource,
  live: readonly ConnectionSummary[],
): ReplayPlan {
  const plan = planToTheLetter(item, source, live);
  if (plan.kind === 'refused') return plan;
  return { ...plan, paramsText: withCapabilities(plan.paramsText ?? '{}', capabilitiesText) };
}

/** Plans `tasks/get` for the task that a result of this request stands for. */
export function planTaskPoll(
  item: RequestItem,
  taskId: string,
  source: ReplaySource,
  live: readonly ConnectionSummary[],
): ReplayPlan {
  const plan = planToTheLetter(item, source, live);
  if (plan.kind === 'refused') return plan;
  const text = plan.paramsText ?? '{}';
  const declared = nodeAt(text, CAPABILITIES);
  const taskText = `{"taskId":${JSON.stringify(taskId)}}`;
  return {
    kind: 'ready',
    connectionId: plan.connectionId,
    method: 'tasks/get',
    // Who polls has to declare the extension as the caller did.
    paramsText:
      declared === undefined ? taskText : withCapabilities(taskText, sourceText(text, declared)),
  };
}

/** Params that declare capabilities besides those that they declare already. */
export function withCapabilities(paramsText: string, capabilitiesText: string): string {
  let text = paramsText;
  for (const depth of [1, 2]) {
    const path = CAPABILITIES.slice(0, depth);
    const holder = nodeAt(text, path.slice(0, -1));
    const key = path.at(-1) ?? '';
    if (holder?.kind !== 'object') return text;
    if (member(holder, key) === undefined) {
      text = insertMember(text, holder, `${JSON.stringify(key)}:{}`);
    }
  }
  const added = parseJson(capabilitiesText);
  return added.ok ? merge(text, CAPABILITIES, capabilitiesText, added.root) : text;
}

/** Puts the members of `added` into the object at `path`, where they are missing or say something else. */
function merge(paramsText: string, path: string[], addedText: string, added: JsonNode): string {
  if (added.kind !== 'object') return paramsText;
  let text = paramsText;
  for (const { key, value } of added.members) {
    const target = nodeAt(text, path);
    if (target?.kind !== 'object') return text;
    const given = sourceText(addedText, value);
    const present = member(target, key);
    if (present === undefined) {
      text = insertMember(text, target, `${JSON.stringify(key)}:${given}`);
    } else if (present.kind === 'object' && value.kind === 'object') {
      text = merge(text, [...path, key], addedText, value);
    } else text = `${text.slice(0, present.start)}${given}${text.slice(present.end)}`;
  }
  return text;
}

function nodeAt(text: string, path: readonly string[]): JsonNode | undefined {
  const parsed = parseJson(text);
  return path.reduce<JsonNode | undefined>(
    (node, key) => member(node, key),
    parsed.ok ? parsed.root : undefined,
  );
}
