import { member, parseJson, type JsonNode } from '../../json/parse.ts';

/** What has to be another one in a message that is said again; both are JSON. */
export interface Rewriting {
  /** Ids of requests, by what they were when they were recorded. */
  ids: ReadonlyMap<string, string>;
  progressTokens: ReadonlyMap<string, string>;
}

/**
 * A recorded message with the ids of the present: that of a response, and the progress token of a notification. All
 * else stays as it was spelt. A batch is rewritten item by item; what is no JSON stays.
 */
export function rewriteMessage(text: string, rewriting: Rewriting): string {
  const parsed = parseJson(text);
  if (!parsed.ok) return text;
  const { root } = parsed;
  const messages = root.kind === 'array' ? root.items : [root];
  const places = messages.flatMap((message) => placesIn(text, message, rewriting));
  let rewritten = '';
  let end = 0;
  for (const { node, json } of places.toSorted((a, b) => a.node.start - b.node.start)) {
    rewritten += text.slice(end, node.start) + json;
    end = node.end;
  }
  return rewritten + text.slice(end);
}

function placesIn(text: string, message: JsonNode, { ids, progressTokens }: Rewriting) {
  const places: { node: JsonNode; json: string }[] = [];
  const put = (node: JsonNode | undefined, known: ReadonlyMap<string, string>) => {
    const json = node && known.get(text.slice(node.start, node.end));
    if (node !== undefined && json !== undefined) places.push({ node, json });
  };
  // A request of the server has an id of its own.
  if (member(message, 'method') === undefined) put(member(message, 'id'), ids);
  const params = member(message, 'params');
  put(member(params, 'progressToken'), progressTokens);
  put(member(params, 'requestId'), ids);
  return places;
}
