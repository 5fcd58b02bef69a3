import { existsSync, readFileSync } from 'node:fs';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { sharedDatabase, type SharedDatabase } from '../support/databases.ts';
import { startModelServer } from '../../src/models/mock-server/server.ts';
import { countingAgent } from './support/counting-agent.ts';
import { processesWith } from './support/leftovers.ts';
import { openProject } from './support/here.ts';
import type { AnsweredBody } from '../support/answered.ts';
import { killed, PATIENCE_MS, served, type Served } from './support/served.ts';
import { until } from './support/until.ts';
import { erroredIn, faultsIn, keptRun } from './support/kept-run.ts';
import {
  deadLettersOf,
  endLeases,
  endLeasesOf,
  endsIn,
  factsIn,
  filled,
  projectFiles,
  worker,
} from './support/workers.ts';

let postgres: SharedDatabase;
let env: { readonly DATABASE_URL: string };
beforeAll(async () => {
  postgres = await sharedDatabase('empty');
  env = { DATABASE_URL: postgres.url };
  await using project = openProject(projectFiles('http://127.0.0.1:9', TRIALS));
  await filled(project, env);
});
afterAll(() => postgres.end());

const TRIALS = 20;

const begun = async ({ ask }: Served, select: object = {}): Promise<string> =>
  (await ask('POST', '/runs', { select })).body.id;

const over = async ({ ask }: Served, run: string) => {
  let body: AnsweredBody<'GET', `/runs/${string}`> | undefined;
  await until(
    'the end of the run',
    async () => {
      ({ body } = await ask('GET', `/runs/${run}`));
      return body?.state === 'completed' || body?.state === 'stopped';
    },
    PATIENCE_MS,
  );
  return body;
};

const ALL = Number.POSITIVE_INFINITY;

test('two workers run all trials of a server without a worker, each exactly once', async () => {
  await using agent = await countingAgent(() => 'right');
  await using project = openProject(projectFiles(agent.url, 0));
  const server = await served(project, env, ['--no-worker']);
  const run = await begun(server);
  const workers = [
    await worker(project, env, ['--name', 'one', '--concurrency', '4']),
    await worker(project, env, ['--name', 'two', '--concurrency', '4']),
  ];
  await until('as many questions as may run at once', () => agent.asked() === 6, PATIENCE_MS);
  agent.allow(ALL);
  expect((await over(server, run))?.totals?.counts).toMatchObject({ total: TRIALS, passed: TRIALS });
  expect(await endsIn(env.DATABASE_URL, run)).toEqual({
    ends: [{ times: 1, trials: TRIALS }],
    attempts: [{ attempts: 1, trials: TRIALS }],
    handed: 0,
  });
  expect(agent.asked()).toBe(TRIALS);
  const programs = [...workers, server.program];
  for (const program of programs) program.kill('SIGINT');
  const ended = await Promise.all(programs.map((program) => program.ended));
  expect(ended.map(({ code }) => code)).toEqual([0, 0, 0]);
  expect(ended.map(({ stderr }) => stderr).join('')).toMatch(/^warning: no authentication[^\n]*\n$/);
}, 600_000);

test('the trials of a killed worker start anew on another one, with one end each', async () => {
  await using agent = await countingAgent(() => 'right');
  await using project = openProject(projectFiles(agent.url, 0));
  const server = await served(project, env, ['--no-worker']);
  const run = await begun(server);
  const first = await worker(project, env, ['--name', 'first', '--concurrency', '2']);
  await until('two questions', () => agent.asked() === 2, PATIENCE_MS);
  const second = await worker(project, env, ['--name', 'second', '--concurrency', '5']);
  await until('as many questions as may run at once', () => agent.asked() === 6, PATIENCE_MS);
  await killed(first);
  await endLeasesOf(env.DATABASE_URL, first.pid);
  await until('the end of its attempts', async () => (await interruptions(run)).length === 2, PATIENCE_MS);
  agent.allow(ALL);
  expect((await over(server, run))?.totals?.counts).toMatchObject({ total: TRIALS, passed: TRIALS });
  expect(await endsIn(env.DATABASE_URL, run)).toEqual({
    ends: [{ times: 1, trials: TRIALS }],
    attempts: [
      { attempts: 1, trials: TRIALS - 2 },
      { attempts: 2, trials: 2 },
    ],
    handed: 0,
  });
  expect(agent.mostAtOnce()).toBe(6);
  expect(faultsIn((await keptRun(env.DATABASE_URL, run)).events, TRIALS)).toEqual([]);
  const [lost] = (await interruptions(run)).filter(({ message }) => message.includes('first'));
  expect(lost?.message).toMatch(/^first \(process \d+ on .+\) stopped responding during this attempt$/);
  for (const program of [second, server.program]) program.kill('SIGINT');
  await Promise.all([second.ended, server.program.ended]);
}, 600_000);

