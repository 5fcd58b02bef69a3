import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { setTimeout as after } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { seededRandom } from '../../src/lib/random.ts';
import { claudeTurn } from '../support/claude-lines.ts';
import type { Running } from './support/cli.ts';
import { endedIn, faultsOfLog, timeless, withoutTimes } from './support/compare.ts';
import { manifestOf, newestRun, openProject, rowsOf, type Project } from './support/project.ts';
import { processesWith } from './support/leftovers.ts';
import { until } from './support/until.ts';

const TRIALS = 200;
const KILLS = 20;

/** Writes down that it was started, and in which process of the program; every fifth answer is wrong. */
const AGENT = `
read -r question
echo "$PHASE $question" >> executions.txt
sleep 0.03
case $question in *[05]) echo 'no idea';; *) echo "the answer to $question";; esac
`;

const files = {
  'assay.config.json': {
    targets: { agent: { type: 'cli', command: ['sh', './agent.sh'], passEnv: ['PHASE'] } },
    run: { concurrency: 4, seed: 7 },
  },
  'agent.sh': AGENT,
  'many.eval.yaml': {
    tests: Array.from({ length: TRIALS }, (_, number) => ({
      id: `case-${number}`,
      input: `question ${number}\n`,
      tags: [number % 2 === 0 ? 'even' : 'odd'],
      assert: [
        { type: 'contains', value: 'the answer', required: true },
        { type: 'regex', value: `${number}$`, weight: 2 },
      ],
    })),
  },
};

test(`a run of ${TRIALS} trials that is killed ${KILLS} times and resumed equals one that was not`, async () => {
  await using whole = openProject(files);
  await using killed = openProject(files);
  const uninterrupted = await whole.start(['run'], { PHASE: '0' }).ended;

  const random = seededRandom(Number(process.env['E2E_SEED'] ?? 20));
  const endedBefore: ReadonlySet<string>[] = [];
  for (let phase = 0; phase < KILLS; phase++) {
    const program = killed.start(commandOf(killed), { PHASE: String(phase) });
    await momentOf(phase, { program, project: killed, random });
    program.kill('SIGKILL');
    await program.ended;
    endedBefore.push(endsOf(killed));
  }
  const last = await killed.start(commandOf(killed), { PHASE: String(KILLS) }).ended;

  const run = newestRun(killed);
  expect({ code: last.code, stderr: last.stderr, runs: killed.runs().length }).toEqual({
    code: uninterrupted.code,
    stderr: '',
    runs: 1,
  });
  expect(timeless(rowsOf(run))).toEqual(timeless(rowsOf(newestRun(whole))));
  expect(rowsOf(run).length).toBe(TRIALS);
  expect(faultsOfLog(run)).toEqual([]);
  expect(manifestOf(run).state).toBe('completed');
  expect(endedBefore.filter(({ size }) => size > 0 && size < TRIALS).length).toBeGreaterThan(KILLS / 3);
  expect(runAgain(killed, endedBefore)).toEqual([]);
  expect(totalsOf(run)).toEqual(totalsOf(newestRun(whole)));
  expect(await killed.orphans()).toEqual([]);
});

interface Moment {
  readonly program: Running;
  readonly project: Project;
  readonly random: () => number;
}

/** Some time after the start, or, every second time, after the first trial has ended since the start. */
async function momentOf(phase: number, { program, project, random }: Moment): Promise<void> {
  const isLate = phase % 2 === 1;
  let isOver = false;
  void program.ended.then(() => (isOver = true));
  const before = endsOf(project).size;
  if (isLate) await until('progress', () => isOver || endsOf(project).size > before);
  await Promise.race([after(Math.floor(random() * (isLate ? 150 : 800))), program.ended]);
}

function endsOf(project: Project): ReadonlySet<string> {
  return project.runs().length === 0 ? new Set() : endedIn(newestRun(project));
}

function commandOf(project: Project): string[] {
  return project.runs().length === 0 ? ['run'] : ['resume', 'latest'];
}

/** Executions in a later process than the one at whose death their trial had ended. */
function runAgain(project: Project, endedBefore: readonly ReadonlySet<string>[]): string[] {
  return executionsOf(project).flatMap(({ phase, number }) => {
    const isEnded = endedBefore[phase - 1]?.has(`many.eval.yaml/case-${number}/agent/r1`) === true;
    return isEnded ? [`case-${number} in phase ${phase}`] : [];
  });
}

function executionsOf(project: Project): { phase: number; number: number }[] {
  const lines = project.read('executions.txt').trim().split('\n');
  return lines.map((line) => {
    const [phase, , number] = line.split(' ').map(Number);
    return { phase: phase ?? -1, number: number ?? -1 };
  });
}

