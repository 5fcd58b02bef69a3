import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { parse, stringify } from 'yaml';

import { ERROR_KINDS } from '../../src/core/error-codes/error-kinds.ts';
import { graders } from '../../src/graders/index.ts';
import { scriptSchema } from '../../src/models/mock-server/script.ts';
import { sinks } from '../../src/sinks/index.ts';
import { type Block, blocksOf, PAGES, textOfPage, wordOf } from '../docs/blocks.ts';
import { claudeTurn } from '../support/claude-lines.ts';
import { type FakePlan, installFakeAgent } from '../support/fake-agent.ts';
import { emptyProject, root, scratchFolder, shell } from '../docs/packed.ts';
import { notPrinted } from '../docs/shown-output.ts';

const scratch = scratchFolder();
/** The page of the first hour has a test of its own: its files change as it goes on. */
const guide = PAGES.filter((page) => page !== 'README.md' && page !== 'docs/guide/first-hour.md');
const installed = join(scratch.path, 'installed');

beforeAll(() => {
  // A copy: it gets more than other tests of the package may find.
  cpSync(inject('installed'), installed, { recursive: true, verbatimSymlinks: true });
  // What a page that asks models tells to install; the versions are those of the lock file.
  symlinkSync(join(root, 'node_modules/@ai-sdk'), join(installed, 'node_modules/@ai-sdk'));
});

afterAll(() => scratch[Symbol.dispose]());

interface Typed {
  readonly at: string;
  readonly code: number | null;
  /** What was printed, where the exit code is not the one that the page states. */
  readonly complaint: string;
  readonly stdout: string;
}

/** Runs the commands of blocks as they stand, one after the other. */
async function allTyped(
  blocks: readonly Block[],
  directoryOf: (block: Block) => string,
): Promise<readonly Typed[]> {
  const all: Typed[] = [];
  for (const block of blocks) all.push(await typed(block, directoryOf(block)));
  return all;
}

async function typed(block: Block, directory: string): Promise<Typed> {
  const { code, stdout, stderr } = await shell(block.text, directory);
  return { at: placeOf(block), code, complaint: code === stated(block) ? '' : stdout + stderr, stdout };
}

/** The README's commands go through npx itself; here its start, longer than that of the program, is left out. */
const QUICK_NPX = 'npx() { name=$1; shift; "./node_modules/.bin/$name" "$@"; }\n';

/** A page that starts a server ends it, unless a command before that fails. */
const END_SERVER = `trap '[ -z "\${server-}" ] || kill "$server" 2>/dev/null || :' EXIT\n`;

/** The agent of the pages that name one: it writes notes, and has a skill only where that was staged. */
const WRITER: FakePlan = {
  version: '2.1.330 (Claude Code)',
  after: claudeTurn({ answer: 'Version 2 is out.' }),
  resumed: { after: claudeTurn({ answer: 'I knew of no skills.' }) },
  where: {
    path: '.claude/skills/release-notes/SKILL.md',
    plan: { after: claudeTurn({ answer: 'Version 2 is out.\nShip it.', skills: ['release-notes'] }) },
  },
};

/** The exit code that a block states; 0 when it states none. */
function stated(block: Block): number {
  return Number(wordOf(block, 'exit') ?? 0);
}

function placeOf({ page, line }: Block): string {
  return `${page}:${line}`;
}

/** A project with the files of the quickstart in which assay is installed. */
function quickstartProject(name: string): string {
  const project = join(scratch.path, name);
  const filter = (path: string) => !path.includes('.assay');
  cpSync(join(root, 'examples/quickstart'), project, { recursive: true, filter });
  symlinkSync(join(installed, 'node_modules'), join(project, 'node_modules'));
  return project;
}

/** What `npm start` shows of a stored conversation: who said what, and how it was judged. */
const CONVERSATION = [
  '  visitor  Hello, I would like to keep my book a little longer.',
  '  desk     May I have the number of your library card, such as L-1000?',
  '  visitor  It is L-3377.',
  '  desk     I have renewed A Winter Almanac until 2026-07-14.',
  '  visitor  Thank you, goodbye.',
  '  desk     You are welcome. Goodbye.',
  "  passed: 6 of 6 gates held, the judge's score is 100 of 100; ended by the agent (tool:farewell)",
];

