import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');

/** Where the pages look for what they name. */
const bases = ['', 'src', 'src/app', 'test/contracts', 'test/e2e'];

/** Names that only show how something is named. */
const examples = /^(types|utils|constants|index|config|command|parse|x\.test)\.ts$|^\.(cache)?\/|[<*]/;

test.each(['docs/architecture.md', 'docs/GLOSSARY.md', 'AGENTS.md'])('%s names files that exist', (name) => {
  const text = readFileSync(join(root, name), 'utf8');
  const marked = [...text.matchAll(/`([^`\s]+)`|\]\(([^)#:]+)/g)].map(
    ([, code, link]) => code ?? join(dirname(name), link ?? ''),
  );
  const paths = marked.filter(
    (each) => /^[\w.-]+\/[\w./-]*$|\.(ts|md|json)$/.test(each) && !examples.test(each),
  );
  expect(paths.filter((each) => !isThere(each))).toEqual([]);
});

test('the map of docs/architecture.md names folders that exist', () => {
  const map = /```\nsrc\/\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
  let folder = '';
  const named = map.split('\n').flatMap((line) => {
    const [own, indent, name] = /^( {0,2})(\w+)\//.exec(line) ?? [];
    if (own !== undefined) folder = indent === '' ? `${name}` : `src/${name}`;
    const below = line.slice(own?.length ?? 0).matchAll(/(?<![\w/])([a-z][\w-]*)\//g);
    return [folder, ...[...below].map(([, inner]) => `${folder}/${inner}`)];
  });
  const wrong = named.filter((each) => !examples.test(each) && !existsSync(join(root, each)));
  expect(named).toContain('src/storage/run-directory');
  expect(wrong).toEqual([]);
});

test('the map of docs/architecture.md names every folder of src', () => {
  const folders = readdirSync(join(root, 'src'), { withFileTypes: true }).filter((each) =>
    each.isDirectory(),
  );
  expect(folders.map(({ name }) => name).filter((name) => !page.includes(`\n  ${name}/ `))).toEqual([]);
});

test('the interfaces of docs/architecture.md have the members that they have in core', () => {
  const shown = /## The interfaces that carry it\n\n```ts\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
  const found = membersOf(shown);
  const inCore = readdirSync(join(root, 'src/core'))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => membersOf(readFileSync(join(root, 'src/core', file), 'utf8')));
  const core = new Map(inCore.flatMap((each) => [...each]));
  expect([...found.keys()]).toContain('RunStore');
  expect(Object.fromEntries(found)).toEqual(
    Object.fromEntries([...found.keys()].map((name) => [name, core.get(name)])),
  );
});

/** The type parameters and members of each interface in a text: `<Config>`, `write`, `close?`. */
function membersOf(text: string): Map<string, readonly string[]> {
  const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
  const heads = code.matchAll(/\binterface (\w+)(?:<([^>{]*)>)?[^{]*\{/g);
  return new Map(
    [...heads].map(({ 0: head, 1: name = '', 2: types, index }) => {
      const parameters = types === undefined ? [] : types.split(',').map((each) => `<${each.trim()}>`);
      return [name, [...parameters, ...namesIn(code.slice(index + head.length))]];
    }),
  );
}

/** The names of members up to the brace that closes their interface. */
function namesIn(body: string): readonly string[] {
  let depth = 0;
  let own = '';
  for (const letter of body) {
    if ('}])'.includes(letter)) depth--;
    if (depth < 0) break;
    if (depth === 0) own += letter;
    if ('{[('.includes(letter)) depth++;
  }
  return own.split(';').flatMap((member) => /^\s*(?:readonly )?(\w+\??)/.exec(member)?.[1] ?? []);
}

test.each([
  ['run', /## The straight line of one run\n[^`]*```\n([\s\S]*?)```/],
  ['trial', /## The straight line of one trial\n[^`]*```\n([\s\S]*?)```/],
])('the straight line of one %s in docs/architecture.md names files that exist', (_, block) => {
  const line = block.exec(page)?.[1] ?? '';
  const named = [...line.matchAll(/(?<![\w/])[a-z-]+(?:\/[a-z-]+)+/g)].map(([path]) => path);
  expect(named).toContain('engine/run-trial');
  expect(named.filter((each) => !isThere(each))).toEqual([]);
});

function isThere(path: string): boolean {
  const found = bases.some((base) => ['', '.ts'].some((end) => existsSync(join(root, base, path + end))));
  return found || (!path.includes('/') && everyName.has(path));
}

const everyName = new Set(
  readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).map((path) => path.split('/').at(-1)),
);
