import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Ended } from './support/cli.ts';
import { eventsOf, newestRun, openProject, rowOf, rowsOf, type Project } from './support/project.ts';

const CONFIG = {
  target: 'mock',
  run: { retryInfrastructure: 3 },
  targets: {
    mock: { type: 'mock', response: 'skillgym ready' },
    hanging: { type: 'cli', command: ['sh', '-c', 'sleep 600'] },
    where: { type: 'cli', command: ['sh', '-c', 'pwd -P; touch made-by-agent'] },
  },
};

const HEAD = `import { assert, commandMatcher, grade, type Case } from 'skillgym';\n`;

/** A suite of these cases, each the body of its assert function. */
function suite(cases: Readonly<Record<string, string>>, more = ''): string {
  const texts = Object.entries(cases).map(
    ([id, body]) => `{ id: ${JSON.stringify(id)}, prompt: 'go', ${body} }`,
  );
  return `${HEAD}${more}\nconst suite: Case[] = [\n${texts.join(',\n')}\n];\nexport default suite;\n`;
}

function errorOf(run: string, caseId: string): Readonly<Record<string, unknown>> {
  const { artifactDir = '' } = rowOf(run, caseId);
  return JSON.parse(readFileSync(join(run, artifactDir, 'error.json'), 'utf8')) as Record<string, unknown>;
}

function seen(run: string, caseId: string): unknown {
  const { verdict, status, attempts, failureClass, error } = rowOf(run, caseId);
  return { verdict, status, attempts: attempts.length, class: failureClass?.id, kind: error?.kind };
}

test('what is rejected when the hook has ended is told in the log and on the terminal', async () => {
  await using project = openProject({
    'assay.config.json': { ...CONFIG, run: { schedule: 'serial' } },
    'a.suite.ts': suite(
      {
        'left behind': `assert() { void allowed.then(() => { throw new Error('too late'); }); }`,
        'comes after it': `async assert() { allow(); await new Promise((resolve) => setImmediate(resolve)); }`,
      },
      `let allow = () => {};\nconst allowed = new Promise<void>((resolve) => { allow = resolve; });`,
    ),
  });
  const ended = await project.assay('run');
  const run = newestRun(project);
  const text = 'a promise or callback that the assert function did not await failed: too late';
  const told = eventsOf(run).filter(({ fact }) => fact.type === 'note');
  expect(told.map(({ trial, fact }) => [trial, fact])).toEqual([
    ['a.suite.ts/left behind/mock/r1', { type: 'note', text }],
  ]);
  const isInRow = rowOf(run, 'left behind').notes !== undefined;
  expect(ended.stdout).toContain(
    isInRow ? `1 warning: left behind: ${text}` : `Warning: a.suite.ts/left behind/mock/r1: ${text}`,
  );
});

