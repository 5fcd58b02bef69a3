import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { claudeCall, claudeRefusal, claudeTurn } from '../support/claude-lines.ts';
import { fakeEnv, installFakeAgent, recordingOf, startsIn, type FakePlan } from '../support/fake-agent.ts';
import type { Ended } from './support/cli.ts';
import {
  eventsOf,
  newestRun,
  openProject,
  rowOf,
  rowsOf,
  type Files,
  type Project,
} from './support/project.ts';

const DONE = claudeTurn({ answer: 'done' });

/** A suite of these cases, each the body of its assert function; `more` stands before them. */
function suite(cases: Readonly<Record<string, string>>, more = ''): string {
  const texts = Object.entries(cases).map(
    ([id, body]) => `{ id: ${JSON.stringify(id)}, prompt: ${JSON.stringify(id)}, ${body} }`,
  );
  return `import { assert, commandMatcher } from 'assay';\n${more}\nexport default [${texts.join(',\n')}];\n`;
}

const ISOLATED = `export const workspace = { mode: 'isolated' };`;
const PASSES = 'assert() {}';

interface Setting {
  readonly plans: (path: Project['path']) => Readonly<Record<string, FakePlan>>;
  readonly target?: object;
  readonly config?: object;
  readonly files: Files;
}

type Played = Project & { run(...args: string[]): Promise<Ended> };

/** A project whose targets are fake agents. */
function played({ plans, target = {}, config = {}, files }: Setting): Played {
  const project = openProject(files);
  onTestFinished(() => project[Symbol.asyncDispose]());
  installFakeAgent(project.path('bin'), ['claude']);
  const targets = Object.entries(plans(project.path)).map(([name, plan]) => [
    name,
    { type: 'claude-code', model: 'm', ...target, env: fakeEnv(plan) },
  ]);
  project.write({ 'assay.config.json': { targets: Object.fromEntries(targets), ...config } });
  const PATH = `${project.path('bin')}:${process.env['PATH'] ?? ''}`;
  return { ...project, run: (...args) => project.start(['run', ...args], { PATH }).ended };
}

function errorOf(run: string, caseId: string): Readonly<Record<string, unknown>> {
  const { artifactDir = '' } = rowOf(run, caseId);
  return JSON.parse(readFileSync(join(run, artifactDir, 'error.json'), 'utf8')) as Record<string, unknown>;
}

const outcomes = (run: string) =>
  rowsOf(run).map(({ caseId, target, verdict }) => `${caseId} ${target} ${verdict}`);

describe('attempts and probes', () => {
  test('a provider that answers 503 once costs an attempt, a failed assertion costs none', async () => {
    const project = played({
      plans: (path) => ({
        agent: {
          after: DONE,
          first: { mark: path('mark'), plan: { after: claudeRefusal(503, 'API Error: 503'), exitCode: 1 } },
        },
      }),
      files: { 'a.suite.ts': suite({ once: PASSES, fails: `assert() { assert.fail('x'); }` }, ISOLATED) },
    });
    expect((await project.run()).code).toBe(1);
    const run = newestRun(project);
    expect(rowsOf(run).map(({ verdict, attempts }) => [verdict, attempts.length])).toEqual([
      ['passed', 2],
      ['failed', 1],
    ]);
    const { artifactDir = '' } = rowOf(run, 'once');
    expect(readdirSync(join(run, artifactDir, '..')).sort()).toEqual(['attempt-1', 'attempt-2']);
    expect(errorOfAttempt(run, join(artifactDir, '../attempt-1'))).toMatchObject({
      kind: 'http-error',
      stage: 'target',
    });
  });

  test('a rejected model is asked once, and an answer that quotes such an error blocks nothing', async () => {
    const refused = claudeRefusal(404, 'API Error: 404 model: no-such-model');
    const project = played({
      plans: (path) => ({
        refused: { seen: path('refused.jsonl'), after: refused, exitCode: 1 },
        quotes: {
          seen: path('quotes.jsonl'),
          after: claudeTurn({ answer: 'API Error: 404 model: no-such-model' }),
        },
      }),
      files: { 'a.suite.ts': suite({ one: PASSES, two: PASSES, three: PASSES }, ISOLATED) },
    });
    expect((await project.run()).code).toBe(3);
    const rows = rowsOf(newestRun(project));
    const of = (target: string) =>
      rows
        .filter((row) => row.target === target)
        .map(({ verdict, failureClass }) => [verdict, failureClass?.id]);
    expect(of('refused')).toEqual(Array.from({ length: 3 }, () => ['errored', 'model-rejected']));
    expect(of('quotes')).toEqual(Array.from({ length: 3 }, () => ['passed', undefined]));
    const starts = (name: string) => startsIn(project.path(name)).length;
    expect([starts('refused.jsonl'), starts('quotes.jsonl')]).toEqual([1, 3]);
  });
});

