import { join, relative } from 'node:path';

import { describe, expect, it } from 'vitest';

import { formatProblem } from '../../core/problem.ts';
import { folderWith, loadIn } from './scratch.fixture.ts';

async function problemsOf(yaml: string): Promise<string[]> {
  const { problems } = await loadIn(folderWith({ 'assay.config.yaml': yaml }));
  return problems.map(formatProblem);
}

describe('finding', () => {
  const MOCK = 'targets: { a: { type: mock, response: hi } }';

  it('takes the nearest config upward', async () => {
    const folder = folderWith({
      'assay.config.yaml': MOCK,
      'deep/er/x.txt': '',
      'deep/assay.config.json': '{}',
    });
    const far = await loadIn(folder, { start: '.' });
    const near = await loadIn(folder, { start: 'deep/er' });
    expect([far.loaded?.file, near.loaded?.file]).toEqual([
      join(folder, 'assay.config.yaml'),
      join(folder, 'deep/assay.config.json'),
    ]);
    expect(near.loaded?.directory).toBe(join(folder, 'deep'));
  });

  it('looks upward from the working directory where no folder of the suite has one', async () => {
    const folder = folderWith({ 'assay.config.yaml': MOCK });
    const elsewhere = relative(folder, folderWith({ 'evals/a.eval.yaml': '' }));
    const { loaded } = await loadIn(folder, { start: join(elsewhere, 'evals') });
    expect(loaded?.file).toBe(join(folder, 'assay.config.yaml'));
  });

  it('starts from a folder that is not there yet', async () => {
    const folder = folderWith({ 'assay.config.yaml': MOCK });
    const { loaded } = await loadIn(folder, { start: 'not/there' });
    expect(loaded?.directory).toBe(folder);
  });

  it('refuses two in one folder and takes the one that is named', async () => {
    const folder = folderWith({ 'assay.config.yaml': MOCK, 'assay.config.ts': 'export default {}' });
    expect((await loadIn(folder)).problems).toEqual([
      {
        file: 'assay.config.ts',
        code: 'config-ambiguous',
        message: 'this folder contains another config: assay.config.yaml',
        hint: 'keep one of them, or choose one with --config',
      },
    ]);
    const named = await loadIn(folder, { file: 'assay.config.yaml' });
    expect(named.loaded?.config.targets).toEqual({ a: { type: 'mock', response: 'hi' } });
  });

  it('names a config that is not there', async () => {
    expect((await loadIn(folderWith({}), { file: 'other.yaml' })).problems.map(formatProblem)).toEqual([
      'other.yaml  config-not-found  config file not found  (name an existing file with --config, or leave out --config to search for one)',
    ]);
  });

  it('takes an empty file as a config without keys', async () => {
    const { loaded, problems } = await loadIn(folderWith({ 'assay.config.yaml': '# nothing yet\n' }));
    expect(problems).toEqual([]);
    expect(loaded?.config).toEqual({ targets: {}, run: {} });
  });
});

