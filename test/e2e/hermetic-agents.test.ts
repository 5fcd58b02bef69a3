import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { fakeEnv, installFakeAgent, recordingOf, startsIn, type FakePlan } from '../support/fake-agent.ts';
import type { Ended } from './support/cli.ts';
import { openProject } from './support/here.ts';
import {
  eventsOf,
  manifestOf,
  newestRun,
  rowOf,
  rowsOf,
  type Files,
  type Project,
} from './support/project.ts';

const LOOP = recordingOf('claude-code', '2.1.197/tool-loop');

interface Played {
  readonly project: Project;
  assay(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ended>;
  starts(): ReturnType<typeof startsIn>;
}

interface Setting {
  readonly targets: (seen: string) => object;
  readonly tests?: readonly object[];
  readonly files?: Files;
  readonly run?: object;
}

/** A project with fake agents; by default one case, which asks for the answer. */
function played({ targets, tests = [{ id: 'one' }], files = {}, run = {} }: Setting): Played {
  const project = openProject(files);
  onTestFinished(() => project[Symbol.asyncDispose]());
  installFakeAgent(project.path('bin'), ['claude']);
  const seen = project.path('seen.jsonl');
  project.write({
    'assay.config.json': { targets: targets(seen), run: { retryInfrastructure: 0, ...run } },
    'a.eval.yaml': {
      tests: tests.map((each) => ({
        input: 'Read SKILL.md and follow it',
        assert: [{ type: 'contains', value: 'DONE' }],
        ...each,
      })),
    },
  });
  const path = `${project.path('bin')}:${process.env['PATH'] ?? ''}`;
  return {
    project,
    assay: (args, env = {}) => project.start(args, { PATH: path, ...env }).ended,
    starts: () => startsIn(seen),
  };
}

const claude = (plan: FakePlan, more: { readonly env?: object; readonly [key: string]: unknown } = {}) => ({
  type: 'claude-code',
  model: 'some-model',
  ...more,
  env: { ...fakeEnv({ version: '2.1.330 (Claude Code)', recording: LOOP, ...plan }), ...more.env },
});

test('the agent sees a private home and nothing of whoever runs it', async () => {
  const { project, assay, starts } = played({
    targets: (seen) => ({
      cc: claude({ seen }, { passEnv: ['PASSED'], files: { '.claude/settings.json': '{}' } }),
    }),
  });
  await assay(['run'], {
    OTHER_SECRET: 'canary-of-another-agent',
    PASSED: 'on',
    EMPTY: '',
    LC_ALL: 'C.UTF-8',
  });
  const [start] = starts();
  if (start === undefined) throw new Error('the agent was not started');
  const ofShell = new Set(['FAKE_AGENT', 'PATH', 'PWD', 'SHLVL', '_']);
  const env = Object.fromEntries(Object.entries(start.env).filter(([name]) => !ofShell.has(name)));
  const home = env['HOME'] ?? '';
  expect(home).toMatch(/\/h-[^/]+\/home$/);
  const root = home.slice(0, -'/home'.length);
  const expected: Record<string, unknown> = {
    HOME: home,
    XDG_CONFIG_HOME: `${home}/.config`,
    XDG_DATA_HOME: `${home}/.local/share`,
    XDG_STATE_HOME: `${home}/.local/state`,
    XDG_CACHE_HOME: `${home}/.cache`,
    TMPDIR: `${root}/tmp`,
    TERM: 'dumb',
    NO_COLOR: '1',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_AUTHOR_NAME: 'assay',
    GIT_AUTHOR_EMAIL: 'assay@localhost',
    GIT_COMMITTER_NAME: 'assay',
    GIT_COMMITTER_EMAIL: 'assay@localhost',
    LC_ALL: 'C.UTF-8',
    PASSED: 'on',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    ASSAY_ATTEMPT: expect.stringMatching(/^[0-9a-f]+-1$/),
    ...(process.getuid?.() === 0 ? { IS_SANDBOX: '1' } : {}),
  };
  expect(env).toEqual(expected);
  expect({ mode: start.homeMode, home: start.home }).toEqual({
    mode: '700',
    home: ['.claude'],
  });
  const { hermetic, targets } = manifestOf(newestRun(project));
  expect({ hermetic, versions: targets.map(({ versions }) => versions) }).toEqual({
    hermetic: true,
    versions: [{ claude: '2.1.330' }],
  });
  expect(project.litter()).toEqual([]);
});

test('with inheritConfig the home is that of whoever runs it, and other variables stay away', async () => {
  const { project, assay, starts } = played({
    targets: (seen) => ({ cc: claude({ seen }, { inheritConfig: true }) }),
  });
  const ended = await assay(['run'], {
    OTHER_SECRET: 'canary-of-another-agent',
    XDG_CONFIG_HOME: '/somewhere/config',
    CLAUDE_CONFIG_DIR: '/somewhere/claude',
  });
  expect(ended.code).toBe(0);
  const [start] = starts();
  const { HOME, XDG_CONFIG_HOME, XDG_DATA_HOME, CLAUDE_CONFIG_DIR, OTHER_SECRET } = start?.env ?? {};
  expect({ HOME, XDG_CONFIG_HOME, XDG_DATA_HOME, CLAUDE_CONFIG_DIR, OTHER_SECRET }).toEqual({
    HOME: project.place().env['HOME'],
    XDG_CONFIG_HOME: '/somewhere/config',
    XDG_DATA_HOME: undefined,
    CLAUDE_CONFIG_DIR: '/somewhere/claude',
    OTHER_SECRET: undefined,
  });
  expect(manifestOf(newestRun(project)).hermetic).toBe(false);
});

test.each([
  ['is not listed', {}, ''],
  ['is listed with inheritConfig', { inheritConfig: true }, './.claude/skills/global/SKILL.md'],
])('a skill that the operator has everywhere %s', async (_, more, listed) => {
  const { project, assay } = played({
    targets: () => ({ cc: claude({ does: 'cd "$HOME" && find . -name SKILL.md > "$OUT"' }, more) }),
  });
  const home = project.place().env['HOME'] ?? '';
  mkdirSync(join(home, '.claude/skills/global'), { recursive: true });
  writeFileSync(join(home, '.claude/skills/global/SKILL.md'), 'mine');
  const found = project.path('found.txt');
  const config = JSON.parse(project.read('assay.config.json')) as { targets: { cc: { env: object } } };
  config.targets.cc.env = { ...config.targets.cc.env, OUT: found };
  project.write({ 'assay.config.json': config });
  expect((await assay(['run'])).code).toBe(0);
  expect(readFileSync(found, 'utf8').trim()).toBe(listed);
});

test('what cannot be meant is told before anything runs, at its place', async () => {
  const { project, assay, starts } = played({
    targets: (seen) => ({
      cc: claude(
        { seen },
        {
          env: { HOME: '/x' },
          skills: ['./none', './skills/demo', './skills'],
          files: { '../out': 'x' },
        },
      ),
    }),
    files: { 'skills/demo/SKILL.md': 'x' },
  });
  const ended = await assay(['run']);
  expect(ended.code).toBe(2);
  const problems = ended.stderr.split('\n').filter((line) => line.startsWith('assay.config.json:'));
  expect(problems.map((line) => line.replace(/^\S+ +/, ''))).toEqual([
    expect.stringMatching(
      /^isolation-variable +targets\.cc\.env\.HOME: assay uses this variable to isolate the agent, so it cannot be set/,
    ),
    expect.stringMatching(
      /^agent-files +targets\.cc\.files\.\.\.\/out: this path is outside the private home/,
    ),
    expect.stringMatching(/^agent-skills +targets\.cc\.skills\[0\]: no skill found at \.\/none/),
    expect.stringMatching(
      /^agent-skills +targets\.cc\.skills\[2\]: this entry contains a second skill named demo/,
    ),
  ]);
  expect(starts()).toEqual([]);
  expect(project.runs()).toEqual([]);
});

test('an unset variable of passEnv is an error of the target that names it', async () => {
  const { assay } = played({ targets: () => ({ cc: claude({}, { passEnv: ['NOT_SET'] }) }) });
  const ended = await assay(['run']);
  expect(ended.code).toBe(2);
  expect(ended.stderr).toContain('targets.cc.passEnv[0]: environment variable NOT_SET is not set');
});

test('a key that is set and not passed on is a warning, and the hint when it is missing', async () => {
  const refused = recordingOf('claude-code', '2.1.330/error-401');
  const { project, assay } = played({ targets: () => ({ cc: claude({ recording: refused, exitCode: 1 }) }) });
  const ended = await assay(['run'], { ANTHROPIC_API_KEY: 'sk-canary-0123456789' });
  expect(ended.stdout).toMatch(
    /warning: assay\.config\.json\S* +credentials-not-passed +targets\.cc: ANTHROPIC_API_KEY is set, but not passed to the agent +\(add +passEnv: \[ANTHROPIC_API_KEY\]\)/,
  );
  expect(rowOf(newestRun(project), 'one').error).toMatchObject({
    detail: 'credentials-rejected',
    hint: 'add to targets.cc: passEnv: [ANTHROPIC_API_KEY]',
  });
  const quiet = await assay(['run', '--dry'], {});
  expect(quiet.stdout).not.toContain('warning');
});

test('skills are where the agent looks for them, and are no change of its', async () => {
  const { project, assay, starts } = played({
    targets: (seen) => ({ cc: claude({ seen }, { skills: ['./skills'] }) }),
    tests: [
      { id: 'one', assert: [{ type: 'files', only_changed: [] }] },
      { id: 'has one of that name', workspace: { template: './template' } },
    ],
    files: {
      'skills/demo/SKILL.md': '---\nname: demo\n---\n',
      'skills/demo/more/notes.md': 'x',
      'skills/other/SKILL.md': 'x',
      'skills/README.md': 'no skill',
      'template/.claude/skills/demo/SKILL.md': 'mine',
    },
  });
  const ended = await assay(['run']);
  expect(ended.stderr).toBe('');
  expect(starts().map(({ workspace }) => workspace)).toEqual([
    [
      '.claude',
      '.claude/skills',
      '.claude/skills/demo',
      '.claude/skills/demo/SKILL.md',
      '.claude/skills/demo/more',
      '.claude/skills/demo/more/notes.md',
      '.claude/skills/other',
      '.claude/skills/other/SKILL.md',
    ],
  ]);
  const run = newestRun(project);
  expect(rowOf(run, 'one').status).toBe('passed');
  expect(rowOf(run, 'has one of that name').error).toMatchObject({
    stage: 'workspace',
    kind: 'workspace-template',
    detail: 'staged-folder',
  });
});

const suiteIn = (workspace: string) =>
  `export const workspace = ${workspace};\nexport default [{ id: 'one', prompt: 'go', assert() {} }, { id: 'two', prompt: 'go', assert() {} }];\n`;
const SKILL = { 'skills/demo/SKILL.md': 'a skill' };

test('in a directory of the user the agent keeps its own rules, and skills are refused before anything runs', async () => {
  const workspace = `{ mode: 'shared', cwd: './app' }`;
  const { project, assay, starts } = played({
    targets: (seen) => ({
      plain: claude({ seen }),
      free: claude({ seen }, { permissions: 'full' }),
      skilled: claude({ seen }, { skills: ['./skills'] }),
    }),
    files: { ...SKILL, 'app/mine.txt': 'mine', 'a.suite.ts': suiteIn(workspace) },
  });
  const ended = await assay(['run', 'a.suite.ts', '--target', 'skilled']);
  expect(ended.code).toBe(2);
  expect(ended.stderr).toMatch(/skills-in-own-directory +test "one": target skilled has `skills`/);
  expect(starts()).toEqual([]);
  for (const target of ['plain', 'free']) {
    expect((await assay(['run', 'a.suite.ts', '--case', 'one', '--target', target])).code).toBe(0);
  }
  expect(
    starts().map(({ args, cwd }) => ({ isFree: args.includes('--dangerously-skip-permissions'), cwd })),
  ).toEqual([
    { isFree: false, cwd: project.path('app') },
    { isFree: true, cwd: project.path('app') },
  ]);
});

test('in a directory that trials share skills are staged once', async () => {
  const workspace = `{ mode: 'shared', bootstrap: { command: 'true' } }`;
  const { assay, starts } = played({
    targets: (seen) => ({ cc: claude({ seen }, { skills: ['./skills'] }) }),
    files: { ...SKILL, 'a.suite.ts': suiteIn(workspace) },
  });
  const ended = await assay(['run', 'a.suite.ts']);
  expect(ended.code).toBe(0);
  const found = starts().map(({ workspace: paths }) => paths.filter((path) => path.startsWith('.claude/')));
  const staged = ['.claude/skills', '.claude/skills/demo', '.claude/skills/demo/SKILL.md'];
  expect(found).toEqual([staged, staged]);
});

test('every byte of the prompt arrives as one argument, with the options of the target around it', async () => {
  const prompt = '--help me\n"quoted" $HOME `x` \\ é';
  const { assay, starts } = played({
    targets: (seen) => ({ cc: claude({ seen }, { args: ['--max-turns', '3'], permissions: 'agent' }) }),
    tests: [{ id: 'one', input: prompt }],
  });
  await assay(['run']);
  expect(starts()[0]?.args).toEqual([
    '-p',
    '--output-format',
    'stream-json',
    '--verbose',
    '--model',
    'some-model',
    '--session-id',
    expect.stringMatching(/^[0-9a-f-]{36}$/),
    '--max-turns',
    '3',
    '--',
    prompt,
  ]);
});

test('a prompt that no argument can hold is told before anything runs', async () => {
  const { assay, starts } = played({
    targets: (seen) => ({ cc: claude({ seen }) }),
    tests: [
      { id: 'fits', input: 'x'.repeat(120_000) },
      { id: 'too long', input: 'é'.repeat(60_001) },
    ],
  });
  const ended = await assay(['run']);
  expect(ended.code).toBe(2);
  expect(ended.stderr).toMatch(
    /^a\.eval\.yaml\S* +prompt-unusable +test "too long": target cc cannot take this input: it has 120002 bytes, and at most 120000 are possible/m,
  );
  expect(ended.stderr).not.toContain('"fits"');
  expect(starts()).toEqual([]);
});

test('a secret that the agent prints, also in pieces, is in no file of the run', async () => {
  const secret = 'sk-test-0123456789';
  const { project, assay } = played({
    targets: () => ({
      cc: claude(
        {
          chunkBytes: 11,
          before: [
            '{"type":"assistant","message":{"id":"m0","content":[{"type":"tool_use","id":"t0","name":"Bash","input":{"command":"echo $SECRET"}}]}}',
            '{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t0","content":"it is $SECRET"}]}}',
          ],
          stderr: `warning: ${secret}\n`,
          does: `echo "key: $FAKE_SECRET" > key.txt; chmod 640 key.txt; printf "\\0$FAKE_SECRET" > key.bin; ln -s ../outside.txt link`,
          session: { folder: '.claude/projects/-w', file: 'any.jsonl', text: secret },
        },
        { env: { FAKE_SECRET: secret, SOME_CREDENTIAL: 'canary-credential' } },
      ),
    }),
    tests: [{ id: 'one', workspace: {}, assert: [{ type: 'contains', value: 'never said' }] }],
  });
  await assay(['run']);
  const run = newestRun(project);
  const files = readdirSync(run, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const leaking = files.filter((file) =>
    /sk-test-0123456789|canary-credential/.test(readFileSync(file, 'utf8')),
  );
  expect(leaking.map((file) => file.slice(run.length))).toEqual([]);
  const results = eventsOf(run).flatMap(({ fact }) =>
    fact.type === 'transcript-entry' && fact.entry.type === 'tool-result' ? [fact.entry] : [],
  );
  expect(results[0]).toMatchObject({ callId: 't0', output: 'it is [redacted:FAKE_SECRET]' });
  const { workspacePath = '', notes } = rowOf(run, 'one');
  const kept = join(run, workspacePath);
  expect(readdirSync(kept).toSorted()).toEqual(['key.txt', 'link']);
  expect(readFileSync(join(kept, 'key.txt'), 'utf8')).toBe('key: [redacted:FAKE_SECRET]\n');
  expect(statSync(join(kept, 'key.txt')).mode & 0o777).toBe(0o640);
  expect(notes).toEqual([
    'left out of the kept workspace, because a secret in it could not be removed: key.bin',
  ]);
});

test('what is called a secret stays in a directory of the user', async () => {
  const { project, assay } = played({
    targets: () => ({
      cc: claude(
        { does: `echo "key: $FAKE_SECRET" > key.txt` },
        { env: { FAKE_SECRET: 'sk-test-0123456789' } },
      ),
    }),
    tests: [],
    files: {
      'own/mine.txt': 'mine\n',
      'own.suite.ts': `import { assert } from 'assay';
        export const workspace = { mode: 'shared', cwd: './own' };
        export default [{ id: 'one', prompt: 'x', assert: () => assert.fail('kept') }];`,
    },
  });
  await assay(['run', 'own.suite.ts']);
  expect(rowOf(newestRun(project), 'one')).toMatchObject({ verdict: 'failed' });
  expect(project.read('own/key.txt')).toBe('key: sk-test-0123456789\n');
});

test('a shared directory that is kept is without secrets, and what had to go is told', async () => {
  const { project, assay } = played({
    targets: () => ({
      cc: claude(
        { does: `echo "$FAKE_SECRET" > key.txt; printf "\\0$FAKE_SECRET" > key.bin` },
        { env: { FAKE_SECRET: 'sk-test-0123456789' } },
      ),
    }),
    tests: [],
    files: {
      'base/a.txt': 'a\n',
      'shared.suite.ts': `import { assert } from 'assay';
        export const workspace = { mode: 'shared', templateDir: './base' };
        export default [{ id: 'one', prompt: 'x', assert: () => assert.fail('kept') }];`,
    },
  });
  const { stdout } = await assay(['run', 'shared.suite.ts']);
  const run = newestRun(project);
  const kept = join(run, rowOf(run, 'one').workspacePath ?? '');
  expect(readFileSync(join(kept, 'key.txt'), 'utf8')).toBe('[redacted:FAKE_SECRET]\n');
  expect(readdirSync(kept).filter((name) => name !== '.git')).toEqual(['a.txt', 'key.txt']);
  expect(stdout).toContain(
    'Warning: left out of the kept workspace, because a secret in it could not be removed: key.bin',
  );
});

test('an untested major version of a program causes one warning, whatever the result of its trials', async () => {
  const { project, assay } = played({
    targets: () => ({ cc: claude({ version: '3.0.1 (Claude Code)' }) }),
    tests: [{ id: 'one' }, { id: 'two' }],
  });
  const { stdout } = await assay(['run']);
  const text = 'cc: claude has version 3.0.1; assay was tested with 2.1.197, 2.1.330';
  expect(stdout.split(`Warning: ${text}\n`)).toHaveLength(2);
  const told = eventsOf(newestRun(project)).filter(({ fact }) => fact.type === 'note');
  expect(told.map(({ trial, fact }) => [trial, fact])).toEqual([[undefined, { type: 'note', text }]]);
});

test('a limit of steps ends the agent at the first sign of the step beyond it', async () => {
  const { project, assay } = played({
    targets: () => ({ cc: claude({ everyMs: 20 }) }),
    tests: [{ id: 'one', limits: { max_steps: 2 } }],
  });
  await assay(['run']);
  const run = newestRun(project);
  expect(rowOf(run, 'one')).toMatchObject({
    verdict: 'errored',
    error: { kind: 'max-steps' },
    limit: { kind: 'max-steps', ceiling: 2, reached: 3 },
  });
});

test('two attempts at once have two homes and two markers, and ending one leaves the other alone', async () => {
  await using folder = openProject({});
  const both = {
    // Says too much when the other one is there, and then nothing any more.
    'is ended': {
      does: 'echo $PPID > "$BOTH/id"; until [ -e "$BOTH/works" ]; do sleep 0.05; done',
      silentMs: 600_000,
    },
    'goes on': {
      does: 'touch "$BOTH/works"; while [ ! -s "$BOTH/id" ] || kill -0 $(cat "$BOTH/id"); do sleep 0.05; done',
    },
  };
  const { project, assay, starts } = played({
    targets: (seen) => ({
      cc: claude({ seen, byPrompt: both }, { maxParallel: 2, env: { BOTH: folder.directory } }),
    }),
    tests: [
      // The first trial of an agent is alone.
      { id: 'alone' },
      { id: 'ended', input: 'is ended', limits: { max_steps: 1 } },
      { id: 'works', input: 'goes on' },
    ],
  });
  await assay(['run']);
  const run = newestRun(project);
  expect(
    rowsOf(run)
      .map(({ caseId, verdict, error }) => [caseId, verdict, error?.kind])
      .toSorted(),
  ).toEqual([
    ['alone', 'passed', undefined],
    ['ended', 'errored', 'max-steps'],
    ['works', 'passed', undefined],
  ]);
  const seen = starts();
  expect(new Set(seen.map(({ env }) => env['HOME'])).size).toBe(3);
  expect(new Set(seen.map(({ env }) => env['ASSAY_ATTEMPT'])).size).toBe(3);
  expect(await project.orphans()).toEqual([]);
  expect(project.litter()).toEqual([]);
});