function errorOfAttempt(run: string, folder: string): unknown {
  return JSON.parse(readFileSync(join(run, folder, 'error.json'), 'utf8'));
}

/** How many ran at once, of all and of each label. */
function most(file: string): Readonly<Record<string, number>> {
  const open: Record<string, number> = { all: 0 };
  const top: Record<string, number> = {};
  for (const line of readFileSync(file, 'utf8').trimEnd().split('\n')) {
    for (const label of ['all', line.slice(1)]) {
      open[label] = (open[label] ?? 0) + (line.startsWith('+') ? 1 : -1);
      top[label] = Math.max(top[label] ?? 0, open[label] ?? 0);
    }
  }
  return top;
}

describe('schedules', () => {
  const cases = Object.fromEntries(['a', 'b', 'c', 'd'].map((id) => [id, PASSES]));
  const spanned = (path: Project['path']) => (label: string) => ({
    span: { file: path('span'), label },
    after: DONE,
    silentMs: 300,
  });
  const plans = (path: Project['path']) => ({ one: spanned(path)('one'), two: spanned(path)('two') });
  const inOrder = ['a', 'b', 'c', 'd'].flatMap((id) => [`${id} one passed`, `${id} two passed`]);

  test('without one, agents go side by side and each by itself; in one directory all take turns', async () => {
    const project = played({ plans, files: { 'a.suite.ts': suite(cases, ISOLATED) } });
    expect((await project.run()).code).toBe(0);
    expect(most(project.path('span'))).toEqual({ all: 2, one: 1, two: 1 });
    expect(outcomes(newestRun(project)).toSorted()).toEqual(inOrder);
    const shared = played({ plans, files: { 'a.suite.ts': suite(cases) } });
    expect((await shared.run()).code).toBe(0);
    expect(most(shared.path('span'))).toEqual({ all: 1, one: 1, two: 1 });
  }, 60_000);

  test('parallel obeys the concurrency and the cap of a target, and results stand in the declared order', async () => {
    const project = played({
      plans,
      config: { run: { schedule: 'parallel', maxParallel: 4, reporter: './reporter.ts' } },
      files: {
        'a.suite.ts': suite(cases, ISOLATED),
        'reporter.ts': `import { writeFileSync } from 'node:fs';
          const line = ({ caseId, runnerResults }) => runnerResults.map(({ runner, status }) => [caseId, runner.id, status].join(' '));
          export default { onSuiteFinish: ({ result }) => writeFileSync('told', result.cases.flatMap(line).join('\\n')) };`,
      },
    });
    const config = JSON.parse(project.read('assay.config.json')) as { targets: Record<string, object> };
    project.write({
      'assay.config.json': {
        ...config,
        targets: { ...config.targets, one: { ...config.targets['one'], maxParallel: 1 } },
      },
    });
    expect((await project.run()).code).toBe(0);
    const { all = 0, one, two = 0 } = most(project.path('span'));
    expect([all <= 4, one, two > 1]).toEqual([true, 1, true]);
    expect(project.read('told')).toBe(inOrder.join('\n'));
    const { cases: listed } = JSON.parse(readFileSync(join(newestRun(project), 'results.json'), 'utf8')) as {
      cases: { id: string; target: string }[];
    };
    expect(listed.map(({ id, target }) => `${target} ${id}`)).toEqual(
      ['one', 'two'].flatMap((target) => Object.keys(cases).map((id) => `${target} ${id}`)),
    );
  }, 60_000);

  test('one that lets trials share a directory is warned of', async () => {
    const project = played({
      plans,
      config: { run: { schedule: 'isolated-by-runner' } },
      files: { 'a.suite.ts': suite(cases) },
    });
    const ended = await project.run();
    expect(ended.stdout).toContain(
      'trials-share-directory  run.schedule "isolated-by-runner" lets up to 2 trials work in one directory at the same time',
    );
    expect(most(project.path('span'))).toEqual({ all: 2, one: 1, two: 1 });
    project.write({ 'a.suite.ts': suite(cases, ISOLATED) });
    expect((await project.run()).stdout).not.toContain('trials-share-directory');
  }, 60_000);
});