describe('hooks that fail in every way', () => {
  let project: Project;
  let ended: Ended;
  let run: string;

  beforeAll(async () => {
    project = openProject({
      'assay.config.json': CONFIG,
      'a.suite.ts': suite(
        {
          'always-passes': `tags: ['smoke'], assert(report, ctx) { assert.match(ctx.finalOutput(), /skillgym ready/); }`,
          soft: `assert(report) { assert.soft.output.includes(report, 'nope'); assert.soft.equal(report.events.length, 2); assert.soft.fail('two'); }`,
          'expected soft': `expectedFail: true, assert() { assert.soft.fail('soft'); }`,
          'classifier promises': `classifyFailure: (async () => 'x') as never, assert() { assert.fail('x'); }`,
          'classifier knows': `classifyFailure: (result) => 'saw ' + result.report.finalOutput, assert() { assert.fail('x'); }`,
          'classifier looks': `classifyFailure: ({ artifactDir }) => existsSync(artifactDir + '/report.json') ? 'looked' : 'lost', assert() { assert.fail('x'); }`,
          'missed grade': `async assert(report) { await grade(report, { type: 'contains', value: 'zz' }); }`,
          'malformed grade': `async assert(report) { await grade(report, { type: 'contians', value: 'x' }).catch(() => {}); }`,
          'never ends': `assert() { return new Promise(() => {}); }`,
          'no command': `assert(report) { assert.commands.includes(report, 'pnpm', { message: 'Use pnpm' }); }`,
        },
        `import { existsSync } from 'node:fs';`,
      ),
      'b.eval.yaml': {
        tests: [{ id: 'beside', input: 'go', assert: [{ type: 'contains', value: 'ready' }] }],
      },
    });
    project.write({
      'assay.config.json': { ...CONFIG, run: { ...CONFIG.run, assertTimeoutMs: 3_000 } },
    });
    ended = await project.assay('run');
    run = newestRun(project);
  });

  afterAll(() => project[Symbol.asyncDispose]());

  test('run beside YAML evals, and failures decide the exit code', () => {
    expect(ended.stderr).toBe('');
    expect([ended.code, rowsOf(run).length]).toEqual([1, 11]);
    expect(seen(run, 'beside')).toMatchObject({ verdict: 'passed', class: undefined });
  });

  test.each<[string, string, string, string | undefined, string | undefined]>([
    ['always-passes', 'passed', 'passed', undefined, undefined],
    ['soft', 'failed', 'failed', 'assertion', undefined],
    ['expected soft', 'failed', 'expected-failed', 'assertion', undefined],
    ['classifier promises', 'errored', 'errored', 'assert-hook', 'assert-hook'],
    ['classifier knows', 'failed', 'failed', 'saw skillgym ready', undefined],
    ['classifier looks', 'failed', 'failed', 'looked', undefined],
    ['missed grade', 'failed', 'failed', 'grade', undefined],
    ['malformed grade', 'errored', 'errored', 'grader', 'grader'],
    ['never ends', 'errored', 'errored', 'assert-hook', 'assert-hook'],
  ])('%s is %s, status %s, class %s', (id, verdict, status, failureClass, kind) => {
    expect(seen(run, id)).toEqual({ verdict, status, attempts: 1, class: failureClass, kind });
  });

  test('error.json tells of soft failures, their places, and no frame of ours', () => {
    expect(errorOf(run, 'soft')).toMatchObject({
      error: {
        name: 'AssertionError',
        message:
          '2 assertion failures:\n1. Expected final output matching "nope". Observed final output: skillgym ready\n2. two',
      },
      failureOrigin: 'assertion',
      location: expect.stringMatching(/\/a\.suite\.ts:\d+:\d+$/) as string,
      softFailures: [{ message: expect.stringContaining('nope') as string }, { message: 'two' }],
      class: { id: 'assertion', label: 'Assertion failure' },
    });
    const { stack = '' } = errorOf(run, 'no command')['error'] as { stack?: string };
    expect(stack.split('\n').slice(1)).toEqual([expect.stringContaining('/a.suite.ts:')]);
  });

  test('the grades of a hook are in its row', () => {
    const [grade] = rowOf(run, 'missed grade').grades;
    expect(grade?.members).toMatchObject([{ type: 'contains', score: 0, passed: false }]);
  });

  test('report.json is the report that the hook saw', () => {
    const { artifactDir = '' } = rowOf(run, 'always-passes');
    const report = JSON.parse(readFileSync(join(run, artifactDir, 'report.json'), 'utf8')) as object;
    expect(report).toMatchObject({
      runner: {
        id: 'mock',
        pathKey: expect.stringMatching(/^mock--[0-9a-f]{8}$/) as string,
        agent: { type: 'mock', model: '' },
      },
      prompt: 'go',
      finalOutput: 'skillgym ready',
      events: [
        { type: 'message', role: 'user', text: 'go' },
        { type: 'message', role: 'assistant', phase: 'final', text: 'skillgym ready' },
      ],
      workspace: { directory: project.directory },
    });
  });

  test('stored trials are graded again with the functions of now', async () => {
    const text = project.read('a.suite.ts');
    project.write({
      'a.suite.ts': text.replace(`'nope'`, `'ready'`).replace(`assert.soft.fail('two');`, ''),
    });
    const again = await project.assay('grade', run);
    expect(again.stderr).toBe('');
    expect(seen(newestRun(project), 'soft')).toMatchObject({ verdict: 'passed', class: undefined });
    expect(seen(newestRun(project), 'classifier looks')).toMatchObject({ class: 'looked' });
    project.write({ 'a.suite.ts': text });
  });
});