describe('README.md', () => {
  test("every command works as it stands, from a clone to a project of one's own", async () => {
    await cloneOfRepository(join(scratch.path, 'assay'));
    emptyProject(join(scratch.path, 'my-project'));
    const blocks = blocksOf('README.md').filter(({ language }) => language === 'sh');
    const printed = await allTyped(blocks, (block) => join(scratch.path, wordOf(block, 'in') ?? ''));
    expect(printed.map(({ complaint }) => complaint)).toEqual(blocks.map(() => ''));
    expect(printed.map(({ stdout }) => outcomeIn(stdout))).toEqual([
      '15 passed, 1 failed: 16 trials',
      undefined,
      '3 passed: 3 trials',
    ]);
    const [shown = ''] = (printed[0]?.stdout ?? '').split('\nassay run examples/quickstart');
    expect(shown.match(/^ {2}(visitor|desk|passed|failed)\b.*$/gm)).toEqual(CONVERSATION);
  });

  test('every command of the program is named', () => {
    const help = textOfPage('docs/reference/cli.md');
    const commands = [...help.matchAll(/^## (assay [a-z]+)$/gm)].map(([, name = '']) => name);
    expect(commands).not.toEqual([]);
    expect(commands.filter((command) => !textOfPage('README.md').includes(`\`${command}`))).toEqual([]);
  });
});

/** As a fresh clone would be after its set-up: the files, dist, and the same dependencies. */
async function cloneOfRepository(directory: string): Promise<void> {
  const stamp = (await import(pathToFileURL(join(root, 'scripts/lib/stamp.mjs')).href)) as {
    isInstalled: () => boolean;
  };
  if (!stamp.isInstalled())
    throw new Error('the dependencies are not those of the lock file: run npm run setup');
  const left = /(^|\/)(node_modules|\.git|\.cache|\.assay|coverage|bench)(\/|$)/;
  cpSync(root, directory, { recursive: true, filter: (path) => !left.test(path.slice(root.length)) });
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'));
}

/** What a page runs to its end; servers have tests of their own. */
const commandsOf = (page: string) =>
  blocksOf(page).filter(({ language, words }) => language === 'sh' && !words.includes('serves'));

describe.each(guide.filter((page) => commandsOf(page).length > 0))('%s', (page) => {
  test('every command works as it stands', async () => {
    const project = quickstartProject(page.replaceAll('/', '-'));
    cpSync(join(root, 'examples/test-cases'), join(project, 'test-cases'), { recursive: true });
    for (const block of blocksOf(page)) {
      const file = wordOf(block, 'file');
      if (file === undefined) continue;
      mkdirSync(dirname(join(project, file)), { recursive: true });
      writeFileSync(join(project, file), block.text);
    }
    const blocks = commandsOf(page);
    installFakeAgent(join(project, 'bin'), ['claude'], WRITER);
    const start = `PATH="$PWD/bin:$PATH"; export ANTHROPIC_API_KEY=not-a-key\n${END_SERVER}${QUICK_NPX}`;
    const begun = blocks.map((block) => ({ ...block, text: start + block.text }));
    const printed = await allTyped(begun, () => project);
    expect(printed.map(({ at, code, complaint }) => ({ at, code, complaint }))).toEqual(
      blocks.map((block) => ({ at: placeOf(block), code: stated(block), complaint: '' })),
    );
    expect(notPrinted(blocksOf(page), printed.map(({ stdout }) => stdout).join('\n'))).toEqual([]);
  });
});

test('every eval and every config of the pages is accepted', async () => {
  const project = quickstartProject('accepted');
  appendFileSync(join(project, 'assay.config.yaml'), '\nuser: { model: openai/gpt-4o-mini }\n');
  const all = PAGES.flatMap(blocksOf).filter(({ language }) => language === 'yaml');
  // A page whose folder has a config of its own is checked by its commands, in that folder.
  const blocks = all.filter((block) => block.words[0] !== 'case' && !isOfOwnConfig(block));
  const kinds = blocks.map(({ page, line, words: [kind] }) => ({ at: `${page}:${line}`, kind }));
  expect(kinds.filter(({ kind }) => kind !== 'eval' && kind !== 'config')).toEqual([]);
  const files = blocks.map((block, index) =>
    block.words[0] === 'eval'
      ? written(join(project, `evals/block-${index}.eval.yaml`), block.text)
      : configWith(join(project, `configs/${index}`), block),
  );
  const evals = files.filter((_, index) => blocks[index]?.words[0] === 'eval');
  const configs = files.filter((file) => !evals.includes(file));
  const checked = [];
  for (const some of [evals, ...configs.map((file) => [file])]) {
    const command = `node_modules/.bin/assay validate '${some.join("' '")}'`;
    const { code, stdout, stderr } = await shell(command, project);
    checked.push({ code, problems: code === 0 ? '' : stdout + stderr });
  }
  expect(evals.length).toBeGreaterThan(8);
  expect(configs.length).toBeGreaterThan(5);
  expect(checked).toEqual(checked.map(() => ({ code: 0, problems: '' })));
});

test('every script of the pages for models is accepted', () => {
  const scripts = PAGES.flatMap(blocksOf).filter(({ words: [kind] }) => kind === 'script');
  expect(scripts.length).toBeGreaterThan(1);
  const faults = scripts.map((block) => ({
    at: placeOf(block),
    ...scriptSchema.safeParse(parse(block.text)),
  }));
  expect(faults.filter(({ success }) => !success)).toEqual([]);
});

test('every stored test case of the pages is accepted', async () => {
  const project = quickstartProject('accepted-cases');
  const cases = PAGES.flatMap(blocksOf).filter(({ words: [kind] }) => kind === 'case');
  expect(cases).not.toEqual([]);
  for (const [index, { text }] of cases.entries()) written(join(project, `cases/${index}.yaml`), text);
  const { code, stdout } = await shell('node_modules/.bin/assay cases validate cases', project);
  expect([code, stdout]).toEqual([0, expect.stringContaining('no problems')]);
});

function written(file: string, text: string): string {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

/** Whether the block is in a folder of the page in which the page also writes a config. */
function isOfOwnConfig(block: Block): boolean {
  const file = wordOf(block, 'file');
  if (file === undefined || dirname(file) === '.') return false;
  const folders = blocksOf(block.page).map((each) => wordOf(each, 'file') ?? '');
  return folders.includes(join(dirname(file), 'assay.config.yaml'));
}

/** The config in a folder of its own, and an eval that uses all of its targets. */
function configWith(folder: string, { text }: Block): string {
  const { targets: own } = parse(text) as { targets?: object };
  const other = { targets: { other: { type: 'mock', response: 'c' } } };
  written(join(folder, 'assay.config.yaml'), own ? text : `${text}\n${stringify(other)}`);
  for (const [, module = ''] of text.matchAll(/module: (\S+\.mjs)/g)) {
    written(join(folder, module), 'export default () => "";');
  }
  const targets = Object.keys(own ?? other.targets);
  const assertion = [{ type: 'contains', value: 'c' }];
  const suite = { execution: { targets }, tests: [{ id: 'a', input: 'b', assert: assertion }] };
  return written(join(folder, 'all.eval.yaml'), JSON.stringify(suite));
}

test('the cure in the README of the quickstart makes all of its tests pass', async () => {
  const project = quickstartProject('cured');
  const readme = readFileSync(join(project, 'README.md'), 'utf8');
  const [, cure = ''] = /```js\n([\s\S]*?)\n```/.exec(readme) ?? [];
  const [, wrong = ''] = /in place of `([^`]+)`/.exec(readme) ?? [];
  const file = join(project, 'support/dialogue.mjs');
  const source = readFileSync(file, 'utf8');
  expect(source.split(wrong)).toHaveLength(2);
  writeFileSync(file, source.replace(wrong, cure.trim()));
  const { code, stdout } = await shell('npx assay run', project);
  expect({ code, outcome: outcomeIn(stdout) }).toEqual({
    code: 0,
    outcome: '16 passed: 16 trials',
  });
});

test('every link leads to a file, and to a heading where it names one', () => {
  const pages = [...PAGES, 'AGENTS.md', 'docs/architecture.md', 'examples/quickstart/README.md'];
  const broken = pages.flatMap((page) =>
    [...textOfPage(page).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) => {
      if (/^https?:/.test(link)) return [];
      const [path = '', anchor] = link.split('#');
      const file = path === '' ? join(root, page) : join(root, dirname(page), path);
      if (!existsSync(file)) return [`${page}: ${link}`];
      return anchor === undefined || headings(readFileSync(file, 'utf8')).includes(anchor)
        ? []
        : [`${page}: ${link}`];
    }),
  );
  expect(broken).toEqual([]);
});

function outcomeIn(stdout: string): string | undefined {
  return /^\d+ passed.*trials/m.exec(stdout)?.[0];
}

function headings(text: string): readonly string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  );
}

describe('the guide names everything there is', () => {
  const named = (page: string) =>
    new Set([...textOfPage(page).matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code));

  test('every key of evals, tests, limits and workspaces, and every grader', () => {
    const text = textOfPage('docs/guide/writing-evals.md');
    const schema = JSON.parse(textOfPage('schema.json')) as SchemaNode;
    const tests = schema.properties?.['tests']?.anyOf?.flatMap(({ items }) => items?.anyOf ?? []) ?? [];
    const entry = tests.find(({ properties }) => properties !== undefined);
    const keys = [schema, entry, schema.properties?.['limits'], entry?.properties?.['execution']].flatMap(
      (node) => Object.keys(node?.properties ?? {}),
    );
    const workspace = Object.keys(schema.properties?.['workspace']?.properties ?? {});
    expect(keys.length).toBeGreaterThan(40);
    expect(workspace.length).toBeGreaterThan(4);
    const words = new Set(text.match(/[$\w]+/g));
    const all = [...keys, ...workspace, ...graders.map(({ type }) => type)];
    expect([...new Set(all)].filter((key) => !words.has(key))).toEqual([]);
  });

  test('every kind of error', () => {
    expect(Object.keys(ERROR_KINDS).filter((kind) => !named('docs/guide/results.md').has(kind))).toEqual([]);
  });

  test('every reporter', () => {
    const names = [...named('docs/guide/ci.md')].map((code) => code.split('=')[0]);
    expect(sinks.map(({ type }) => type).filter((type) => !names.includes(type))).toEqual([]);
  });
});

interface SchemaNode {
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly anyOf?: readonly SchemaNode[];
  readonly items?: SchemaNode;
}