describe('workspaces', () => {
  test('a template with .env and .git arrives whole, and git of the agent sees the workspace', async () => {
    const project = played({
      plans: () => ({
        agent: { after: DONE, does: 'git rev-parse --show-toplevel > top; git rev-parse HEAD > head' },
      }),
      files: {
        'a.suite.ts': suite(
          {
            sees: `assert(report) {
              const { directory } = report.workspace;
              const read = (name) => readFileSync(join(directory, name), 'utf8');
              assert.equal(read('top').trim(), directory);
              assert.equal(read('.env'), 'A=1\\n');
              assert.equal(read('.git/own'), 'mine\\n');
              assert.equal(read('head').trim(), HEAD);
              assert.doesNotMatch(directory, /sees|project/);
            }`,
          },
          `import { readFileSync } from 'node:fs'; import { join } from 'node:path';
           import { execFileSync } from 'node:child_process';
           const HEAD = execFileSync('git', ['-C', join(import.meta.dirname, 'base'), 'rev-parse', 'HEAD']).toString().trim();
           export const workspace = { mode: 'isolated', templateDir: './base' };`,
        ),
        'base/.env': 'A=1\n',
        'base/a.txt': 'a\n',
      },
    });
    const { execFileSync } = await import('node:child_process');
    const base = project.path('base');
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', base, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args]);
    git('init', '-q');
    git('add', '-A');
    git('commit', '-qm', 'base');
    project.write({ 'base/.git/own': 'mine\n' });
    const ended = await project.run();
    expect([ended.code, ended.stderr, reasons(newestRun(project))]).toEqual([0, '', []]);
  });

  test('of three repetitions the one that failed keeps its workspace', async () => {
    const project = played({
      plans: (path) => ({ agent: { seen: path('seen.jsonl'), after: DONE, does: 'touch made' } }),
      files: {
        'a.suite.ts': suite(
          { 'tell-tale': `assert() { runs += 1; assert.notEqual(runs, 2); }` },
          `let runs = 0; ${ISOLATED}`,
        ),
      },
    });
    expect((await project.run('--repeat', '3')).code).toBe(1);
    const run = newestRun(project);
    expect(rowsOf(run).map(({ workspacePath }) => workspacePath !== undefined)).toEqual([false, true, false]);
    expect(readdirSync(join(run, 'workspaces'))).toHaveLength(1);
    expect(existsSync(join(run, rowsOf(run)[1]?.workspacePath ?? '', 'made'))).toBe(true);
    for (const { cwd } of startsIn(project.path('seen.jsonl'))) expect(cwd).not.toContain('tell-tale');
    expect(project.litter()).toEqual([]);
  });

  test('in a shared directory of the user an agent keeps its permissions unless full is written', async () => {
    const files = (): Files => ({
      'a.suite.ts': suite(
        { one: PASSES },
        `export const workspace = { mode: 'shared', cwd: './app', templateDir: './base' };`,
      ),
      'base/same': 'a',
      'app/same': 'a',
    });
    const plans = (path: Project['path']) => ({ agent: { seen: path('seen.jsonl'), after: DONE } });
    const project = played({ plans, files: files() });
    expect((await project.run()).code).toBe(0);
    const free = (of: Project) =>
      startsIn(of.path('seen.jsonl')).map(({ args }) => args.includes('--dangerously-skip-permissions'));
    expect(free(project)).toEqual([false]);
    const full = played({ plans, target: { permissions: 'full' }, files: files() });
    expect((await full.run()).code).toBe(0);
    expect(free(full)).toEqual([true]);
    project.write({ 'app/same': 'mine' });
    expect((await project.run()).code).toBe(3);
    expect(rowOf(newestRun(project), 'one').error?.message).toMatch(/same$/);
  });
});

