import { existsSync, readdirSync, readFileSync } from 'node:fs';
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

describe('hooks that fail in every way', () => {
  let project: Project;
  let ended: Ended;
  let run: string;

  beforeAll(async () => {
    project = openProject({
      'assay.config.json': CONFIG,
      'a.suite.ts': suite({
        'always-passes': `tags: ['smoke'], assert(report, ctx) { assert.match(ctx.finalOutput(), /skillgym ready/); }`,
        soft: `assert(report) { assert.soft.output.includes(report, 'nope'); assert.soft.equal(report.events.length, 2); assert.soft.fail('two'); }`,
        'soft then null': `assert() { assert.soft.fail('soft'); (null as any).x; }`,
        'expected soft': `expectedFail: true, assert() { assert.soft.fail('soft'); }`,
        'expected crash': `expectedFail: true, assert() { throw new Error('odd'); }`,
        'expected and passes': `expectedFail: true, assert() {}`,
        slow: `async assert() { await assert.classify('slow', async () => assert.fail('x')); }`,
        nested: `assert() { assert.classify('outer', () => assert.classify('inner', () => assert.fail('x'))); }`,
        'classifier throws': `classifyFailure() { throw new Error('hm'); }, assert() { assert.fail('x'); }`,
        'classifier promises': `classifyFailure: (async () => 'x') as never, assert() { assert.fail('x'); }`,
        'classifier knows': `classifyFailure: (result) => 'saw ' + result.report.finalOutput, assert() { assert.fail('x'); }`,
        'missed grade': `async assert(report) { await grade(report, { type: 'contains', value: 'zz' }); }`,
        'broken grader': `async assert(report) { await grade(report, { type: 'code_judge', script: ['no-such-grader'] }).catch(() => {}); }`,
        'malformed grade': `async assert(report) { await grade(report, { type: 'contians', value: 'x' }).catch(() => {}); }`,
        'left behind': `assert() { void (async () => { await new Promise((done) => setTimeout(done, 50)); assert.fail('too late'); })(); }`,
        'never ends': `assert() { return new Promise(() => {}); }`,
        'no command': `assert(report) { assert.commands.includes(report, 'pnpm', { message: 'Use pnpm' }); }`,
      }),
      'b.eval.yaml': {
        tests: [{ id: 'beside', input: 'go', assert: [{ type: 'contains', value: 'ready' }] }],
      },
    });
    project.write({
      'assay.config.json': { ...CONFIG, run: { ...CONFIG.run, assertTimeoutMs: 300 } },
    });
    ended = await project.assay('run');
    run = newestRun(project);
  });

  afterAll(() => project[Symbol.asyncDispose]());

  test('run beside YAML evals, and failures decide the exit code', () => {
    expect(ended.stderr).toBe('');
    expect([ended.code, rowsOf(run).length]).toEqual([1, 18]);
    expect(seen(run, 'beside')).toMatchObject({ verdict: 'passed', class: undefined });
  });

  test.each<[string, string, string, string | undefined, string | undefined]>([
    ['always-passes', 'passed', 'passed', undefined, undefined],
    ['soft', 'failed', 'failed', 'assertion', undefined],
    ['soft then null', 'errored', 'errored', 'assert-hook', 'assert-hook'],
    ['expected soft', 'failed', 'expected-failed', 'assertion', undefined],
    ['expected crash', 'errored', 'errored', 'assert-hook', 'assert-hook'],
    ['expected and passes', 'passed', 'unexpected-passed', 'unexpected-passed', undefined],
    ['slow', 'failed', 'failed', 'slow', undefined],
    ['nested', 'failed', 'failed', 'inner', undefined],
    ['classifier throws', 'errored', 'errored', 'assert-hook', 'assert-hook'],
    ['classifier promises', 'errored', 'errored', 'assert-hook', 'assert-hook'],
    ['classifier knows', 'failed', 'failed', 'saw skillgym ready', undefined],
    ['missed grade', 'failed', 'failed', 'grade', undefined],
    ['broken grader', 'errored', 'errored', 'grader', 'grader'],
    ['malformed grade', 'errored', 'errored', 'grader', 'grader'],
    ['left behind', 'passed', 'passed', undefined, undefined],
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
    expect(errorOf(run, 'soft then null')).toMatchObject({
      failureOrigin: 'assert-hook',
      stage: 'grading',
      kind: 'assert-hook',
      softFailures: [{ message: 'soft' }],
    });
    const { stack = '' } = errorOf(run, 'no command')['error'] as { stack?: string };
    expect(stack.split('\n').slice(1)).toEqual([expect.stringContaining('/a.suite.ts:')]);
  });

  test('what is rejected when the hook has ended is told in the log and on the terminal', () => {
    const text = 'what the assert function did not wait for was rejected when it had ended: too late';
    const told = eventsOf(run).filter(({ fact }) => fact.type === 'note');
    expect(told.map(({ trial, fact }) => [trial, fact])).toEqual([
      ['a.suite.ts/left behind/mock/r1', { type: 'note', text }],
    ]);
    const { notes } = rowOf(run, 'left behind');
    const isInRow = notes !== undefined;
    expect(ended.stdout).toContain(
      isInRow ? `1 warning: left behind: ${text}` : `Warning: a.suite.ts/left behind/mock/r1: ${text}`,
    );
  });

  test('the grades of a hook are in its row', () => {
    const [grade] = rowOf(run, 'missed grade').grades;
    expect(grade?.members).toMatchObject([{ type: 'contains', score: 0, passed: false }]);
  });

  test('a message stands first and what was observed last', () => {
    expect(rowOf(run, 'no command').grades[0]?.reason).toBe(
      'Use pnpm. Expected a command matching "pnpm". Observed commands: (none)',
    );
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
    project.write({ 'a.suite.ts': text });
  });
});