test('a worker that is cut off and comes back writes nothing more of its trial, which began anew elsewhere', async () => {
  await using agent = await countingAgent(() => 'right');
  await using project = openProject(projectFiles(agent.url, 0));
  const server = await served(project, env, ['--no-worker']);
  const run = await begun(server);
  const away = await worker(project, env, ['--name', 'away']);
  await until('a question', () => agent.asked() === 1, PATIENCE_MS);
  away.kill('SIGSTOP');
  await endLeasesOf(env.DATABASE_URL, away.pid);
  const lost = async () => (await interruptions(run)).length === 1;
  await until('the end of its attempt', lost, PATIENCE_MS);
  const stayer = await worker(project, env, ['--name', 'stayer', '--concurrency', '6']);
  await until('questions for all that may run', () => agent.asked() === 7, PATIENCE_MS);
  // Its own answer has come when it wakes up.
  agent.allow(1);
  await until('its answer', () => agent.answered() === 1, PATIENCE_MS);
  away.kill('SIGCONT');
  agent.allow(ALL);
  expect((await over(server, run))?.totals?.counts).toMatchObject({ total: TRIALS, passed: TRIALS });
  expect(await endsIn(env.DATABASE_URL, run)).toEqual({
    ends: [{ times: 1, trials: TRIALS }],
    attempts: [
      { attempts: 1, trials: TRIALS - 1 },
      { attempts: 2, trials: 1 },
    ],
    handed: 0,
  });
  const { events } = await keptRun(env.DATABASE_URL, run);
  expect(faultsIn(events, TRIALS)).toEqual([]);
  for (const program of [away, stayer, server.program]) program.kill('SIGINT');
  const ended = await Promise.all([away, stayer, server.program].map((program) => program.ended));
  expect(ended.map(({ code }) => code)).toEqual([0, 0, 0]);
}, 600_000);

test('what a worker writes after its lease is refused, and after the third loss the trial is errored', async () => {
  await using agent = await countingAgent(() => 'right');
  await using project = openProject(projectFiles(agent.url, 0));
  const server = await served(project, env, ['--no-worker']);
  const run = await begun(server, { id: ['case 0'] });
  const hand = await worker(project, env, ['--name', 'hand']);
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    await until(`question ${attempt}`, () => agent.asked() === attempt, PATIENCE_MS);
    await endLeases(env.DATABASE_URL, 'trials');
  }
  expect((await over(server, run))?.totals?.counts).toMatchObject({ total: 1, errored: 1 });
  expect(await endsIn(env.DATABASE_URL, run)).toEqual({
    ends: [{ times: 1, trials: 1 }],
    attempts: [{ attempts: 3, trials: 1 }],
    handed: 0,
  });
  expect((await interruptions(run)).map(({ kind }) => kind)).toEqual([
    'interrupted',
    'interrupted',
    'interrupted',
  ]);
  for (const program of [hand, server.program]) program.kill('SIGINT');
  await Promise.all([hand.ended, server.program.ended]);
}, 600_000);

interface Interruption {
  readonly kind: string;
  readonly message: string;
}

const interruptions = async (run: string): Promise<readonly Interruption[]> => {
  const ends = (await factsIn(env.DATABASE_URL, run, 'attempt-end')) as { readonly error?: Interruption }[];
  return ends.flatMap(({ error }) => error ?? []);
};

