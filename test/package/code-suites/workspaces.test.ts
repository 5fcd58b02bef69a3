import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { eventsOf, newestRun, rowOf, rowsOf, type Files } from '../../e2e/support/project.ts';
import { startsIn } from '../../support/fake-agent.ts';
import {
  DONE,
  FAILS,
  ISOLATED,
  jsonIn,
  PASSES,
  played,
  reasonsIn,
  REPLAY,
  seen,
  suite,
} from '../support/suites.ts';

/** Everything of a repository that git itself could have changed. */
const GIT_OF = `const gitOf = (directory) => {
  const paths = readdirSync(join(directory, '.git'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(paths.map((path) => [path.slice(directory.length), readFileSync(path, 'base64')]));
};`;

test('a template with .env and .git arrives whole, and git of the agent sees the workspace', async () => {
  await using project = played({
    plans: (path) => ({
      agent: { ...REPLAY, seen: path('seen.jsonl'), does: 'git rev-parse --show-toplevel > top' },
    }),
    files: {
      'a.suite.ts': suite(
        {
          sees: `assert(report) {
            const { directory } = report.workspace;
            const [seen] = readFileSync(join(import.meta.dirname, 'seen.jsonl'), 'utf8').split('\\n');
            assert.equal(readFileSync(join(directory, 'top'), 'utf8').trim(), JSON.parse(seen).cwd);
            assert.equal(readFileSync(join(directory, '.env'), 'utf8'), 'A=1\\n');
            assert.deepEqual(gitOf(directory), gitOf(join(import.meta.dirname, 'base')));
          }`,
        },
        `import { readdirSync, readFileSync } from 'node:fs'; import { join } from 'node:path';
         ${GIT_OF}
         export const workspace = { mode: 'isolated', templateDir: './base' };`,
      ),
      'base/.env': 'A=1\n',
      'base/a.txt': 'a\n',
    },
  });
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', project.path('base'), '-c', 'user.name=a', '-c', 'user.email=a@b', ...args]);
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'base');
  project.write({ 'base/.git/own': 'mine\n' });
  const ended = await project.assay('run');
  expect([ended.code, ended.stderr, reasonsIn(newestRun(project))]).toEqual([0, '', []]);
  const [start] = startsIn(project.path('seen.jsonl'));
  expect(start?.cwd).not.toMatch(/sees|project/);
});

test('of three repetitions exactly the workspace of the failed one is kept, and no path of an agent names the case', async () => {
  await using project = played({
    plans: (path) => ({ agent: { ...REPLAY, seen: path('seen.jsonl'), does: 'touch made' } }),
    files: {
      'a.suite.ts': suite(
        { 'tell-tale': `assert() { runs += 1; assert.notEqual(runs, 2); }` },
        `let runs = 0; ${ISOLATED}`,
      ),
    },
  });
  expect((await project.assay('run', '--repeat', '3')).code).toBe(1);
  const run = newestRun(project);
  expect(rowsOf(run).map(({ workspacePath }) => workspacePath !== undefined)).toEqual([false, true, false]);
  const kept = readdirSync(join(run, 'workspaces'));
  expect(kept).toEqual([expect.stringMatching(/^tell-tale-[0-9a-f]{8}-attempt-1$/)]);
  expect(rowsOf(run)[1]?.workspacePath).toBe(`workspaces/${kept[0]}`);
  expect(existsSync(join(run, 'workspaces', kept[0] ?? '', 'made'))).toBe(true);
  const starts = startsIn(project.path('seen.jsonl'));
  expect(starts).toHaveLength(3);
  for (const { cwd, env } of starts)
    expect(`${cwd} ${env['HOME']} ${env['TMPDIR']}`).not.toContain('tell-tale');
  expect(project.litter()).toEqual([]);
});

test('a bootstrap beside the suite knows its case by both names, and one that fails starts no agent', async () => {
  await using project = played({
    plans: (path) => ({ agent: { ...REPLAY, seen: path('seen.jsonl') } }),
    files: {
      'in/a.suite.ts': suite(
        {
          one: `assert(report) { assert.match(readFileSync(join(report.workspace.directory, 'told'), 'utf8'), /^one one agent agent --seed demo /); }`,
        },
        `import { readFileSync } from 'node:fs'; import { join } from 'node:path';
         const bootstrap = { command: 'sh', args: ['./scripts/prep.sh', '--seed'], env: { MORE: 'demo' } };
         export const workspace = { mode: 'isolated', bootstrap };`,
      ),
      'in/scripts/prep.sh':
        'echo "$ASSAY_CASE_ID $SKILLGYM_CASE_ID $ASSAY_TARGET_ID $SKILLGYM_RUNNER_ID $1 $MORE $OPERATOR" > told; pwd >> told; echo prepared\n',
    },
  });
  const ended = await project.start(['run', 'in/a.suite.ts'], { OPERATOR: 'here' }).ended;
  expect([reasonsIn(newestRun(project)), ended.code]).toEqual([[], 0]);
  project.write({ 'in/scripts/prep.sh': 'echo out; echo oh no >&2; exit 3\n' });
  expect((await project.assay('run', 'in/a.suite.ts')).code).toBe(3);
  const run = newestRun(project);
  expect(seen(run, 'one')).toEqual({
    verdict: 'errored',
    status: 'errored',
    attempts: 1,
    class: 'workspace-bootstrap',
    kind: 'workspace-bootstrap',
  });
  expect(startsIn(project.path('seen.jsonl'))).toHaveLength(1);
  expect(eventsOf(run).filter(({ fact }) => fact.type === 'transcript-entry')).toEqual([]);
  const artifacts = join(run, rowOf(run, 'one').artifactDir ?? '');
  const log = (name: string) => readFileSync(join(artifacts, `bootstrap.${name}.log`), 'utf8');
  expect([log('stdout'), log('stderr')]).toEqual(['out\n', 'oh no\n']);
  expect(jsonIn(artifacts, 'workspace.json')['bootstrap']).toMatchObject({
    command: 'sh',
    args: [project.path('in/scripts/prep.sh'), '--seed'],
    exitCode: 3,
  });
});