describe('what is run', () => {
  test('the published spellings of the config work', async () => {
    await using project = openProject({
      'assay.config.ts': `export default { runners: { one: { agent: { type: 'cli', command: ['./fake.sh'] } } },
        run: { schedule: 'serial', reporter: 'standard' }, defaults: { timeoutMs: 9000 } };`,
      'fake.sh': '#!/bin/sh\necho "from $0"\n',
      'deep/a.suite.ts': suite({ one: `assert(report) { assert.output.includes(report, 'fake.sh'); }` }),
    });
    expect((await project.assay('run', 'deep/a.suite.ts')).code).toBe(0);
  });
});

describe('a reporter that is a module', () => {
  const told = `import { appendFileSync } from 'node:fs';
    const say = (text: string) => appendFileSync('told', text + '\\n');
    import type { BenchmarkReporter } from 'assay';`;

  test('hears of suites, cases, runners and results', async () => {
    await using project = openProject({
      'assay.config.json': CONFIG,
      'a.suite.ts': suite(
        { one: `tags: ['t'], assert() { runs += 1; assert.notEqual(runs, 1); }` },
        'let runs = 0;',
      ),
      'reporter.ts': `${told}
        const reporter: BenchmarkReporter = {
          onSuiteStart: ({ cases, runners, context }) => say(['suite', cases.length, runners[0]?.id, context.workspaceMode, context.selectedExecutionCount].join(' ')),
          onCaseStart: ({ case: { id }, caseIndex, totalCases }) => say(['case', id, caseIndex, totalCases].join(' ')),
          onRunnerStart: ({ runner }) => say('runner ' + runner.id),
          onRunnerFinish: ({ result }) => say(['ran', result.status, result.repetitions?.length, result.report.finalOutput, result.error?.name].join(' ')),
          onCaseFinish: ({ result }) => say('case ' + result.passed),
          onSuiteFinish: ({ result }) => say(['end', result.runners[0]?.successRate, result.cases[0]?.runnerResults[0]?.successfulRepetitions].join(' ')),
        };
        export default reporter;`,
    });
    const ended = await project.assay('run', '--repeat', '2', '--reporter', './reporter.ts');
    expect(ended.code).toBe(1);
    expect(project.read('told').trim().split('\n')).toEqual([
      'suite 1 mock none 2',
      'case one 1 1',
      'runner mock',
      'ran failed 2 skillgym ready AssertionError',
      'case false',
      'end 0 1',
    ]);
  });
});

describe('workspaces', () => {
  test('an isolated one has the template, a repository and nothing of the project in its path', async () => {
    await using project = openProject({
      'assay.config.json': { ...CONFIG, target: 'where' },
      'a.suite.ts': suite(
        {
          'find-me': `assert(report) {
            const { directory } = report.workspace!;
            assert.doesNotMatch(directory, /find-me|project/);
            assert.deepEqual(readdirSync(directory).sort(), ['.env', '.git', 'made-by-agent']);
            assert.equal(execFileSync('git', ['status', '--short'], { cwd: directory }).toString(), '?? made-by-agent\\n');
          }`,
          fails: `assert() { assert.fail('x'); }`,
          'fails as expected': `expectedFail: true, assert() { assert.fail('x'); }`,
        },
        `import { execFileSync } from 'node:child_process'; import { readdirSync } from 'node:fs';
         export const workspace = { mode: 'isolated', templateDir: './base' };`,
      ),
      'base/.env': 'A=1\n',
    });
    const ended = await project.assay('run');
    const run = newestRun(project);
    expect(errorsIn(run)).toEqual(['x', 'x']);
    expect(ended.code).toBe(1);
    expect(rowOf(run, 'find-me').workspacePath).toBe(undefined);
    for (const id of ['fails', 'fails as expected']) {
      const kept = join(run, rowOf(run, id).workspacePath ?? '');
      expect(readdirSync(kept).sort()).toEqual(['.env', '.git', 'made-by-agent']);
    }
    expect(project.litter()).toEqual([]);
  });

  test('trials of one directory run one at a time, isolated ones side by side', async () => {
    const overlap = `async assert() {
      open += 1;
      most = Math.max(most, open);
      do await new Promise((done) => setTimeout(done, 50)); while (most < MOST);
      open -= 1;
      assert.equal(most, MOST);
    }`;
    await using project = openProject({
      'assay.config.json': CONFIG,
      'a.suite.ts': suite({ one: overlap, two: overlap }, 'let open = 0; let most = 0; const MOST = 1;'),
    });
    expect((await project.assay('run')).code).toBe(0);
    const isolated = `export const workspace = { mode: 'isolated' }; let open = 0; let most = 0; const MOST = 2;`;
    project.write({ 'a.suite.ts': suite({ one: overlap, two: overlap }, isolated) });
    expect((await project.assay('run')).code).toBe(0);
  });
});

