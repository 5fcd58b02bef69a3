import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';

import { formatProblem } from '../../core/problem.ts';
import { loadCodeSuites } from './load.ts';
import { folderOfTests } from '../../../test/support/test-folders.ts';

const root = folderOfTests('assay-code-');
let count = 0;

/** Loads the first of these files. */
async function load(files: Readonly<Record<string, string>>) {
  const projectRoot = join(root, String((count += 1)));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(projectRoot, name)), { recursive: true });
    writeFileSync(join(projectRoot, name), text);
  }
  const [first = ''] = Object.keys(files);
  const loaded = await loadCodeSuites([join(projectRoot, first)], {
    projectRoot,
    directory: projectRoot,
    outputDirectory: join(projectRoot, 'base', 'runs'),
    display: (path) => path.slice(projectRoot.length + 1),
  });
  return { ...loaded, projectRoot };
}

async function problems(text: string, more: Readonly<Record<string, string>> = {}) {
  return (await load({ 'a.suite.ts': text, ...more })).problems.map(formatProblem);
}

const ok = `{ id: 'a', prompt: 'p', assert() {} }`;

describe('a code suite', () => {
  test('becomes cases in the order they are written', async () => {
    const { suites, hooks, projectRoot } = await load({
      'in/b.suite.ts': `export default {
        one: { id: 'x y', prompt: ' go ', tags: [' s ', 's', 't'], timeoutMs: 5, expectedFail: true, assert() { return 7 as never; } },
        z: { id: 'z', prompt: 'p', assert() {} },
      };`,
    });
    const [suite] = suites;
    expect(suite).toMatchObject({ id: 'in/b.suite.ts', name: 'b', cases: { length: 2 } });
    const { module, ...first } = suite?.cases.at(0) ?? {};
    expect(module).toMatch(/^[0-9a-f]{64}$/);
    expect(first).toEqual({
      id: 'x y',
      name: 'one',
      tags: ['s', 't'],
      input: [{ role: 'user', parts: [{ text: ' go ' }] }],
      limits: { turnTimeoutMs: 5, timeoutMs: null },
      expectedFail: true,
      expectations: [
        {
          name: 'assert',
          type: 'code',
          weight: 1,
          required: 1,
          config: { suite: 'in/b.suite.ts', case: 'x y' },
        },
      ],
      source: { file: 'in/b.suite.ts' },
      directory: join(projectRoot, 'in'),
      workspace: { shared: { directory: projectRoot } },
    });
    expect(hooks('in/b.suite.ts', 'x y')?.assert({} as never, {} as never)).toBe(7);
    expect(hooks('in/b.suite.ts', 'other')).toBe(undefined);
  });

  test('loads all TypeScript syntax', async () => {
    const { suites, problems: found } = await load({
      'd.mts': `
        import { h } from './h.js'; import { k } from './lib/k'; import data from './data.json';
        import { assert, type Case } from 'assay'; import { commandMatcher } from 'skillgym';
        enum A { B = 2 }
        class P { constructor(readonly q: number) {} }
        const v = await Promise.resolve(3);
        if (typeof assert !== 'function' || typeof commandMatcher !== 'function') throw new Error('not ours');
        const suite: Case[] = [{ id: [A.B, new P(4).q, data.z, h, k, v].join('-'), prompt: 'p', assert() {} }];
        export default suite;`,
      'h.ts': `export const h: string = 'h';`,
      'lib/k.ts': `export const k = 5;`,
      'data.json': `{ "z": 1 }`,
    });
    expect([found, suites[0]?.cases.at(0).id]).toEqual([[], '2-4-1-h-5-3']);
  });

  test.each([
    ['a.cjs', `module.exports = [${ok}];`],
    ['a.cjs', `module.exports = { default: [${ok}], workspace: { mode: 'isolated' } };`],
    ['a.cjs', `exports.default = [${ok}]; exports.workspace = { mode: 'isolated' };`],
    [
      'a.cjs',
      `Object.defineProperty(exports, '__esModule', { value: true }); exports.workspace = undefined; exports.default = [${ok}];`,
    ],
    ['a.cjs', `module.exports = { label: ${ok} };`],
    ['a.cts', `export default [${ok}];`],
    ['a.cts', `const suite: object[] = [${ok}]; export = suite;`],
    ['a.cts', `const suite: object = { label: ${ok} }; export = suite;`],
    ['a.cts', `export = { default: [${ok}], workspace: { mode: 'isolated' } };`],
    ['a.cts', `const enum E { A } module.exports = [${ok}];`],
    ['a.ts', `const suite: object[] = [${ok}]; export = suite;`],
    ['a.mts', `const suite: object[] = [${ok}]; export = suite;`],
    ['a.js', `export default [${ok}];`],
    ['a.js', `module.exports = [${ok}];`],
  ])('may be %s', async (name, text) => {
    const { suites, problems: found } = await load({ [name]: text });
    expect([found, suites[0]?.cases.at(0).id]).toEqual([[], 'a']);
  });

  test('has another digest when a file that it imports changes', async () => {
    const files = {
      'a.ts': `import { h } from './h.js'; export default [{ id: h, prompt: 'p', assert() {} }];`,
    };
    const digests = await Promise.all(
      [`export const h = 'h';`, `export const h = 'h';`, `export const h = 'h'; // changed`].map(
        async (h) => (await load({ ...files, 'h.ts': h })).suites[0]?.cases.at(0).module,
      ),
    );
    expect([digests[0] === digests[1], digests[0] === digests[2]]).toEqual([true, false]);
  });

  test.each([
    ['its own folder', '.', 'evals/index.ts'],
    ['the folder above', '..', 'index.ts'],
  ])('has another digest when what it imports from %s changes', async (_, from, name) => {
    const digests = await Promise.all(
      [`export const h = 'h';`, `export const h = 'h'; // changed`].map(async (h) => {
        const suite = `import { h } from '${from}'; export default [{ id: h, prompt: 'p', assert() {} }];`;
        return (await load({ 'evals/a.ts': suite, [name]: h })).suites[0]?.cases.at(0).module;
      }),
    );
    expect([new Set(digests).size, typeof digests[0]]).toEqual([2, 'string']);
  });
});

