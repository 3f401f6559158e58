import { member, parseJson } from '../../json/parse.ts';

/**
 * Gives params a progress token of their own, where they have one: two requests with the same token would
 * share their progress (basic/utilities/progress). Every other character stays as it was.
 */
export function freshProgressToken(paramsText: string | undefined): string | undefined {
  if (paramsText === undefined) return undefined;
  const parsed = parseJson(paramsText);
  if (!parsed.ok) return paramsText;
  const token = member(member(parsed.root, '_meta'), 'progressToken');
  if (token === undefined) return paramsText;
  const fresh = JSON.stringify(`p-${crypto.randomUUID().slice(0, 8)}`);
  return paramsText.slice(0, token.start) + fresh + paramsText.slice(token.end);
}