/** Messages of what did not pass. */
function reasons(run: string): readonly string[] {
  return rowsOf(run).flatMap(({ verdict, error, grades }) =>
    verdict === 'passed' ? [] : [error?.message ?? grades.find(({ passed }) => !passed)?.reason ?? ''],
  );
}

describe('limits', () => {
  const loop = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      claudeCall(`c${index}`, { name: 'Bash', input: { command: `step ${index}` } }),
    ).flat();
  const commands = (run: string) =>
    eventsOf(run).flatMap(({ fact }) =>
      fact.type === 'transcript-entry' && fact.entry.type === 'tool-call' && 'input' in fact.entry
        ? [fact.entry.input]
        : [],
    );
  const never = `assert() { throw new Error('called'); }`;

  test('after a timeout nothing is asserted, there is no report, and the calls are logged', async () => {
    const project = played({
      plans: () => ({ agent: { after: loop(2), silentMs: 600_000 } }),
      files: { 'a.suite.ts': suite({ slow: `timeoutMs: 2500, ${never}` }, ISOLATED) },
    });
    expect((await project.run()).code).toBe(3);
    const run = newestRun(project);
    const row = rowOf(run, 'slow');
    expect([row.verdict, row.error?.kind, row.failureClass?.id]).toEqual(['errored', 'timeout', 'timeout']);
    expect(commands(run)).toEqual([{ command: 'step 0' }, { command: 'step 1' }]);
    expect(existsSync(join(run, row.artifactDir ?? '', 'report.json'))).toBe(false);
    expect(await project.orphans()).toEqual([]);
  });

  test('with two steps allowed the third ends the agent, and the first two are logged', async () => {
    const project = played({
      plans: () => ({ agent: { after: [...loop(3), ...DONE] } }),
      config: { run: { maxSteps: 2 } },
      files: { 'a.suite.ts': suite({ long: never }, ISOLATED) },
    });
    expect((await project.run()).code).toBe(3);
    const run = newestRun(project);
    expect([rowOf(run, 'long').error?.kind, rowOf(run, 'long').failureClass?.id]).toEqual([
      'max-steps',
      'max-steps',
    ]);
    expect(commands(run).slice(0, 2)).toEqual([{ command: 'step 0' }, { command: 'step 1' }]);
  });
});

describe('what an agent did', () => {
  test('is asserted on by what its commands mean', async () => {
    const turn = (...list: string[]) => ({ after: claudeTurn({ answer: 'done', commands: list }) });
    const project = played({
      plans: () => ({
        agent: {
          byPrompt: {
            filter: turn('cd app && pnpm test --filter web'),
            hidden: turn('bash -lc "ls; rm -rf x"'),
            more: turn('pnpm test && curl x'),
            order: turn('pnpm build && pnpm test'),
          },
        },
      }),
      files: {
        'a.suite.ts': suite(
          {
            filter: `assert(report) {
              assert.commands.includes(report, commandMatcher('pnpm').arg('test').option('--filter', 'web'));
              assert.commands.includes(report, 'cd app &&');
            }`,
            hidden: `assert(report) { assert.commands.notIncludes(report, commandMatcher('rm')); }`,
            more: `assert(report) { assert.commands.only(report, [commandMatcher('pnpm')]); }`,
            order: `assert(report) { assert.commands.before(report, commandMatcher('pnpm').arg('build'), commandMatcher('pnpm').arg('test')); }`,
          },
          ISOLATED,
        ),
      },
    });
    expect((await project.run()).code).toBe(1);
    const run = newestRun(project);
    expect(outcomes(run)).toEqual([
      'filter agent passed',
      'hidden agent failed',
      'more agent failed',
      'order agent passed',
    ]);
    expect(errorOf(run, 'hidden')).toMatchObject({ failureOrigin: 'assertion', class: { id: 'assertion' } });
  });

  test('and what of its output nobody knows stands in error.json', async () => {
    const novelty = '{"type":"novelty"}';
    const project = played({
      plans: () => ({
        agent: { before: [novelty, novelty], byPrompt: { fails: { after: DONE }, drifts: { after: [] } } },
      }),
      files: { 'a.suite.ts': suite({ fails: `assert() { assert.fail('x'); }`, drifts: PASSES }, ISOLATED) },
    });
    await project.run();
    const run = newestRun(project);
    expect(errorOf(run, 'fails')).toMatchObject({ unknownEvents: { novelty: 2 } });
    expect(errorOf(run, 'drifts')).toMatchObject({ kind: 'adapter-drift', unknownEvents: { novelty: 2 } });
  });
});