/** Messages of what did not pass. */
function errorsIn(run: string): readonly string[] {
  return rowsOf(run).flatMap(({ grades, error, verdict }) =>
    verdict === 'passed' ? [] : [error?.message ?? grades[0]?.reason ?? ''],
  );
}

const CASES = (id: string) =>
  `[{ id: '${id}', prompt: 'go', assert(r) { assert.output.includes(r, 'ready'); } }]`;

test('a suite in CommonJS has the same assay as any other', async () => {
  await using project = openProject({
    'assay.config.json': CONFIG,
    'a.suite.ts': `import { assert } from 'assay';
      Object.assign(globalThis, { ofModule: assert }); export default ${CASES('module')};`,
    'b.suite.cjs': `const { assert } = require('assay'); module.exports = ${CASES('cjs')};
      assert.equal(assert, globalThis.ofModule);`,
    'c.suite.cts': `import assay = require('skillgym'); const { assert } = assay;
      const suite: assay.Case[] = ${CASES('cts')}; assert.equal(assert, Reflect.get(globalThis, 'ofModule'));
      export = suite;`,
    'd.suite.mjs': `import { assert } from 'assay'; export default ${CASES('mjs')};
      assert.equal(assert, globalThis.ofModule);`,
  });
  const names = ['a.suite.ts', 'b.suite.cjs', 'c.suite.cts', 'd.suite.mjs'];
  const ended = await project.assay('run', ...names);
  expect([ended.code, ended.stderr]).toEqual([0, '']);
  expect(Object.fromEntries(rowsOf(newestRun(project)).map((row) => [row.caseId, row.verdict]))).toEqual({
    module: 'passed',
    cjs: 'passed',
    cts: 'passed',
    mjs: 'passed',
  });
});

test('a classifyFailure that gives a promise, or what is no class, is an error that says so on one line', async () => {
  const failing = `assert() { assert.fail('x'); }`;
  await using project = openProject({
    'assay.config.json': CONFIG,
    'a.suite.ts': suite({
      promised: `classifyFailure: (async () => 'x') as never, ${failing}`,
      numbered: `classifyFailure: (() => 5) as never, ${failing}`,
      nameless: `classifyFailure: (() => ({ label: 'L' })) as never, ${failing}`,
    }),
  });
  expect((await project.assay('run')).code).toBe(3);
  const run = newestRun(project);
  const said = 'classifyFailure threw: expected the id of a failure class or { id, label }, got';
  const errored = {
    verdict: 'errored',
    status: 'errored',
    attempts: 1,
    class: 'assert-hook',
    kind: 'assert-hook',
  };
  const got = { promised: 'a promise', numbered: '5', nameless: "{ label: 'L' }" };
  expect(Object.keys(got).map((id) => [seen(run, id), rowOf(run, id).error?.message])).toEqual(
    Object.values(got).map((value) => [errored, `${said} ${value}`]),
  );
});