test('a trial that kills each worker goes to the dead letters, and the run goes on', async () => {
  const files = projectFiles('http://127.0.0.1:9', 0)['assay.config.json'] as object;
  await using project = openProject({
    'assay.config.json': { ...files, targets: { bot: { type: 'cli', command: ['sh', 'bot.sh'] } } },
    // The program is started by the worker.
    'bot.sh': 'case "$(cat)" in *" 1") kill -9 "$PPID";; *) echo right;; esac\n',
  });
  const server = await served(project, env, ['--no-worker']);
  const run = await begun(server, { id: ['case 0', 'case 1', 'case 2'] });
  let deaths = 0;
  const working = (async () => {
    while (deaths < 3) {
      const hand = await worker(project, env, ['--name', `hand ${deaths}`]);
      expect((await hand.ended).signal).toBe('SIGKILL');
      deaths += 1;
      await endLeasesOf(env.DATABASE_URL, hand.pid);
    }
    return await worker(project, env, ['--name', 'last']);
  })();
  expect((await over(server, run))?.totals?.counts).toMatchObject({ total: 3, passed: 2, errored: 1 });
  expect(deaths).toBe(3);
  expect(await deadLettersOf(env.DATABASE_URL, run)).toEqual([
    {
      run,
      trial: expect.stringMatching(/^stored\//) as string,
      reason: expect.stringMatching(/^hand 2 \(process \d+ on .+\) stopped responding/) as string,
    },
  ]);
  const { events } = await keptRun(env.DATABASE_URL, run);
  expect([faultsIn(events, 3), erroredIn(events).length]).toEqual([[], 1]);
  const last = await working;
  for (const program of [last, server.program]) program.kill('SIGINT');
  await Promise.all([last.ended, server.program.ended]);
}, 600_000);

test('two servers conduct a run each, with the same workers, whose clocks are an hour off', async () => {
  await using agent = await countingAgent(() => 'right');
  await using project = openProject({
    ...projectFiles(agent.url, 0),
    'late.cjs': shiftedClock(-3_600_000),
    'early.cjs': shiftedClock(3_600_000),
  });
  const servers = [
    await served(project, env, ['--no-worker', '--resume']),
    await served(project, env, ['--no-worker', '--resume']),
  ];
  const workers = [];
  for (const clock of ['late', 'early']) {
    const off = { ...env, NODE_OPTIONS: `--require ${project.path(`${clock}.cjs`)}` };
    workers.push(await worker(project, off, ['--name', clock, '--concurrency', '6']));
  }
  const runs = await Promise.all(servers.map((server) => begun(server)));
  await until('as many questions as may run at once', () => agent.asked() === 12, PATIENCE_MS);
  agent.allow(ALL);
  for (const [index, run] of runs.entries()) {
    const other = servers[1 - index] as Served;
    expect((await over(other, run))?.totals?.counts).toMatchObject({ total: TRIALS, passed: TRIALS });
    expect(await endsIn(env.DATABASE_URL, run)).toEqual({
      ends: [{ times: 1, trials: TRIALS }],
      attempts: [{ attempts: 1, trials: TRIALS }],
      handed: 0,
    });
  }
  expect(agent.asked()).toBe(2 * TRIALS);
  const listed = JSON.parse((await project.start(['workers', '--json'], env).ended).stdout) as {
    readonly name: string;
    readonly isAlive: boolean;
  }[];
  const alive = listed.filter(({ isAlive }) => isAlive).map(({ name }) => name);
  expect(alive.slice(0, 2)).toEqual(['early', 'late']);
  const programs = [...workers, ...servers.map(({ program }) => program)];
  for (const program of programs) program.kill('SIGINT');
  await Promise.all(programs.map(({ ended }) => ended));
}, 600_000);

/** A module that moves the clock of its process. */
const shiftedClock = (ms: number) => `
const real = Date;
globalThis.Date = class extends real {
  constructor(...given) {
    if (given.length === 0) super(real.now() + ${ms});
    else super(...given);
  }
  static now() {
    return real.now() + ${ms};
  }
};
`;

test('another server takes over a run while its workers go on', async () => {
  await using agent = await countingAgent(() => 'right');
  await using project = openProject(projectFiles(agent.url, 0));
  const first = await served(project, env, ['--no-worker']);
  const run = await begun(first);
  const hand = await worker(project, env, ['--name', 'hand', '--concurrency', '3']);
  await until('three questions', () => agent.asked() === 3, PATIENCE_MS);
  await killed(first.program);
  const second = await served(project, env, ['--no-worker', '--resume']);
  await endLeases(env.DATABASE_URL, 'runs');
  const taken = async () => (await second.ask('GET', `/runs/${run}`)).body.state === 'running';
  await until('the take-over', taken, PATIENCE_MS);
  agent.allow(ALL);
  expect((await over(second, run))?.totals?.counts).toMatchObject({ total: TRIALS, passed: TRIALS });
  expect(await endsIn(env.DATABASE_URL, run)).toEqual({
    ends: [{ times: 1, trials: TRIALS }],
    attempts: [{ attempts: 1, trials: TRIALS }],
    handed: 0,
  });
  expect(agent.asked()).toBe(TRIALS);
  for (const program of [hand, second.program]) program.kill('SIGINT');
  await Promise.all([hand.ended, second.program.ended]);
}, 600_000);

test('a cancelled run ends its trials on a worker, and a worker with another config refuses it', async () => {
  await using agent = await countingAgent(() => 'right');
  await using project = openProject(projectFiles(agent.url, 0));
  await using other = openProject(projectFiles(`${agent.url}/other`, 0));
  const server = await served(project, env, ['--no-worker']);
  const run = await begun(server);
  const stranger = await worker(other, env, ['--name', 'stranger']);
  await until('a refusal', () => stranger.complaints().includes(`takes no trials of ${run}`), PATIENCE_MS);
  const hand = await worker(project, env, ['--name', 'hand', '--concurrency', '2']);
  await until('two questions', () => agent.asked() === 2, PATIENCE_MS);
  const listed = JSON.parse((await project.start(['workers', '--json'], env).ended).stdout) as {
    readonly name: string;
    readonly isAlive: boolean;
    readonly trials: readonly object[];
    readonly refusals: readonly { readonly reason: string }[];
  }[];
  const overApi = { ASSAY_URL: new URL(server.api).origin };
  await using elsewhere = openProject({});
  const toldByServer = await elsewhere.start(['workers', '--json'], overApi).ended;
  const withoutTimes = (text: string) => text.replaceAll(/"seenAt":"[^"]+"/g, '');
  expect(withoutTimes(toldByServer.stdout)).toBe(
    withoutTimes((await project.start(['workers', '--json'], env).ended).stdout),
  );
  const shown = listed
    .filter(({ isAlive, name }) => isAlive && ['hand', 'stranger'].includes(name))
    .slice(0, 2);
  expect(shown.map(({ name, trials, refusals }) => [name, trials.length, refusals[0]?.reason])).toEqual([
    ['hand', 2, undefined],
    ['stranger', 0, 'not the same here: the config, target bot'],
  ]);
  expect((await server.ask('POST', `/runs/${run}/cancel`, {})).status).toBe(202);
  expect(await over(server, run)).toMatchObject({
    state: 'stopped',
    totals: { counts: { total: TRIALS, cancelled: 2, skipped: TRIALS - 2 } },
  });
  const programs = [hand, stranger, server.program];
  for (const program of programs) program.kill('SIGTERM');
  expect((await Promise.all(programs.map(({ ended }) => ended))).map(({ code }) => code)).toEqual([0, 0, 0]);
}, 600_000);

test('a stopped worker gives its trials back, and workers run the files of a checkout', async () => {
  await using agent = await countingAgent(() => 'right');
  await using project = openProject({
    ...projectFiles(agent.url, 0),
    'some.eval.yaml': `tests:
  - { id: one, input: a, assert: [{ type: contains, value: right }] }
  - { id: two, input: b, assert: [{ type: contains, value: right }] }
`,
  });
  const conductor = project.start(['run', '--workers', '--ci', '--json'], env);
  const first = await worker(project, env, ['--name', 'leaver', '--concurrency', '2', '--grace', '0.1']);
  await until('two questions', () => agent.asked() === 2, PATIENCE_MS);
  first.kill('SIGTERM');
  const left = await first.ended;
  expect([left.code, left.stderr, left.stdout.split('\n').slice(1)]).toEqual([
    0,
    '',
    [
      'worker leaver takes no more trials; it stops when 2 running trials ended, at the latest in 0.1 s  (Ctrl-C again to stop now)',
      'worker leaver gives 2 running trials back to other workers',
      '',
    ],
  ]);
  const second = await worker(project, env, ['--name', 'stayer', '--concurrency', '2']);
  agent.allow(ALL);
  const ended = await conductor.ended;
  expect([ended.code, ended.stderr]).toEqual([0, '']);
  const { id, state } = JSON.parse(ended.stdout) as { readonly id: string; readonly state: string };
  expect(state).toBe('completed');
  expect(await endsIn(env.DATABASE_URL, id)).toEqual({
    ends: [{ times: 1, trials: 2 }],
    attempts: [{ attempts: 1, trials: 2 }],
    handed: 0,
  });
  second.kill('SIGINT');
  await second.ended;
}, 600_000);

test('trials that share a directory run on one worker, one after the other', async () => {
  const cases = Array.from(
    { length: 6 },
    (_, number) => `{ id: 'case ${number}', prompt: '${number}', assert() {} }`,
  );
  await using project = openProject({
    'assay.config.json': {
      targets: {
        shell: {
          type: 'cli',
          command: [
            'sh',
            '-c',
            'read -r said; echo "$said $PPID" >> told; echo "$said" > now; cat now; echo end >> told',
          ],
        },
      },
    },
    'own/a.txt': 'a',
    'a.suite.ts': `export const workspace = { mode: 'shared', cwd: './own' };\nexport default [${cases.join(', ')}];\n`,
  });
  const hands = [
    await worker(project, env, ['--name', 'left', '--concurrency', '4']),
    await worker(project, env, ['--name', 'right', '--concurrency', '4']),
  ];
  const ended = await project.start(['run', '--workers', '--ci', '--json'], env).ended;
  expect([ended.code, ended.stderr]).toEqual([0, '']);
  const told = project.read('own/told').trimEnd().split('\n');
  const [, first = ''] = told[0]?.split(' ') ?? [];
  expect(told).toEqual([0, 1, 2, 3, 4, 5].flatMap((number) => [`${number} ${first}`, 'end']));
  for (const program of hands) program.kill('SIGINT');
  await Promise.all(hands.map((program) => program.ended));
}, 600_000);

test('three workers spend what one machine would of a budget, and stop where it would', async () => {
  const reply = { text: 'right', usage: { input: 3, output: 5 }, delayMs: 200 };
  await using server = await startModelServer({ script: { rules: [{ reply }] } });
  await using project = openProject({
    'assay.config.json': {
      // An answer costs half a cent, and may cost a cent.
      targets: {
        bot: { type: 'model', model: 'local/bot', maxOutputTokens: 10, price: { input: 0, output: 1000 } },
      },
      models: { local: { baseUrl: `${server.url}/v1` } },
    },
    'some.eval.yaml': {
      tests: Array.from({ length: 8 }, (_, number) => ({
        id: `case ${number}`,
        input: `question ${number}`,
        assert: [{ type: 'contains', value: 'right' }],
      })),
    },
  });
  const hands = [
    await worker(project, env, ['--name', 'a', '--concurrency', '3']),
    await worker(project, env, ['--name', 'b', '--concurrency', '3']),
    await worker(project, env, ['--name', 'c', '--concurrency', '3']),
  ];
  const spending = async (usd: string, ...flags: string[]) => {
    const { code, stdout } = await project.start(['run', '--max-cost', usd, '--ci', '--json', ...flags], env)
      .ended;
    const { state, totals } = JSON.parse(stdout) as {
      readonly state: string;
      readonly totals: {
        readonly counts: { readonly passed: number; readonly skipped: number };
        readonly costUsd: { readonly agent: unknown };
      };
    };
    const { passed, skipped } = totals.counts;
    return { code, state, usd: totals.costUsd.agent, passed, skipped };
  };
  // The worst case of all does not fit, but what they really cost does.
  expect(await spending('0.05', '--workers')).toEqual(await spending('0.05'));
  expect(await spending('0.03', '--workers')).toEqual(await spending('0.03'));
  for (const program of hands) program.kill('SIGINT');
  await Promise.all(hands.map((program) => program.ended));
}, 600_000);

test('a worker without the program of an agent says so, and `assay resume --workers` continues a run', async () => {
  await using agent = await countingAgent(() => 'right');
  await using project = openProject({
    'assay.config.json': {
      targets: { bot: { type: 'http', url: agent.url }, coder: { type: 'claude-code', model: 'some-model' } },
    },
    'some.eval.yaml': `tests:
  - { id: one, input: a, assert: [{ type: contains, value: right }] }
  - { id: two, input: b, assert: [{ type: contains, value: right }] }
`,
  });
  const hand = await worker(project, env, ['--name', 'bare']);
  const coding = project.start(['run', '--workers', '--ci', '--target', 'coder', '--case', 'one'], env);
  await until('a refusal', () => hand.complaints().includes('takes no trials'), PATIENCE_MS);
  expect(hand.complaints()).toMatch(/^takes no trials of \S+: target coder: claude: not found on PATH\n$/);
  const listed = await project.start(['workers'], env).ended;
  expect(listed.stdout).toMatch(/\n {2}takes no trials of \S+: target coder: claude: not found on PATH\n/);
  const waiting =
    /^Warning: waiting for a worker: 1 worker refused this run; bare: target coder: claude: not found/m;
  await until('the reason', () => waiting.test(coding.printed()), PATIENCE_MS);
  coding.kill('SIGKILL');
  await coding.ended;
  const first = project.start(['run', '--workers', '--ci', '--json', '--target', 'bot'], env);
  await until('a question', () => agent.asked() === 1, PATIENCE_MS);
  first.kill('SIGINT');
  agent.allow(1);
  const { id } = JSON.parse((await first.ended).stdout) as { readonly id: string };
  agent.allow(ALL);
  const resumed = await project.start(['resume', id, '--workers', '--ci', '--json'], env).ended;
  expect([resumed.code, resumed.stderr]).toEqual([0, '']);
  expect(await endsIn(env.DATABASE_URL, id)).toEqual({
    ends: [{ times: 1, trials: 2 }],
    attempts: [{ attempts: 1, trials: 2 }],
    handed: 0,
  });
  hand.kill('SIGINT');
  await hand.ended;
}, 600_000);

test('what the agents of a killed worker left running ends when a worker starts there again', async () => {
  await using project = openProject({
    'assay.config.json': {
      targets: {
        shell: {
          type: 'cli',
          command: ['sh', '-c', 'sleep 3001 & echo $! > "$STRAYS"; sleep 3002'],
          passEnv: ['STRAYS'],
        },
      },
    },
    'some.eval.yaml': 'tests: [{ id: one, input: a, assert: [{ type: contains, value: right }] }]\n',
  });
  const strays = () => processesWith(project.marker).filter(({ command }) => command.startsWith('sleep 300'));
  const told = project.path('strays');
  const own = { ...env, STRAYS: told };
  const conductor = project.start(['run', '--workers', '--ci'], own);
  const first = await worker(project, own, ['--name', 'killed']);
  await until('an agent', () => existsSync(told) && readFileSync(told, 'utf8').includes('\n'), PATIENCE_MS);
  await until('its processes', () => strays().length === 2, PATIENCE_MS);
  await killed(first);
  const left = strays().map(({ pid }) => pid);
  expect(left).toHaveLength(2);
  conductor.kill('SIGKILL');
  await conductor.ended;
  const second = await worker(project, own, ['--name', 'again']);
  // It may have begun the trial anew.
  expect(strays().filter(({ pid }) => left.includes(pid))).toEqual([]);
  const listed = (await project.start(['workers'], own).ended).stdout;
  expect(listed).toMatch(/^killed {2}last seen /m);
  second.kill('SIGINT');
  await second.ended;
}, 600_000);

test('what only one process can compare or record is refused with --workers', async () => {
  await using project = openProject({
    'assay.config.json': { targets: { bot: { type: 'mock', response: 'x' } }, snapshots: {} },
    'a.suite.ts': `export default [{ id: 'one', prompt: 'x', assert() {} }];\n`,
  });
  const refused = await project.start(['run', '--workers'], env).ended;
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringMatching(
      /`snapshots` cannot be used with --workers: the baseline of a case .* in a file of one machine\s+\(?start the suites with snapshots without --workers, and the others with it/,
    ) as string,
  ]);
}, 600_000);