describe('formats', () => {
  const content = { target: 'a', targets: { a: { type: 'mock', response: 'hi' } }, run: { concurrency: 3 } };
  const json = JSON.stringify(content);

  it.each([
    ['assay.config.json', json],
    ['assay.config.yml', 'target: a\ntargets: { a: { type: mock, response: hi } }\nrun: { concurrency: 3 }'],
    ['assay.config.js', `import { defineConfig } from 'assay';\nexport default defineConfig(${json});`],
    ['assay.config.mjs', `export default ${json};`],
    [
      'assay.config.ts',
      `import { defineConfig } from 'skillgym';\nimport { rest } from './rest';\nenum Name { A = 'a' }\nexport default defineConfig({ ...rest, target: Name.A });`,
    ],
    ['assay.config.mts', `const config: object = await Promise.resolve(${json});\nexport default config;`],
  ])('reads %s', async (name, text) => {
    const folder = folderWith({ [name]: text, 'rest.ts': `export const rest = ${json};` });
    const { loaded, problems } = await loadIn(folder);
    expect(problems).toEqual([]);
    expect(loaded?.config).toEqual(content);
    const same = await loadIn(folderWith({ 'assay.config.json': json }));
    expect(loaded?.digest).toBe(same.loaded?.digest);
  });

  it('gives the place of a syntax error in every format', async () => {
    const files: Readonly<Record<string, string>> = {
      'assay.config.yaml': 'target: a\ntargets: { a: [ }\n',
      'assay.config.json': '{\n  "target": "a",\n  "target": "b"\n}',
      'assay.config.ts': 'const x: number = 1;\nexport default {\n  a: 1;\n};\n',
    };
    const found = await Promise.all(
      Object.entries(files).map(
        async ([name, text]) => (await loadIn(folderWith({ [name]: text }))).problems[0],
      ),
    );
    expect(found.map((problem) => [problem?.file, problem?.line, problem?.column, problem?.code])).toEqual([
      ['assay.config.yaml', 2, 17, 'config-syntax'],
      ['assay.config.json', 3, 3, 'config-syntax'],
      ['assay.config.ts', 3, 7, 'config-syntax'],
    ]);
    expect(found[2]?.message).not.toMatch(/jiti|node_modules|\n/);
  });

  it.each([
    [
      'assay.config.json',
      '{"targets":{"bot":{"type":"mock"}}\n',
      'assay.config.json:1:35  config-syntax  the file ends in the middle of a JSON value',
    ],
    [
      'assay.config.json',
      '{\n  "target": "a"\n  "tags": []\n}',
      'assay.config.json:2:16  config-syntax  invalid JSON: expected `,` or `}`',
    ],
    [
      'assay.config.yaml',
      'target: a\ntargets: { a: { type: mock }\n',
      'assay.config.yaml:2:10  config-syntax  this bracket is not closed  (close it with `}`)',
    ],
    [
      'assay.config.json',
      `{"target": ${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
      'assay.config.json:1:510  too-deep  lists and mappings are nested more than 500 levels deep',
    ],
    [
      'assay.config.yaml',
      'target: a\n---\ntarget: b\n',
      'assay.config.yaml:2:1  config-syntax  the file has more than one YAML document  (put each document into its own file; a line `---` begins another document)',
    ],
    [
      'assay.config.mjs',
      "import '@nobody/nothing/deep';\nexport default {};\n",
      "assay.config.mjs:1:1  config-load-failed  Cannot find module '@nobody/nothing/deep'  (install the package: npm install @nobody/nothing)",
    ],
  ])('says in plain words what is wrong with the text of %s', async (name, text, message) => {
    const { problems } = await loadIn(folderWith({ [name]: text }));
    expect(problems.map(formatProblem)).toEqual([message]);
  });

  it('reports where a module threw, what it could not import, and a missing default export', async () => {
    const load = async (text: string) => {
      const { problems } = await loadIn(folderWith({ 'assay.config.ts': text }));
      return problems.map(formatProblem);
    };
    expect(await load("const x = 1;\nthrow new Error('no luck');\nexport default x;")).toEqual([
      'assay.config.ts:2:7  config-load-failed  no luck',
    ]);
    expect(await load("import './nowhere';\nexport default {};")).toEqual([
      "assay.config.ts:1:1  config-load-failed  Cannot find module './nowhere'",
    ]);
    expect(await load('export const config = {};')).toEqual([
      'assay.config.ts  config-no-default-export  has no default export  (export default defineConfig({ ... }))',
    ]);
  });

  it('tells to remove `multiTurn`, which no target needs', async () => {
    const folder = folderWith({
      'assay.config.yaml': 'targets: { a: { type: http, url: "http://127.0.0.1:9/", multiTurn: false } }',
    });
    expect((await loadIn(folder)).problems.map(formatProblem)).toEqual([
      'assay.config.yaml:1:57  unknown-key  targets.a: unknown key `multiTurn`  (remove it: the type of a target decides whether it supports several turns; for one answer, set `run.limits.maxTurns: 1`)',
    ]);
  });

  it('names the key of a problem in a module', async () => {
    const folder = folderWith({
      'assay.config.ts': 'export default { targets: { a: { type: "mock", respons: "x" } } };',
    });
    expect((await loadIn(folder)).problems.map(formatProblem)).toEqual([
      'assay.config.ts  missing-key  targets.a: `response` is missing',
      'assay.config.ts  unknown-key  targets.a: unknown key `respons`  (did you mean `response`?)',
    ]);
  });
});

describe('problems', () => {
  it('are reported together, each with its place and a suggestion', async () => {
    const yaml = `
taget: a
target: b
judge: openai/gpt-4o
run:
  concurrency: two
  tags: smoke
  limits: { timeout_ms: 5 }
  workspace: { mode: islated }
targets:
  a: { type: mok }
  c:
    type: http
    maxparallel: 2
    env: { DEBUG: 1 }
    judge: nobody
`;
    expect(await problemsOf(yaml)).toEqual([
      'assay.config.yaml:2:1  unknown-key  unknown key `taget`  (did you mean `target`?)',
      'assay.config.yaml:3:9  unknown-target  target: unknown target "b"  (did you mean `a`?)',
      'assay.config.yaml:4:8  unknown-target  judge: unknown target "openai/gpt-4o"  (for a model write { model: "openai/gpt-4o" })',
      'assay.config.yaml:6:16  wrong-type  run.concurrency: expected a number, got "two"',
      'assay.config.yaml:7:9  wrong-type  run.tags: expected a list, got "smoke"  (for a list with one entry, write ["smoke"])',
      'assay.config.yaml:8:13  unknown-key  unknown key `timeout_ms` in run.limits  (did you mean `timeoutMs`?)',
      'assay.config.yaml:9:22  invalid-value  run.workspace.mode: "islated" is not one of: none, shared, isolated  (did you mean `isolated`?)',
      'assay.config.yaml:11:14  unknown-target-type  targets.a.type: unknown target type "mok"  (did you mean `mock`?)',
      'assay.config.yaml:13:5  missing-key  targets.c: `url` is missing',
      'assay.config.yaml:14:5  unknown-key  targets.c: unknown key `maxparallel`  (did you mean `maxParallel`?)',
      'assay.config.yaml:15:19  wrong-type  targets.c: env.DEBUG: expected a text, got 1  (put it in quotes)',
      'assay.config.yaml:16:12  unknown-target  targets.c.judge: unknown target "nobody"  (configured: a, c)',
    ]);
  });

  it('refuse keys that a workspace mode does not have, and an empty tolerance', async () => {
    expect(
      await problemsOf('run: { workspace: { mode: isolated, cwd: . } }\nsnapshots: { tolerance: {} }'),
    ).toEqual([
      'assay.config.yaml:1:42  invalid-value  run.workspace.cwd: is not allowed in a workspace of mode "isolated"',
      'assay.config.yaml:2:25  invalid-value  snapshots.tolerance: needs `absolute`, `percent` or both',
    ]);
  });

  it('refuse malformed model names, except references to environment variables', async () => {
    expect(await problemsOf('user: { model: foo }\njudge: { model: "${{ JUDGE }}" }')).toEqual([
      'assay.config.yaml:1:16  invalid-value  user.model: write it as provider/name, such as openai/gpt-5-mini',
    ]);
  });

  it('take one of a model and a target as judge and as user, and no target that is not there', async () => {
    expect(
      await problemsOf(
        'judge: { samples: 2 }\nuser: { model: a/b, target: x }\ntargets: { x: { type: mock, response: a, judge: { target: y } } }',
      ),
    ).toEqual([
      'assay.config.yaml:1:8  missing-key  needs `model` (provider/name) or `target`',
      'assay.config.yaml:2:29  invalid-value  user.target: cannot be used together with `model`',
      'assay.config.yaml:3:59  unknown-target  targets.x.judge.target: unknown target "y"  (did you mean `x`?)',
    ]);
  });

  it('refuse a config that is not a mapping', async () => {
    expect(await problemsOf('- a')).toEqual([
      'assay.config.yaml:1:1  wrong-type  expected a mapping, got a list',
    ]);
  });

  it('include a config that contains itself', async () => {
    expect(await problemsOf('targets: &all { a: *all }')).toEqual([
      'assay.config.yaml:1:1  config-syntax  an alias in the config refers to itself',
    ]);
  });

  it('skip texts with environment variables, but find a broken reference', async () => {
    expect(await problemsOf('targets: { a: { type: http, url: "${{ HOST }}/x" } }')).toEqual([]);
    expect(
      await problemsOf('targets: { a: { type: mock, response: "${{ env.X }}" } }\nrun: { cwd: "${{}}" }'),
    ).toEqual([
      'assay.config.yaml:1:39  environment-syntax  targets.a.response: ${{ without the name of a variable  (write ${{ NAME }})',
      'assay.config.yaml:2:13  environment-syntax  run.cwd: ${{ without the name of a variable  (write ${{ NAME }})',
    ]);
  });
});

describe('published spellings', () => {
  it('mean the same as our keys', async () => {
    const folder = folderWith({
      'assay.config.yaml': `
runners:
  main: { agent: { type: codex, model: gpt-5, passEnv: [KEY] }, maxParallel: 2 }
run: { maxParallel: 4, maxSteps: 9, reporter: standard, repeatFailure: 0, schedule: parallel }
defaults: { timeoutMs: 1000 }
`,
    });
    const { loaded, problems } = await loadIn(folder);
    expect(problems).toEqual([]);
    expect(loaded?.config).toEqual({
      targets: { main: { type: 'codex', model: 'gpt-5', passEnv: ['KEY'], maxParallel: 2 } },
      run: {
        concurrency: 4,
        limits: { maxSteps: 9, turnTimeoutMs: 1000 },
        reporters: ['terminal'],
        schedule: 'parallel',
      },
    });
  });

  it('are refused together with the key they stand for; reruns of failures are always refused', async () => {
    expect(
      await problemsOf(`
targets: { a: { type: mock, response: x } }
runners: { b: { maxParallel: 1, agent: { type: codex, model: m, maxParallel: 2 } } }
run: { concurrency: 1, maxParallel: 2, maxSteps: 3, limits: { maxSteps: 3, turnTimeoutMs: 1 }, repeatFailure: 2 }
defaults: { timeoutMs: 1 }
`),
    ).toEqual([
      'assay.config.yaml:3:1  config-both-spellings  `runners` and `targets` set the same value  (keep one of the two)',
      'assay.config.yaml:3:17  config-both-spellings  `runners.b.maxParallel` and `runners.b.agent.maxParallel` set the same value  (keep one of the two)',
      'assay.config.yaml:4:24  config-both-spellings  `run.maxParallel` and `run.concurrency` set the same value  (keep one of the two)',
      'assay.config.yaml:4:40  config-both-spellings  `run.maxSteps` and `run.limits.maxSteps` set the same value  (keep one of the two)',
      'assay.config.yaml:4:111  rerun-of-failures  run.repeatFailure: failed cases are never run again, because that would turn a success rate of 70 % into 91 %  (use `run.repeat` to measure flakiness, and `run.retryInfrastructure` for outages)',
      'assay.config.yaml:5:13  config-both-spellings  `defaults.timeoutMs` and `run.limits.turnTimeoutMs` set the same value  (keep one of the two)',
    ]);
  });

  it('keep the place of a mistake in a runner', async () => {
    expect(
      await problemsOf('runners:\n  a:\n    agent:\n      type: codex\n      modell: m\n    env: { A: 1 }\n'),
    ).toEqual([
      'assay.config.yaml:4:7  missing-key  runners.a.agent: `model` is missing',
      'assay.config.yaml:5:7  unknown-key  runners.a.agent: unknown key `modell`  (did you mean `model`?)',
      'assay.config.yaml:6:15  wrong-type  runners.a.agent: env.A: expected a text, got 1  (put it in quotes)',
    ]);
  });
});