/** What results.json says, in the order of ids: the file has that of the first ends. */
function totalsOf(run: string): unknown {
  const { totals, cases } = JSON.parse(readFileSync(`${run}/results.json`, 'utf8')) as {
    readonly totals: object;
    readonly cases: readonly { readonly id: string }[];
  };
  return { totals: withoutTimes(totals), cases: cases.toSorted((a, b) => (a.id < b.id ? -1 : 1)) };
}

const slow = {
  'assay.config.json': {
    targets: { agent: { type: 'cli', command: ['sh', './agent.sh'] } },
    run: { concurrency: 2 },
  },
  'agent.sh':
    'echo $$ >> agents.txt\necho "$ASSAY_CASE_ID" >> executions.txt\nwhile ! [ -e go ]; do sleep 0.05; done\necho the answer\n',
  'slow.eval.yaml': {
    tests: ['one', 'two', 'three', 'four'].map((id) => ({
      id,
      input: 'What is it?',
      assert: [{ type: 'contains', value: 'the answer' }],
    })),
  },
};

test('of two processes that resume one run at once, one is refused and the other ends it', async () => {
  await using project = openProject(slow);
  const first = project.start(['run']);
  await until('two agents', () => started(project) >= 2);
  first.kill('SIGKILL');
  await first.ended;

  const rivals = [project.start(['resume', 'latest']), project.start(['resume', 'latest'])];
  const refused = await Promise.race(rivals.map(({ ended }) => ended));
  appendFileSync(project.path('go'), '');
  const codes = (await Promise.all(rivals.map(({ ended }) => ended))).map(({ code }) => code);

  expect(codes.sort()).toEqual([0, 2]);
  expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code: 2, stdout: '' });
  expect(refused.stderr).toMatch(/^assay: the run is in use by process \d+ on .+\n {2}wait until it ends/);
  const run = newestRun(project);
  expect({ rows: rowsOf(run).length, faults: faultsOfLog(run), state: manifestOf(run).state }).toEqual({
    rows: 4,
    faults: [],
    state: 'completed',
  });
});

test('a run that is still going cannot be resumed', async () => {
  await using project = openProject(slow);
  const first = project.start(['run']);
  await until('two agents', () => started(project) >= 2);
  const second = await project.assay('resume', 'latest');
  appendFileSync(project.path('go'), '');
  expect({ first: (await first.ended).code, second: second.code }).toEqual({ first: 0, second: 2 });
  expect(second.stderr).toMatch(/the run is in use by process \d+/);
  expect(started(project)).toBe(4);
});

test('what a killed process left running is ended when the run is resumed', async () => {
  await using project = openProject(slow);
  const first = project.start(['run']);
  await until('two agents', () => started(project) >= 2);
  first.kill('SIGKILL');
  await first.ended;
  const left = agentsOf(project);
  expect(left.length).toBe(2);
  const second = project.start(['resume', 'latest']);
  await until('two more agents', () => started(project) >= 4);
  expect(agentsOf(project).filter((pid) => left.includes(pid))).toEqual([]);
  appendFileSync(project.path('go'), '');
  expect((await second.ended).code).toBe(0);
  expect(await project.orphans()).toEqual([]);
});

/** Writes down who it is, starts a stray in a session of its own, and answers once it may. */
const CODING_AGENT = `#!/bin/sh
case "$*" in *--version*) echo '2.1.330 (Claude Code)'; exit 0;; esac
setsid sh -c 'echo $$ >> "$AGENTS"; exec sleep 300' > /dev/null 2>&1 < /dev/null &
echo $$ >> "$AGENTS"
echo one >> "$DONE"
while ! [ -e "$GO" ]; do sleep 0.05; done
cat "$LINES"
`;

/** Answers every request, once it may. */
const SERVER = `
const { appendFileSync, existsSync } = require('node:fs');
appendFileSync(process.env.AGENTS, process.pid + '\\n');
require('node:http').createServer((request, response) => {
  if (request.method === 'POST') appendFileSync(process.env.DONE, 'one\\n');
  const timer = setInterval(() => {
    if (request.method === 'POST' && !existsSync(process.env.GO)) return;
    clearInterval(timer);
    response.end(JSON.stringify({ messages: [{ role: 'assistant', content: 'the answer' }] }));
  }, 20);
}).listen(Number(process.env.PORT), '127.0.0.1');
`;

