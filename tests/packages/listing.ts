// Holds the store listing against the packages: lengths that the stores allow, and a reason for each permission.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
/** The shorter of what the Chrome Web Store and addons.mozilla.org allow, in characters. */
const LONGEST: Record<string, number> = { Name: 50, Summary: 132, Description: 15_000 };

interface Manifest {
  name: string;
  description: string;
  permissions: string[];
  optional_host_permissions?: string[];
}

const listing = readFileSync(join(ROOT, 'tests/store/listing.md'), 'utf8');
const problems: string[] = [];

function section(title: string): string {
  return listing.split(`\n## ${title}\n`)[1]?.split('\n## ')[0]?.trim() ?? '';
}

function readManifest(browser: string): Manifest {
  return JSON.parse(readFileSync(join(ROOT, `.output/${browser}-mv3-store/manifest.json`), 'utf8'));
}

for (const [title, longest] of Object.entries(LONGEST)) {
  const { length } = section(title);
  if (length === 0 || length > longest) {
    problems.push(`${title} has ${length} characters; it may have ${longest}.`);
  }
}
const explained = [...section('Permissions').matchAll(/^\| `([^`]+)` \|/gm)].map(
  ([, name]) => name,
);
const asked = new Set<string>();
for (const browser of ['chrome', 'firefox']) {
  const { name, description, permissions, optional_host_permissions = [] } = readManifest(browser);
  for (const permission of [...permissions, ...optional_host_permissions]) asked.add(permission);
  if (name !== section('Name')) problems.push(`The package of ${browser} is called ${name}.`);
  if (description !== section('Summary')) {
    problems.push(`The package of ${browser} describes itself as: ${description}`);
  }
}
for (const name of asked) if (!explained.includes(name)) problems.push(`Why ${name}?`);
for (const name of explained) {
  if (name === undefined || !asked.has(name)) problems.push(`Nobody asks for ${name}.`);
}
for (const problem of problems) console.error(problem);
console.log(`The store listing explains ${explained.length} permissions`);
process.exitCode = problems.length === 0 ? 0 : 1;