describe('all problems of a suite are reported together', () => {
  test('of its export', async () => {
    const hint = '(export default [{ id, prompt, assert(report) { ... } }])';
    expect(await problems('export const x = 1;')).toEqual([
      `a.suite.ts  suite-no-default-export  has no default export  ${hint}`,
    ]);
    expect(await problems('export default null;')).toEqual([
      `a.suite.ts  suite-not-cases  the default export is null, not a list of cases  ${hint}`,
    ]);
    expect(await problems('export default "abc";')).toEqual([
      `a.suite.ts  suite-not-cases  the default export is 'abc', not a list of cases  ${hint}`,
    ]);
    expect(await problems('export default [];')).toEqual([
      `a.suite.ts  suite-empty  the default export contains no cases  ${hint}`,
    ]);
  });

  test('of its text', async () => {
    expect(await problems('export default [\n  { id: \n];')).toEqual([
      'a.suite.ts:3:1  suite-load-failed  Unexpected token',
    ]);
    expect(await problems(`const a = 1;\nthrow new Error('boom');`)).toEqual([
      'a.suite.ts:2:7  suite-load-failed  boom',
    ]);
    expect(await problems(`import './gone.ts';`)).toEqual([
      "a.suite.ts:1:1  suite-load-failed  Cannot find module './gone.ts'",
    ]);
  });

  test.each([
    // TypeScript before the place, on its line, and on lines that compile to nothing.
    ['a.suite.ts', `enum A { B }\ninterface I { a: 1 }\nconst x: I = null!;   x.a;`, '3:25'],
    [
      'a.suite.ts',
      `const f = (n?: { a: string }): void => { throw new Error('x' as string); }; f();`,
      '1:48',
    ],
    ['a.suite.ts', `export default [missing];`, '1:17'],
    ['a.suite.ts', `await Promise.reject(new Error('x'));`, '1:22'],
    ['a.suite.ts', `import { h } from './h.ts';\n  export default [h()];`, '2:20'],
    ['a.suite.ts', `import { t } from './throws.ts';\nexport default t;`, '1:1'],
    ['a.suite.ts', `import j from './bad.json';\nexport default j;`, '1:1'],
    ['a.cts', `const x: number = 1;\nimport h = require('./gone.cjs');\nexport = [h];`, '2:9'],
    ['a.cjs', `const x = 1;   null.x;`, '1:21'],
    ['a.mjs', `import { h } from './h.ts';  h.x.y;`, '1:34'],
    ['a.js', `const { x } = require('./gone.js');\nmodule.exports = [];`, '1:15'],
  ])('with line and column of what threw while it was loaded: %s %s', async (name, text, place) => {
    const loaded = await load({
      [name]: text,
      'h.ts': 'export const h: any = {};',
      'throws.ts': `export const t = 1;\n  throw new Error('inside');`,
      'bad.json': '{ "a": }',
    });
    const [found] = loaded.problems;
    expect([`${found?.line}:${found?.column}`, found?.code]).toEqual([place, 'suite-load-failed']);
  });

  test.each([
    [
      `export default [{ id: 'x', get prompt() { throw new Error('no prompt'); }, assert() {} }];`,
      '1:49',
      'no prompt',
    ],
    [`export default { get a() { throw new Error('no case'); } };`, '1:34', 'no case'],
    [
      `export const workspace = { get mode() { throw new Error('no mode'); } }; export default [];`,
      '1:47',
      'no mode',
    ],
    [
      `export default [{ id: 'x', prompt: 'p', get assert() { return process.exit(0); } }];`,
      '1:71',
      'process.exit(0) was called, which would end assay and everything it measures',
    ],
  ])('with line and column of what a getter of it threw: %s', async (text, place, message) => {
    expect(await problems(text)).toEqual([`a.suite.ts:${place}  suite-load-failed  ${message}`]);
  });

  test('of its cases', async () => {
    const text = `export default [
      null,
      { id: '', prompt: 'p', assert() {} },
      { id: 'a', assert() {} },
      { id: 'a', prompt: 'p', asert() {} },
      { id: 'A!', prompt: 'p', assert() {} },
      { id: 'c', prompt: 'p' },
      { id: 'b', prompt: 'p', assert() {}, tags: ['x', ''], timeoutMs: 0, expectedFail: 'yes', classifyFailure: 1 },
    ];`;
    expect(await problems(text)).toEqual([
      'a.suite.ts  case #1  case-not-object  expected a case, got null',
      "a.suite.ts  case #2  case-id  id: expected a text, got ''",
      'a.suite.ts  case "a"  case-prompt  prompt: expected a text, got nothing',
      'a.suite.ts  case "a"  case-unknown-key  unknown key "asert" in a case  (did you mean `assert`?)',
      'a.suite.ts  case "c"  case-assert  assert: expected a function, got nothing',
      'a.suite.ts  case "b"  case-tags  tags[1]: expected a text, got \'\'',
      'a.suite.ts  case "b"  case-timeout  timeoutMs: expected a whole number of milliseconds from 1 to 2147483647, got 0',
      'a.suite.ts  case "b"  case-expected-fail  expectedFail: expected true or false, got \'yes\'',
      'a.suite.ts  case "b"  case-classify-failure  classifyFailure: expected a function, got 1',
      'a.suite.ts  case "a"  case-duplicate-id  case #3 has the same id "a"  (give each case its own id)',
      'a.suite.ts  case "A!"  case-id-collision  the ids "a" and "A!" would use the same file name  (rename one of them: ids that differ only in punctuation or capital letters get the same file name)',
    ]);
  });

  test.each([
    [`id: ' ', prompt: 'p', assert() {}`, "#1  case-id  id: expected a text, got ' '"],
    [`prompt: 'p', assert() {}`, '#1  case-id  id: expected a text, got nothing'],
    [`id: 7, prompt: 'p', assert() {}`, '#1  case-id  id: expected a text, got 7'],
    [
      `id: 'a', prompt: ' \\n', assert() {}`,
      String.raw`"a"  case-prompt  prompt: expected a text, got ' \n'`,
    ],
    [`id: 'a', prompt: 'p', assert: 'yes'`, `"a"  case-assert  assert: expected a function, got 'yes'`],
    [
      `id: 'a', prompt: 'p', assert() {}, tags: 'x'`,
      `"a"  case-tags  tags: expected a list of texts, got 'x'`,
    ],
    [
      `id: 'a', prompt: 'p', assert() {}, timeoutMs: 1.5`,
      '"a"  case-timeout  timeoutMs: expected a whole number of milliseconds from 1 to 2147483647, got 1.5',
    ],
  ])('of one case: %s', async (text, problem) => {
    expect(await problems(`export default [{ ${text} }];`)).toEqual([`a.suite.ts  case ${problem}`]);
  });

  test('of an id that is too long', async () => {
    const [problem = ''] = await problems(
      `export default [{ id: 'x'.repeat(201), prompt: 'p', assert() {} }];`,
    );
    expect(problem).toMatch(/^a\.suite\.ts {2}case "x{201}" {2}case-id {2}id: .*200/);
    expect(await problems(`export default [{ id: 'x'.repeat(200), prompt: 'p', assert() {} }];`)).toEqual([]);
  });

  test.each([
    [
      `{ mode: 'islated' }`,
      "workspace-mode  workspace: unknown workspace mode 'islated'  (did you mean `isolated`?)",
    ],
    [
      `'isolated'`,
      "workspace-mode  workspace: expected { mode }, got 'isolated'  (write { mode: 'none' }, { mode: 'shared' } or { mode: 'isolated' })",
    ],
    [
      `{ mode: 'shared', template: 'x' }`,
      'workspace-unknown-key  workspace: unknown key "template"  (known: mode, cwd, templateDir, bootstrap)',
    ],
    [
      `{ mode: 'isolated', cwd: '.' }`,
      'workspace-key-not-allowed  workspace: cwd is not allowed in a workspace of mode "isolated"',
    ],
    [
      `{ mode: 'none', bootstrap: { command: 'x' } }`,
      'workspace-key-not-allowed  workspace: bootstrap is not allowed in a workspace of mode "none"',
    ],
    [`{ mode: 'none', cwd: './gone' }`, 'workspace-cwd  workspace: folder not found: ./gone'],
    [
      `{ mode: 'isolated', templateDir: './gone' }`,
      'workspace-template  workspace: folder not found: ./gone  (correct the path of the template, or create the folder)',
    ],
    [
      `{ mode: 'isolated', templateDir: './a.suite.ts' }`,
      'workspace-template  workspace: ./a.suite.ts is not a folder  (name a folder, not a file)',
    ],
    [
      `{ mode: 'isolated', templateDir: './base' }`,
      'workspace-template  workspace: ./base contains the folder where runs are kept  (use a separate folder as the template, or choose another --out)',
    ],
    [
      `{ mode: 'isolated', bootstrap: { command: '', args: 'x' } }`,
      "workspace-bootstrap  workspace: bootstrap.command: expected a program, got ''",
      "workspace-bootstrap  workspace: bootstrap.args: expected a list of texts, got 'x'",
    ],
  ])('of its workspace %s', async (workspace, ...expected) => {
    const text = `export const workspace = ${workspace}; export default [${ok}];`;
    expect(await problems(text, { 'base/x': '' })).toEqual(expected.map((each) => `a.suite.ts  ${each}`));
  });

  test('of a missing file', async () => {
    const context = {
      projectRoot: root,
      directory: root,
      display: (path: string) => path.slice(root.length + 1),
    };
    const { problems: found } = await loadCodeSuites([join(root, 'gone.ts')], context);
    expect(found).toEqual([{ file: 'gone.ts', code: 'suite-not-found', message: 'suite file not found' }]);
  });
});