test('coding agents, servers, private homes and workspaces of a killed run are gone once it is resumed', async () => {
  await using project = openProject({
    'claude.sh': CODING_AGENT,
    'server.cjs': SERVER,
    'lines.jsonl': `${claudeTurn({ answer: 'the answer' }).join('\n')}\n`,
    'agents.eval.yaml': {
      tests: [{ id: 'one', input: 'What is it?', assert: [{ type: 'contains', value: 'the answer' }] }],
    },
  });
  const env = {
    AGENTS: project.path('agents.txt'),
    DONE: project.path('executions.txt'),
    GO: project.path('go'),
    LINES: project.path('lines.jsonl'),
  };
  project.write({
    'assay.config.json': {
      targets: {
        agent: { type: 'claude-code', model: 'm', command: './claude.sh', env },
        served: {
          type: 'http',
          url: 'http://127.0.0.1:{PORT}/',
          server: { command: [process.execPath, 'server.cjs'] },
          env,
        },
      },
    },
  });
  const command = ['run', '--target', 'agent', '--target', 'served'];
  const begin = async (args: readonly string[], total: number) => {
    const before = project.runs();
    const process = project.start(args);
    await until('an agent, its stray, a server and a request', () => started(project) === total);
    await until('all of them wrote down who they are', () => pidsOf(project).length === (total / 2) * 3);
    return { process, run: project.runs().find((each) => !before.includes(each)) ?? '' };
  };
  const killed = await begin(command, 2);
  const left = agentsOf(project);
  const other = await begin(command, 4);
  const others = agentsOf(project).filter((pid) => !left.includes(pid));
  const foldersOf = (token = 'none') => project.litter().filter((name) => name.includes(token)).length;
  const dead = manifestOf(killed.run).leftovers?.token;
  killed.process.kill('SIGKILL');
  await killed.process.ended;
  expect([left.length, agentsOf(project).length, foldersOf(dead)]).toEqual([3, 6, 2]);

  const resumed = await begin(['resume', killed.run], 6);
  const living = agentsOf(project);
  expect([left.filter((pid) => living.includes(pid)), foldersOf(dead)]).toEqual([[], 0]);
  expect(others.filter((pid) => living.includes(pid))).toEqual(others);
  expect(foldersOf(manifestOf(other.run).leftovers?.token)).toBe(2);

  appendFileSync(project.path('go'), '');
  const ended = await Promise.all([resumed.process.ended, other.process.ended]);
  expect(ended.map(({ code, stderr }) => ({ code, stderr }))).toEqual([
    { code: 0, stderr: '' },
    { code: 0, stderr: '' },
  ]);
  expect(await project.orphans()).toEqual([]);
  expect(project.litter()).toEqual([]);
});

test('graders of a killed run that still work are gone once it is resumed', async () => {
  const grader = `echo $$ >> "$PROJECT/agents.txt"; while ! [ -e "$PROJECT/go" ]; do sleep 0.05; done; echo '{"score": 1}'`;
  await using project = openProject({
    'assay.config.json': { targets: { agent: { type: 'mock', response: 'x' } } },
  });
  const script = ['sh', '-c', grader.replaceAll('$PROJECT', project.directory)];
  project.write({
    'graders.eval.yaml': {
      workspace: {},
      tests: [
        { id: 'scripted', input: 'x', assert: [{ type: 'code_judge', script }] },
        { id: 'commanded', input: 'x', assert: [{ type: 'command', run: script }] },
      ],
    },
  });
  const first = project.start(['run']);
  await until('two graders', () => pidsOf(project).length === 2);
  first.kill('SIGKILL');
  await first.ended;
  const left = pidsOf(project);
  const second = project.start(['resume', 'latest']);
  await until('two more graders', () => pidsOf(project).length === 4);
  const stillThere = left.filter((pid) => commandOfPid(pid) !== '');
  appendFileSync(project.path('go'), '');
  expect([(await second.ended).code, stillThere]).toEqual([0, []]);
  expect(await project.orphans()).toEqual([]);
});

/** Empty for a process that has ended, which its parent has not noticed yet. */
function commandOfPid(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

/** All that ever wrote down who they are. */
function pidsOf(project: Project): number[] {
  if (!existsSync(project.path('agents.txt'))) return [];
  return project.read('agents.txt').trim().split('\n').map(Number);
}

/** Those that live; what they start is called like them until it is something else. */
function agentsOf(project: Project): number[] {
  const living = new Set(processesWith(project.marker).map(({ pid }) => pid));
  return pidsOf(project).filter((pid) => living.has(pid));
}

function started(project: Project): number {
  if (!existsSync(project.path('executions.txt'))) return 0;
  return project.read('executions.txt').trim().split('\n').length;
}