test('a template never overwrites what a shared directory holds, in which agents keep their permissions', async () => {
  const files = (): Files => ({
    'a.suite.ts': suite(
      { one: PASSES },
      `export const workspace = { mode: 'shared', cwd: './app', templateDir: './base' };`,
    ),
    'base/same': 'a',
    'base/deep/other': 'b',
    'base/new': 'c',
    'app/same': 'a',
    'app/deep/other': 'mine',
  });
  const plans = (path: (name: string) => string) => ({ agent: { ...REPLAY, seen: path('seen.jsonl') } });
  await using project = played({ plans, files: files() });
  expect((await project.assay('run')).code).toBe(3);
  const run = newestRun(project);
  expect(seen(run, 'one')).toMatchObject({ kind: 'workspace-template', class: 'workspace' });
  expect(rowOf(run, 'one').error?.message).toContain('deep/other');
  expect(rowOf(run, 'one').error?.message).not.toContain('same');
  expect([readdirSync(project.path('app')).toSorted(), startsIn(project.path('seen.jsonl'))]).toEqual([
    ['deep', 'same'],
    [],
  ]);

  project.write({ 'app/deep/other': 'b' });
  expect((await project.assay('run')).code).toBe(0);
  expect([project.read('app/new'), project.read('app/same')]).toEqual(['c', 'a']);
  const config = jsonIn(project.path('assay.config.json')) as { targets: { agent: object } };
  const agent = { ...config.targets.agent, permissions: 'full' };
  project.write({ 'assay.config.json': { ...config, targets: { agent } } });
  expect((await project.assay('run')).code).toBe(0);
  const starts = startsIn(project.path('seen.jsonl'));
  expect(starts.map(({ args }) => args.includes('--dangerously-skip-permissions'))).toEqual([false, true]);
  expect(starts.map(({ cwd }) => cwd)).toEqual([project.path('app'), project.path('app')]);
});

test('a shared workspace is prepared once, and gone when all have passed', async () => {
  const bootstrap = `import { readFileSync } from 'node:fs';
    export const workspace = { mode: 'shared', bootstrap: { command: 'sh', args: ['-c', 'echo x >> ran; echo "$SKILLGYM_CASE_ID$ASSAY_TARGET_ID" > told'] } };`;
  const ranOnce = `assert(report) {
    const read = (name) => readFileSync(report.workspace.directory + '/' + name, 'utf8');
    assert.deepEqual([read('ran'), read('told')], ['x\\n', '\\n']);
  }`;
  await using project = played({
    plans: (path) => ({ agent: { after: DONE, seen: path('seen.jsonl') } }),
    files: { 'a.suite.ts': suite({ one: ranOnce, two: ranOnce }, bootstrap) },
  });
  expect((await project.assay('run')).code).toBe(0);
  expect([reasonsIn(newestRun(project)), project.litter()]).toEqual([[], []]);
  const [one, two] = startsIn(project.path('seen.jsonl'));
  expect([one?.cwd === two?.cwd, existsSync(one?.cwd ?? '')]).toEqual([true, false]);
  expect(existsSync(join(newestRun(project), 'workspaces'))).toBe(false);

  project.write({ 'a.suite.ts': suite({ one: ranOnce, two: FAILS }, bootstrap) });
  expect((await project.assay('run')).code).toBe(1);
  const run = newestRun(project);
  const kept = join(run, rowOf(run, 'two').workspacePath ?? 'gone');
  expect([readFileSync(join(kept, 'ran'), 'utf8'), project.litter()]).toEqual(['x\n', []]);

  const failing = bootstrap.replace('echo x >> ran', 'exit 3');
  project.write({ 'a.suite.ts': suite({ one: PASSES, two: PASSES }, failing) });
  expect((await project.assay('run')).code).toBe(3);
  const third = newestRun(project);
  expect(rowsOf(third).map(({ failureClass }) => failureClass?.id)).toEqual(
    Array(2).fill('workspace-bootstrap'),
  );
  const first = rowOf(third, 'one').artifactDir ?? '';
  expect(jsonIn(third, first, 'workspace.json')).toMatchObject({
    mode: 'shared',
    bootstrap: { exitCode: 3 },
  });
  expect(startsIn(project.path('seen.jsonl'))).toHaveLength(4);
});
