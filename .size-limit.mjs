import { readFileSync } from 'node:fs';

const OUTPUT = '.output/chrome-mv3';

/** What a page has to load before it can draw: the scripts in it, and all that they import at once. */
function firstLoad(page) {
  const found = new Set();
  const html = readFileSync(`${OUTPUT}/${page}`, 'utf8');
  const queue = [...html.matchAll(/(?:src|href)="\/(?<path>chunks\/[^"]+\.js)"/g)].map(
    ({ groups }) => groups.path,
  );
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (found.has(path)) continue;
    found.add(path);
    const script = readFileSync(`${OUTPUT}/${path}`, 'utf8');
    // What is loaded later is a call of `import`.
    for (const { groups } of script.matchAll(/(?:import|from)\s*"\.\/(?<name>[^"]+\.js)"/g)) {
      queue.push(`chunks/${groups.name}`);
    }
  }
  return [...found].map((path) => `${OUTPUT}/${path}`);
}

export default [
  { name: 'Panel, first load', path: firstLoad('panel.html'), gzip: true, limit: '70 kB' },
  {
    name: 'Issue rules, loaded after the first paint',
    path: `${OUTPUT}/chunks/lint-*.js`,
    gzip: true,
    limit: '30 kB',
  },
  {
    name: 'Issue rules of authorization, loaded with its first exchange',
    path: `${OUTPUT}/chunks/authorization-rules-*.js`,
    gzip: true,
    limit: '30 kB',
  },
  {
    name: 'Issue rules of features, loaded with the first message',
    path: `${OUTPUT}/chunks/feature-rules-*.js`,
    gzip: true,
    limit: '30 kB',
  },
  {
    name: 'JSON editor, loaded with the form for requests',
    path: `${OUTPUT}/chunks/CodeEditor-*.js`,
    gzip: true,
    limit: '140 kB',
  },
  { name: 'Worker', path: `${OUTPUT}/background.js`, gzip: true, limit: '60 kB' },
  {
    name: 'Authorization, loaded when a server asks for it',
    path: `${OUTPUT}/authorization.js`,
    gzip: true,
    limit: '26 kB',
  },
  { name: 'Popup', path: firstLoad('popup.html'), gzip: true, limit: '20 kB' },
];
