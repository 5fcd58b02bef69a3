import { existsSync } from 'node:fs';

import { expect, test } from 'vitest';

import { newestRun, rowsOf, type Files } from '../../e2e/support/project.ts';
import { claudeTurn } from '../../support/claude-lines.ts';
import { played, PASSES, reasonsIn, REPLAY } from '../support/suites.ts';

/** The first snippet as it was published, for a package of either name. */
const published = (name: string) => `import { assert, type Case } from "${name}";

const suite: Case[] = [
  {
    id: "always-passes",
    prompt: "Say only: skillgym ready",
    assert(report, ctx) {
      assert.match(ctx.finalOutput(), /skillgym ready/);
    },
  },
];

export default suite;
`;

test('the published snippet passes under both names of the package, of which one is installed', async () => {
  await using project = played({
    plans: () => ({ agent: { after: claudeTurn({ answer: 'skillgym ready' }) } }),
    files: { 'skillgym.suite.ts': published('skillgym'), 'assay.suite.ts': published('assay') },
  });
  expect(existsSync(project.path('node_modules/skillgym'))).toBe(false);
  const ended = await project.assay('run');
  expect([ended.code, ended.stderr]).toEqual([0, '']);
  const rows = rowsOf(newestRun(project));
  expect(rows.map(({ suite, caseId, verdict }) => [suite, caseId, verdict]).toSorted()).toEqual([
    ['assay.suite.ts', 'always-passes', 'passed'],
    ['skillgym.suite.ts', 'always-passes', 'passed'],
  ]);
});

/** The lines of the problems that keep a run from starting. */
async function problemsOf(files: Files, ...paths: string[]): Promise<readonly string[]> {
  await using project = played({ files });
  const { code, stdout, stderr } = await project.assay('run', ...paths);
  expect([code, stdout, project.runs()]).toEqual([2, '', []]);
  const lines = stderr.trimEnd().split('\n');
  expect(lines.pop()).toMatch(/^assay: \d problems? found; nothing was run$/);
  return lines;
}

test('four mistakes are four problems with file and case, and two of them with a suggestion', async () => {
  const text = `export const workspace = { mode: 'islated' };
export default [
  { id: 'a', prompt: 'p', ${PASSES} },
  { id: 'a', prompt: 'p', ${PASSES} },
  { id: 'b', ${PASSES} },
  { id: 'c', prompt: 'p', asert() {} },
];`;
  expect(await problemsOf({ 'in/a.suite.ts': text })).toEqual([
    'in/a.suite.ts  case "b"  case-prompt  prompt: expected a text, got nothing',
    'in/a.suite.ts  case "c"  case-unknown-key  unknown key "asert" in a case  (did you mean `assert`?)',
    'in/a.suite.ts  case "a"  case-duplicate-id  case #1 has the same id "a"  (give each case its own id)',
    "in/a.suite.ts  workspace-mode  workspace: unknown workspace mode 'islated'  (did you mean `isolated`?)",
  ]);
});

test.each([
  ['null', 'suite-not-cases'],
  ['"abc"', 'suite-not-cases'],
  ['[]', 'suite-empty'],
])('a default export of %s is one readable problem', async (value, code) => {
  const start = `a.suite.ts  ${code}  the default export `;
  expect(await problemsOf({ 'a.suite.ts': `export default ${value};` })).toEqual([
    expect.stringContaining(start),
  ]);
});

const everything = (suffix: string) => `
  import { first } from './first.js';
  import { second } from './lib/second';
  import data from './data.json';
  import { assert, type Case } from 'assay';
  enum Third { Is = 'third' }
  const enum Fourth { Is = 'fourth' }
  class Fifth { constructor(readonly is: string) {} }
  namespace Sixth { export const is = 'sixth'; }
  const seventh = await Promise.resolve('seventh');
  const all: unknown[] = [first, second, data.is, Third.Is, Fourth.Is, new Fifth('fifth').is, Sixth.is, seventh];
  const suite: Case[] = [{ id: '${suffix}', prompt: 'p', assert(report) {
    assert.deepEqual(all, ['first', 'second', 'data', 'third', 'fourth', 'fifth', 'sixth', 'seventh']);
    assert.output.notEmpty(report);
  } }];
  export default suite;`;

test.each([
  ['without a type', {}],
  ['of type module', { type: 'module' }],
  ['of type commonjs', { type: 'commonjs' }],
])('whatever TypeScript has loads in a package %s', async (_, more) => {
  const simple = (id: string) => `[{ id: '${id}', prompt: 'p', assert() {} }]`;
  const files = {
    'package.json': { name: 'mine', private: true, ...more },
    'a.suite.ts': everything('ts'),
    'b.suite.mts': everything('mts'),
    'c.cts': `import assay = require('assay'); const suite: assay.Case[] = ${simple('cts')}; export = suite;`,
    'd.suite.js':
      (more as { type?: string }).type === 'module'
        ? `export default ${simple('js')};`
        : `module.exports = ${simple('js')};`,
    'e.suite.mjs': `const [one] = await Promise.resolve(${simple('mjs')}); export default { one };`,
    'f.cjs': `const { assert } = require('skillgym'); assert.ok(require('assay').assert === assert);
      module.exports = ${simple('cjs')};`,
    'first.ts': `export const first: string = 'first';`,
    'lib/second.ts': `export const second = 'second' satisfies string;`,
    'data.json': `{ "is": "data" }`,
  };
  await using project = played({ plans: () => ({ agent: REPLAY }), files });
  const paths = Object.keys(files).filter((name) => /^[a-f]\./.test(name));
  const ended = await project.assay('run', ...paths);
  expect([ended.code, ended.stderr, reasonsIn(newestRun(project))]).toEqual([0, '', []]);
  expect(
    rowsOf(newestRun(project))
      .map(({ caseId }) => caseId)
      .toSorted(),
  ).toEqual(['cjs', 'cts', 'js', 'mjs', 'mts', 'ts']);
});

test.each(['a.suite.ts', 'a.suite.mjs', 'a.cjs'])(
  'a syntax error in %s has file, line and column',
  async (name) => {
    expect(await problemsOf({ [name]: 'const a = [\n  1,\n  2 3,\n];\n' }, name)).toEqual([
      `${name}:3:5  suite-load-failed  Unexpected token, expected ","`,
    ]);
  },
);
