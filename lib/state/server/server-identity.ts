import type { RequestItem } from '../../capture/correlate/items.ts';
import { jsonOf, toLine } from '../../text.ts';
import type { ReadMessage } from './server-lists.ts';

/** An offer of one side, with its settings as JSON; empty where it has none. */
export interface Capability {
  name: string;
  settings: string;
}

/** What a server says of itself. Nobody has verified any of it. */
export interface ServerIdentity {
  /** The exchange that it was said in. */
  item: RequestItem;
  /** Name, title, version and what else it is described by, in its order; texts only. */
  facts: { name: string; text: string }[];
  icons: { src: string; details: string }[];
  capabilities: Capability[];
  /** What we have offered, in the same exchange. */
  declared: Capability[];
  instructions?: string;
  /** Revisions that a modern server names. */
  supportedVersions: string[];
}

const PREFIX = 'io.modelcontextprotocol/';

/** Reads the newest handshake or discovery that was answered; undefined where there is none in memory. */
export function readIdentity(
  requests: readonly RequestItem[],
  read: ReadMessage,
): ServerIdentity | undefined {
  const item = requests.findLast(({ outcome }) => outcome === 'result');
  const result = item === undefined ? undefined : partOf(read(item, 'response'), 'result');
  if (item === undefined || result === undefined) return undefined;
  const params = partOf(read(item, 'request'), 'params') ?? {};
  const meta = recordOf(result['_meta']);
  const info = recordOf(result['serverInfo'] ?? meta[`${PREFIX}serverInfo`]);
  const ours = recordOf(params['_meta'])[`${PREFIX}clientCapabilities`] ?? params['capabilities'];
  const { instructions, supportedVersions } = result;
  const facts = Object.entries(info).flatMap(([name, value]) =>
    typeof value === 'string' ? [{ name, text: value }] : [],
  );
  return {
    item,
    facts,
    icons: iconsOf(info['icons']),
    capabilities: capabilitiesOf(result['capabilities']),
    declared: capabilitiesOf(ours),
    ...(typeof instructions === 'string' ? { instructions } : {}),
    supportedVersions: Array.isArray(supportedVersions) ? supportedVersions.map(toLine) : [],
  };
}

/** How a server with these capabilities lets calls become tasks; undefined where it runs none. */
export function tasksIn(capabilities: readonly Capability[]): 'param' | 'declared' | undefined {
  const settingsOf = (wanted: string): unknown => {
    const settings = capabilities.find(({ name }) => name === wanted)?.settings;
    return settings === undefined || settings === '' ? undefined : JSON.parse(settings);
  };
  const requests = recordOf(recordOf(settingsOf('tasks'))['requests']);
  if (recordOf(requests['tools'])['call'] !== undefined) return 'param';
  return Object.hasOwn(recordOf(settingsOf('extensions')), `${PREFIX}tasks`)
    ? 'declared'
    : undefined;
}

function capabilitiesOf(value: unknown): Capability[] {
  return Object.entries(recordOf(value)).map(([name, settings]) => {
    const text = jsonOf(settings) ?? '';
    return { name, settings: text === '{}' ? '' : text };
  });
}

function iconsOf(value: unknown): ServerIdentity['icons'] {
  const icons: unknown[] = Array.isArray(value) ? value : [];
  return icons.map(recordOf).flatMap(({ src, mimeType, sizes, theme }) => {
    if (typeof src !== 'string') return [];
    const details = [mimeType, Array.isArray(sizes) ? sizes.join(' ') : sizes, theme];
    return [{ src, details: details.filter((each) => typeof each === 'string').join(', ') }];
  });
}

function partOf(text: string | undefined, part: 'params' | 'result') {
  try {
    const value = recordOf(JSON.parse(text ?? ''))[part];
    return value === undefined ? undefined : recordOf(value);
  } catch {
    return undefined;
  }
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}
