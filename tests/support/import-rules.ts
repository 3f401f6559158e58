import { posix } from 'node:path';
import { parseSync } from 'vite';

/** Folders and single files of the product that share their import rules. The first match decides. */
const AREAS = [
  ['contract', /^lib\/port\/(?:send-)?contract\.ts$/],
  ['base', /^lib\/[^/]+\.ts$/],
  ['protocol', /^lib\/protocol\//],
  ['json', /^lib\/json\//],
  ['schema', /^lib\/schema\//],
  ['capture', /^lib\/capture\//],
  ['compare', /^lib\/compare\//],
  ['lint', /^lib\/lint\//],
  ['redact', /^lib\/redact\//],
  ['profiles', /^lib\/profiles\//],
  ['har', /^lib\/har\//],
  ['transport', /^lib\/transport\//],
  ['auth', /^lib\/auth\//],
  ['connection', /^lib\/connection\//],
  ['port', /^lib\/port\//],
  ['browser', /^lib\/browser\//],
  ['state', /^lib\/state\//],
  ['ui', /^components\/ui\//],
  ['components', /^components\//],
  ['entrypoints', /^entrypoints\//],
  ['tests', /^tests\//],
] as const;

type Area = (typeof AREAS)[number][0];

interface Rule {
  /** Areas that may be imported at run time. */
  areas: Area[];
  /** Areas of which only types may be imported. */
  types?: Area[];
  /** Single files that may be imported at run time although their area may not. */
  files?: string[];
  /** Npm packages that may be imported. */
  packages?: string[];
}

const CORE: Area[] = ['base', 'protocol', 'json', 'schema'];
const VIEWED = [
  'lib/capture/correlate/http-record.ts',
  'lib/capture/correlate/moments.ts',
  'lib/capture/store/retention-plan.ts',
  'lib/capture/correlate/socket-record.ts',
];

/** The JSON editor, in a chunk of its own. */
const EDITOR = [
  '@codemirror/commands',
  '@codemirror/lang-json',
  '@codemirror/language',
  '@codemirror/lint',
  '@codemirror/state',
  '@codemirror/view',
  '@lezer/highlight',
];

/** Who may import whom. An area may always import itself. */
const RULES: Record<Exclude<Area, 'tests'>, Rule> = {
  base: { areas: [], packages: ['zod'] },
  protocol: { areas: ['base', 'json', 'schema'], types: ['capture'] },
  json: { areas: ['base'] },
  schema: { areas: ['base', 'json'], packages: ['@cfworker/json-schema'] },
  capture: { areas: CORE },
  // Captures, answers and definitions side by side: values in, differences out.
  compare: { areas: ['base'] },
  redact: { areas: CORE },
  profiles: { areas: [...CORE, 'redact'], types: ['capture', 'contract'] },
  // What an imported stream holds is read as if it had come just now.
  har: { areas: [...CORE, 'redact', 'capture'], files: ['lib/transport/sse/sse-reader.ts'] },
  lint: { areas: [...CORE, 'capture'] },
  transport: { areas: CORE, types: ['capture'], packages: ['eventsource-parser'] },
  // Knows what a transport asks of it; how it sends is a door.
  auth: { areas: CORE, types: ['capture', 'transport'], packages: ['oauth4webapi'] },
  connection: { areas: [...CORE, 'capture', 'har', 'transport', 'auth'], types: ['contract'] },
  contract: { areas: [], types: ['base', 'capture'] },
  port: { areas: [...CORE, 'capture', 'connection', 'contract'] },
  browser: {
    areas: [
      ...CORE,
      'capture',
      'har',
      'profiles',
      'transport',
      'auth',
      'connection',
      'port',
      'contract',
    ],
    packages: ['wxt'],
  },
  state: {
    areas: [...CORE, 'compare', 'lint', 'profiles', 'redact'],
    types: ['capture', 'contract', 'port'],
    files: [...VIEWED, 'lib/capture/correlate/correlate.ts', 'lib/port/contract.ts'],
    packages: ['@preact/signals-core'],
  },
  ui: { areas: [], packages: ['preact', '@preact/signals'] },
  components: {
    areas: ['state', 'compare', 'ui', 'protocol', 'json', 'schema'],
    types: ['base', 'capture', 'contract', 'lint'],
    files: [...VIEWED, 'lib/text.ts'],
    packages: ['preact', '@preact/signals', ...EDITOR],
  },
  entrypoints: {
    areas: [
      ...CORE,
      'capture',
      'har',
      'lint',
      'profiles',
      'transport',
      'auth',
      'connection',
      'port',
      'contract',
      'browser',
      'state',
      'ui',
      'components',
    ],
    packages: ['wxt', 'preact', '@preact/signals', '@preact/signals-core'],
  },
};

/** Packages with one door: the only file that may import them. */
const ONE_DOOR: Record<string, string> = {
  '@cfworker/json-schema': 'lib/schema/check.ts',
  idb: 'lib/capture/store/open-database.ts',
  zod: 'lib/zod.ts',
  ...Object.fromEntries(EDITOR.map((name) => [name, 'components/composer/code-editor.ts'])),
};

interface Import {
  specifier: string;
  isType: boolean;
}

/** Every import of a module, re-exports and `import()` included, as a parser sees them. */
export function findImports(path: string, source: string): Import[] {
  const { module, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`);
  // `import { type A }` still loads the module at run time; only `import type` does not.
  const isType = (start: number) => /^(?:import|export)\s+type\b/.test(source.slice(start));
  return [
    ...module.staticImports.map((found) => ({
      specifier: found.moduleRequest.value,
      isType: isType(found.start),
    })),
    ...module.staticExports.flatMap((found) =>
      found.entries.flatMap(({ moduleRequest }) =>
        moduleRequest ? [{ specifier: moduleRequest.value, isType: isType(found.start) }] : [],
      ),
    ),
    ...module.dynamicImports.map(({ moduleRequest: { start, end } }) => ({
      specifier: source.slice(start + 1, end - 1),
      isType: false,
    })),
  ];
}

/** What is wrong with the imports of one file of the product, one sentence each. */
export function importProblems(path: string, source: string): string[] {
  const area = areaOf(path);
  if (area === undefined) return [`${path} belongs to no area of the import table`];
  if (area === 'tests') return [];
  return findImports(path, source).flatMap((found) => {
    const reason = problemOf(path, area, found);
    return reason === undefined ? [] : [`${path} imports ${found.specifier}: ${reason}`];
  });
}

function areaOf(path: string): Area | undefined {
  return AREAS.find(([, pattern]) => pattern.test(path))?.[0];
}

function problemOf(path: string, area: Exclude<Area, 'tests'>, found: Import): string | undefined {
  const { specifier, isType } = found;
  const rule = RULES[area];
  if (specifier.endsWith('.css')) {
    return area === 'components' || area === 'ui' || area === 'entrypoints'
      ? undefined
      : 'styles belong to components';
  }
  if (!specifier.startsWith('.')) {
    const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
    const door = ONE_DOOR[name];
    if (door !== undefined) return path === door ? undefined : `only ${door} may`;
    return rule.packages?.includes(name) ? undefined : `not a package for ${area}`;
  }
  const target = posix.join(posix.dirname(path), specifier);
  const targetArea = areaOf(target);
  if (targetArea === undefined) return 'outside of the product';
  if (!/\.tsx?$/.test(target)) return 'a relative import needs its extension';
  if (targetArea === 'entrypoints') {
    // An entrypoint may be split over files of its own folder.
    return posix.dirname(target) === posix.dirname(path) && target.split('/').length > 2
      ? undefined
      : 'entrypoints are never imported';
  }
  if (targetArea === area || rule.areas.includes(targetArea)) return undefined;
  if (rule.files?.includes(target)) return undefined;
  if (rule.types?.includes(targetArea)) {
    return isType ? undefined : `${area} may import only types of ${targetArea}`;
  }
  return `${area} may not import ${targetArea}`;
}