describe('what is run', () => {
  test('all problems of all suites are told, and nothing runs', async () => {
    await using project = openProject({
      'assay.config.json': CONFIG,
      'a.suite.ts': `export const workspace = { mode: 'islated' };
        export default [{ id: 'a', prompt: 'p', assert() {} }, { id: 'a', assert() {}, asert: 1 }];`,
    });
    const ended = await project.assay('run');
    expect([ended.code, project.runs()]).toEqual([2, []]);
    for (const part of [
      'case-duplicate-id',
      'case-prompt',
      'did you mean `assert`',
      'did you mean `isolated`',
    ])
      expect(ended.stdout + ended.stderr).toContain(part);
  });

  test('tags select in the order of the suite', async () => {
    const tagged = (...tags: string[]) => `tags: ${JSON.stringify(tags)}, assert() {}`;
    await using project = openProject({
      'assay.config.json': CONFIG,
      'a.suite.ts': suite({
        one: tagged('slow'),
        two: tagged('smoke'),
        three: tagged('auth', 'flaky'),
        four: tagged('other'),
      }),
    });
    const ended = await project.assay(
      'run',
      'a.suite.ts',
      '--tag',
      'smoke',
      '--tag',
      'auth,slow',
      '--exclude-tag',
      'flaky',
    );
    expect(ended.stderr).toBe('');
    expect(rowsOf(newestRun(project)).map(({ caseId }) => caseId)).toEqual(['one', 'two']);
    const wrong = await project.assay('run', '--tag', ',x');
    expect(wrong.code).toBe(2);
    const none = await project.assay('run', '--tag', 'nothing');
    expect([none.code, project.runs().length]).toEqual([2, 1]);
    expect(none.stdout + none.stderr).toMatch(/nothing[\s\S]*smoke/);
  });

  test('repetitions are trials of their own', async () => {
    await using project = openProject({
      'assay.config.json': CONFIG,
      'a.suite.ts': suite({ one: `assert() { runs += 1; assert.notEqual(runs, 3); }` }, 'let runs = 0;'),
    });
    const ended = await project.assay('run', '--repeat', '5');
    const rows = rowsOf(newestRun(project));
    expect([ended.code, rows.map(({ verdict }) => verdict)]).toEqual([
      1,
      ['passed', 'passed', 'failed', 'passed', 'passed'],
    ]);
  });

  test('the published spellings of the config work', async () => {
    await using project = openProject({
      'assay.config.ts': `export default { runners: { one: { agent: { type: 'cli', command: ['./fake.sh'] } } },
        run: { schedule: 'serial', reporter: 'standard' }, defaults: { timeoutMs: 9000 } };`,
      'fake.sh': '#!/bin/sh\necho "from $0"\n',
      'deep/a.suite.ts': suite({ one: `assert(report) { assert.output.includes(report, 'fake.sh'); }` }),
    });
    expect((await project.assay('run', 'deep/a.suite.ts')).code).toBe(0);
    project.write({ 'assay.config.ts': 'export default { run: { repeatFailure: 2 } };' });
    const refused = await project.assay('run', 'deep/a.suite.ts');
    expect(refused.code).toBe(2);
    expect(refused.stdout + refused.stderr).toContain('retryInfrastructure');
  });

  test('an agent that takes too long is not asserted on, and its class can be replaced', async () => {
    await using project = openProject({
      'assay.config.json': CONFIG,
      'a.suite.ts': suite({
        slow: `timeoutMs: 300, classifyFailure: (result) => 'empty:' + result.report.finalOutput + result.failureOrigin, assert() { throw new Error('called'); }`,
        plain: `timeoutMs: 300, assert() {}`,
      }),
    });
    const ended = await project.assay('run', '--target', 'hanging');
    const run = newestRun(project);
    expect([ended.code, seen(run, 'slow'), seen(run, 'plain')]).toEqual([
      3,
      { verdict: 'errored', status: 'errored', attempts: 1, class: 'empty:runner', kind: 'timeout' },
      { verdict: 'errored', status: 'errored', attempts: 1, class: 'timeout', kind: 'timeout' },
    ]);
    expect(existsSync(join(run, rowOf(run, 'slow').artifactDir ?? '', 'report.json'))).toBe(false);
    expect(await project.orphans()).toEqual([]);
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

  test('is dropped and named when it throws, and the run goes on', async () => {
    await using project = openProject({
      'assay.config.json': CONFIG,
      'a.suite.ts': suite({ one: `assert() {}`, two: `assert() {}` }),
      'reporter.mjs': `export const reporter = { onCaseFinish() { throw new Error('broken reporter'); } };`,
      'none.mjs': `export default {};`,
    });
    const ended = await project.assay('run', '--reporter', './reporter.mjs');
    expect(rowsOf(newestRun(project)).map(({ verdict }) => verdict)).toEqual(['passed', 'passed']);
    expect(ended.stdout + ended.stderr).toMatch(/reporter\.mjs[^\n]*broken reporter/);
    expect((await project.assay('run', '--reporter', './none.mjs')).code).toBe(2);
  });
});

describe('workspaces', () => {
  const seesWhere = `assert(report) { assert.ok(report.workspace); assert.output.includes(report, report.workspace.directory); }`;

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

  test('a bootstrap beside the suite prepares it, and knows the case under both names', async () => {
    await using project = openProject({
      'assay.config.json': { ...CONFIG, target: 'where' },
      'in/a.suite.ts': suite(
        {
          one: `assert(report) { assert.equal(readFileSync(join(report.workspace!.directory, 'seen'), 'utf8'), 'one one where where --seed\\n'); }`,
        },
        `import { readFileSync } from 'node:fs'; import { join } from 'node:path';
         export const workspace = { mode: 'isolated', bootstrap: { command: 'sh', args: ['./scripts/prep.sh', '--seed'] } };`,
      ),
      'in/scripts/prep.sh':
        'echo "$ASSAY_CASE_ID $SKILLGYM_CASE_ID $ASSAY_TARGET_ID $SKILLGYM_RUNNER_ID $1" > seen\n',
    });
    const ended = await project.assay('run', 'in/a.suite.ts');
    expect([errorsIn(newestRun(project)), ended.code]).toEqual([[], 0]);
    project.write({ 'in/scripts/prep.sh': 'echo out; echo oh no >&2; exit 3\n' });
    const failed = await project.assay('run', 'in/a.suite.ts');
    const run = newestRun(project);
    expect([failed.code, seen(run, 'one')]).toEqual([
      3,
      {
        verdict: 'errored',
        status: 'errored',
        attempts: 1,
        class: 'workspace-bootstrap',
        kind: 'workspace-bootstrap',
      },
    ]);
    expect(eventsOf(run).filter(({ fact }) => fact.type === 'transcript-entry')).toEqual([]);
    const artifacts = join(run, rowOf(run, 'one').artifactDir ?? '');
    expect(readFileSync(join(artifacts, 'bootstrap.stderr.log'), 'utf8')).toBe('oh no\n');
  });

  test('a shared one is prepared once, removed when all passed, and kept when not', async () => {
    const bootstrap = `export const workspace = { mode: 'shared', bootstrap: { command: 'sh', args: ['-c', 'echo x >> ran'] } };`;
    const ranOnce = `assert(report) { assert.equal(readFileSync(report.workspace!.directory + '/ran', 'utf8'), 'x\\n'); }`;
    await using project = openProject({
      'assay.config.json': { ...CONFIG, target: 'where' },
      'a.suite.ts': suite(
        { one: ranOnce, two: ranOnce },
        `import { readFileSync } from 'node:fs'; ${bootstrap}`,
      ),
    });
    const ended = await project.assay('run');
    expect([errorsIn(newestRun(project)), ended.code, project.litter()]).toEqual([[], 0, []]);
    project.write({
      'a.suite.ts': suite({ one: `assert() {}`, two: `assert() { assert.fail('x'); }` }, bootstrap),
    });
    await project.assay('run');
    const run = newestRun(project);
    const kept = join(run, rowOf(run, 'two').workspacePath ?? '');
    expect([readFileSync(join(kept, 'ran'), 'utf8'), project.litter()]).toEqual(['x\n', []]);
  });

  test('a template never overwrites what a shared directory holds', async () => {
    const workspace = `export const workspace = { mode: 'shared', cwd: './app', templateDir: './base' };`;
    await using project = openProject({
      'assay.config.json': { ...CONFIG, target: 'where' },
      'a.suite.ts': suite({ one: seesWhere }, workspace),
      'base/same': 'a',
      'base/other': 'b',
      'base/new': 'c',
      'app/same': 'a',
      'app/other': 'mine',
    });
    const refused = await project.assay('run');
    expect([refused.code, seen(newestRun(project), 'one')]).toMatchObject([
      3,
      { kind: 'workspace-template', class: 'workspace' },
    ]);
    expect(rowOf(newestRun(project), 'one').error?.message).toMatch(/other$/);
    expect(readdirSync(project.path('app')).sort()).toEqual(['other', 'same']);
    project.write({ 'app/other': 'b' });
    expect((await project.assay('run')).code).toBe(0);
    expect(readdirSync(project.path('app')).sort()).toEqual(['made-by-agent', 'new', 'other', 'same']);
  });

  test('trials of one directory run one at a time, isolated ones side by side', async () => {
    const overlap = `async assert(report) { open += 1; most = Math.max(most, open); await new Promise((done) => setTimeout(done, 50)); open -= 1; if (report.prompt === 'go') assert.equal(most, MOST); }`;
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
