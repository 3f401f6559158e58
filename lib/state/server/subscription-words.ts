const KINDS: Record<string, string> = {
  toolsListChanged: 'tools',
  promptsListChanged: 'prompts',
  resourcesListChanged: 'resources',
};
const LISTS: Record<string, string> = { resourceSubscriptions: 'resource', taskIds: 'task' };

/** What a subscription tells of, in a few words ("Subscriptions" of 2026-07-28); what is unknown by its name. */
export function toFilterWords(filter: unknown): string {
  if (typeof filter !== 'object' || filter === null) return '';
  const words = Object.entries(filter).flatMap(([key, value]: [string, unknown]) => {
    if (value === false) return [];
    const noun = LISTS[key];
    if (noun === undefined || !Array.isArray(value)) return [KINDS[key] ?? key];
    if (value.length === 0) return [];
    return [value.length === 1 ? `1 ${noun}` : `${value.length} ${noun}s`];
  });
  return words.length === 0 ? 'nothing' : words.join(', ');
}