test('runners of a config above the suite start their program from the folder of the config', async () => {
  await using project = openProject({
    'fake.sh': `#!/bin/sh\nif [ "$1" = --version ]; then echo 2.1.330; exit; fi\ncat <<'END'\n${claudeTurn({ answer: 'from $0' }).join('\n')}\nEND\n`,
    'assay.config.json': {
      runners: { own: { agent: { type: 'claude-code', model: 'm', command: './fake.sh' } } },
    },
    'deep/down/a.suite.ts': suite(
      { one: `assert(report) { assert.output.includes(report, 'from'); }` },
      ISOLATED,
    ),
  });
  const ended = await project.assay('run', 'deep/down/a.suite.ts');
  expect([ended.code, ended.stderr]).toEqual([0, '']);
  expect(rowOf(newestRun(project), 'one')).toMatchObject({ target: 'own', hermetic: true });
});

test.each([
  ['runners', { command: './wrap.sh', commandArgs: ['-p'] }, ['-p', 'codex', 'exec']],
  ['runners', { command: './bin/codex', commandArgs: ['-p'] }, ['-p', 'exec']],
  ['targets', { command: './wrap.sh', commandArgs: ['-p'] }, ['-p', 'exec']],
])('Codex of %s with %o is started with %o', async (word, keys, first) => {
  const recording = recordingOf('codex', '0.169.0/text');
  const script = `#!/bin/sh\necho "$*" >> "$(dirname "$0")/starts"\ncase "$*" in *--version) echo 0.169.0;; *) cat '${recording}';; esac\n`;
  const codex = { type: 'codex', model: 'm', ...keys };
  await using project = openProject({
    'wrap.sh': script,
    'bin/codex': script,
    'assay.config.json': { [word]: { own: word === 'runners' ? { agent: codex } : codex } },
    'a.suite.ts': suite({ one: PASSES }, ISOLATED),
  });
  const ended = await project.assay('run');
  expect([ended.code, ended.stderr]).toEqual([0, '']);
  const [asked = '', started = ''] = project.read(keys.command.replace(/[^/]*$/, 'starts')).split('\n');
  expect(asked).toBe([...first.slice(0, -1), '--version'].join(' '));
  expect(started.split(' ').slice(0, first.length)).toEqual(first);
});

test('a reporter hears of agents what the rows tell, and rows tell which agents were hermetic', async () => {
  const project = played({
    plans: () => ({
      one: { after: claudeTurn({ answer: 'first', tokens: { input: 90, output: 10 } }) },
      two: { after: [] },
    }),
    files: {
      'a.suite.ts': suite({ only: PASSES }, ISOLATED),
      'reporter.ts': `import { appendFileSync } from 'node:fs';
        const say = (...words) => appendFileSync('told', words.join(' ') + '\\n');
        export default {
          onSuiteStart: ({ runners, context }) => say('suite', runners.map(({ agent }) => agent.type + '/' + agent.model), context.workspaceMode, context.maxParallel),
          onRunnerFinish: ({ runner, result }) => say(runner.id, result.status, result.failureClass?.id ?? '-', result.failureOrigin ?? '-', JSON.stringify(result.report.finalOutput), result.report.usage.totalTokens ?? '-'),
          onSuiteFinish: ({ result }) => say('end', ...result.runners.map(({ runner, successRate, averageTotalTokens }) => [runner.id, successRate, averageTotalTokens].join('/'))),
        };`,
    },
  });
  const ended = await project.run('--reporter', './reporter.ts');
  expect(ended.code).toBe(3);
  const lines = project.read('told').trim().split('\n');
  expect([lines[0], lines.slice(1, 3).toSorted(), lines[3]]).toEqual([
    'suite claude-code/m,claude-code/m isolated 10',
    ['one passed - - "first" 100', 'two errored runner-crash runner "" -'],
    'end one/1/100 two//',
  ]);
  expect(rowsOf(newestRun(project)).map(({ hermetic }) => hermetic)).toEqual([true, true]);
});
