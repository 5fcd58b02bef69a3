import { setTimeout as after } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { seededRandom } from '../../src/lib/random.ts';
import type { Database } from '../../src/storage/database/database.ts';
import { prepare } from '../support/databases.ts';
import { countingAgent, type CountingAgent } from './support/counting-agent.ts';
import { describeEachStore, endKilledLeases } from './support/each-store.ts';
import { openProject } from './support/here.ts';
import type { Files } from './support/project.ts';
import { runFeed, type RunFeed } from './support/run-feed.ts';
import { addressOf, PATIENCE_MS, type Served } from './support/served.ts';
import { until } from './support/until.ts';

/** `ASSAY_KILLS=20` kills more often and prints what it saw; `E2E_SEED` chooses other moments. */
const KILLS = Number(process.env['ASSAY_KILLS'] ?? 3);
const SEED = Number(process.env['E2E_SEED'] ?? 14);

/** Answers that a server gets before it is killed at the latest. */
const ANSWERS = 6;
const TRIALS = (ANSWERS + 1) * KILLS + 4;

const PRICE = { input: 0, output: 1000 };
const ANSWER_USD = 0.005;
const CEILING_USD = 0.02;
const CONCURRENCY = 2;

const filesFor = (agent: CountingAgent): Files => ({
  'assay.config.json': {
    targets: { bot: { type: 'http', url: agent.url, price: PRICE } },
    user: { type: 'scripted', messages: [] },
    judge: { model: 'none/none', metrics: [] },
    run: {
      seed: 3,
      concurrency: CONCURRENCY,
      limits: { maxCostUsd: CEILING_USD },
      expectations: [{ type: 'contains', value: 'right' }],
    },
  },
  'cases.json': Array.from({ length: TRIALS }, (_, number) => ({
    name: `case ${number}`,
    initial_message: `question ${number}`,
  })),
});

/** Every fourth answer is kept beside the log; every fifth is wrong. */
function answerTo(said: string): string {
  const number = Number(said.split(' ')[1]);
  const text = number % 5 === 4 ? 'wrong' : 'right';
  return number % 4 === 3 ? `${text} ${'x'.repeat(70_000)}` : `${text}: ${said}`;
}

describeEachStore(({ name, environment, query }) => {
  test(
    `a server that is killed ${KILLS} times in one run loses, doubles and forgets nothing`,
    async () => {
      await using agent = await countingAgent(answerTo);
      await using project = openProject(filesFor(agent));
      const env = environment();
      if (env['DATABASE_URL'] === undefined) await prepare(project.path('.assay/data'));
      else await project.here(['db', 'migrate'], env);
      await project.here(['cases', 'import', 'cases.json'], env);
      const seen: Seen[] = [];
      let run: RunFeed & { readonly id: string } = { ...runFeed(''), id: '' };
      const random = seededRandom(SEED);
      for (let kill = 0; kill < KILLS; kill++) {
        const moment = kill === 0 ? ({ kind: 'answer', count: 2 } as const) : drawn(random);
        const program = project.start(['serve', '--port', '0', '--resume'], env);
        const gone = atMoment(moment, { agent, kill: () => program.kill('SIGKILL') });
        if (moment.kind !== 'boot') {
          const server = await addressOf(program);
          if (kill === 0) run = await begun(server);
          const before = run.events.length;
          agent.allow(ANSWERS);
          let isOver = false;
          void program.ended.then(() => (isOver = true));
          const reading = readOn(run, server.api, () => isOver);
          if (moment.kind === 'event')
            await until('events', () => run.events.length >= before + moment.count, PATIENCE_MS);
          if (moment.kind === 'event' || moment.kind === 'address') program.kill('SIGKILL');
          await program.ended;
          await reading;
        }
        await gone;
        await program.ended;
        await endKilledLeases(env);
        seen.push({ ...moment, ended: endsIn(run), answered: agent.answered() });
      }

      const last = project.start(['serve', '--port', '0', '--resume'], env);
      const server = await addressOf(last);
      agent.allow(Number.POSITIVE_INFINITY);
      const resourceNow = async () => (await server.ask('GET', `/runs/${run.id}`)).body;
      await readOn(run, server.api, async () => (await resourceNow()).state === 'completed');
      await run.read(server.api);
      const resource = await resourceNow();
      const trials = await trialsOf(server, run.id);
      const transcripts = await Promise.all(
        trials
          .slice(0, 8)
          .map(({ number }) => server.ask('GET', `/runs/${run.id}/trials/${number}/transcript`)),
      );
      last.kill('SIGINT');
      expect((await last.ended).code).toBe(0);
      if (process.env['ASSAY_KILLS'] !== undefined) process.stdout.write(tableOf(name, seen));

      const wrong = Math.floor(TRIALS / 5);
      expect(resource.totals?.counts).toEqual({
        total: TRIALS,
        passed: TRIALS - wrong,
        failed: wrong,
        errored: 0,
        skipped: 0,
        cancelled: 0,
      });
      expect(trials.map(({ number }) => number).toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: TRIALS }, (_, index) => index + 1),
      );
      expect(transcripts.map(({ body }) => saidIn(body.data))).toEqual(
        transcripts.map(() => ['user', 'assistant']),
      );
      // Each event came once, and as it is stored.
      const kept = await query(project, eventsOf);
      expect(run.events.map(({ sequence }) => sequence)).toEqual(run.events.map((_, index) => index + 1));
      expect(run.events.map(({ sequence, fact }) => [sequence, fact])).toEqual(
        kept.map(({ sequence, fact }) => [sequence, JSON.parse(fact)]),
      );
      expect(lifeOf(run)).toEqual([]);
      // What was spent counts, and what the killed processes may have spent at most.
      const spent = Number(resource.manifest?.spent?.usd);
      expect(spent).toBeGreaterThanOrEqual(agent.answered() * ANSWER_USD - 1e-6);
      expect(spent).toBeLessThanOrEqual(TRIALS * ANSWER_USD + KILLS * CONCURRENCY * CEILING_USD + 1e-6);
      expect(moneyOf(run)).toEqual(moneyOf(run).toSorted((a, b) => a - b));
      const before = await query(project, projectionOf);
      expect(before.runs).toMatchObject([{ spent_usd: spent, reserved_usd: 0 }]);
      expect((await project.here(['db', 'rebuild'], env)).stdout).toMatch(/^rebuilt 1 run /);
      expect(await query(project, projectionOf)).toEqual(before);
      expect(await project.orphans()).toEqual([]);
    },
    KILLS * 60_000 + 300_000,
  );
});

type Moment =
  | { readonly kind: 'boot'; readonly ms: number }
  | { readonly kind: 'address' }
  | { readonly kind: 'event' | 'question' | 'answer'; readonly count: number }
  | { readonly kind: 'later'; readonly count: number; readonly ms: number };

type Seen = Moment & { readonly ended: number; readonly answered: number };

function drawn(random: () => number): Moment {
  const count = 1 + Math.floor(random() * ANSWERS);
  const ms = Math.floor(random() * 400);
  const kinds = ['boot', 'address', 'event', 'question', 'answer', 'later', 'question', 'later'] as const;
  const kind = kinds[Math.floor(random() * kinds.length)] ?? 'later';
  switch (kind) {
    case 'boot':
      return { kind, ms: ms * 4 };
    case 'address':
      return { kind };
    case 'event':
      return { kind, count: count * 4 };
    case 'later':
      return { kind, count, ms };
    default:
      return { kind, count };
  }
}

/** Resolves when it has killed, or at once where others do. */
async function atMoment(
  moment: Moment,
  { agent, kill }: { readonly agent: CountingAgent; readonly kill: () => void },
): Promise<void> {
  agent.onStep(() => undefined);
  if (moment.kind === 'address' || moment.kind === 'event') return;
  if (moment.kind !== 'boot') {
    let left = moment.count;
    await new Promise<void>((resolve) => {
      agent.onStep((kind) => {
        if ((kind === 'answer') === (moment.kind === 'answer') && (left -= 1) === 0) {
          if (moment.kind !== 'later') kill();
          resolve();
        }
      });
    });
  }
  if ('ms' in moment) await after(moment.ms);
  kill();
}

async function begun(server: Omit<Served, 'program'>): Promise<RunFeed & { readonly id: string }> {
  const { status, body } = await server.ask('POST', '/runs', { select: {}, budget_usd: 1000 });
  expect([status, body]).toEqual([202, expect.objectContaining({ error: null })]);
  return { ...runFeed(body.id), id: body.id };
}

/** Reads the feed again and again: that of an interrupted run ends, until somebody goes on with it. */
async function readOn(run: RunFeed, api: string, isOver: () => boolean | Promise<boolean>): Promise<void> {
  await until(
    'the end of the run',
    async () => {
      await run.read(api);
      return await isOver();
    },
    PATIENCE_MS,
  );
}

const endsIn = ({ events }: RunFeed): number => events.filter(({ fact }) => fact.type === 'trial-end').length;

async function trialsOf(
  { ask }: Pick<Served, 'ask'>,
  run: string,
): Promise<readonly { readonly number: number }[]> {
  const all: { readonly number: number }[] = [];
  for (let cursor = ''; ;) {
    const { body } = await ask('GET', `/runs/${run}/trials?limit=50${cursor}`);
    all.push(...body.data);
    if (body.next_cursor === null) return all;
    cursor = `&cursor=${encodeURIComponent(body.next_cursor)}`;
  }
}

const saidIn = (entries: readonly { readonly type: string; readonly role?: string }[]) =>
  entries.flatMap(({ type, role }) => (type === 'message' ? [role] : []));

interface KeptEvent extends Readonly<Record<string, unknown>> {
  readonly sequence: number;
  readonly fact: string;
}

const eventsOf = ({ query }: Database) =>
  query<KeptEvent>('select sequence, fact from run_event order by run_id, sequence');

/** What is wrong with the trials of a log: ends that are missing or doubled, and attempts behind an end. */
function lifeOf({ events }: RunFeed): readonly string[] {
  const ended = new Set<string>();
  const wrong: string[] = [];
  for (const { trial, fact } of events) {
    if (trial === undefined) continue;
    if (ended.has(trial) && fact.type !== 'note') wrong.push(`${fact.type} of ${trial} behind its end`);
    if (fact.type === 'trial-end') ended.add(trial);
  }
  return ended.size === TRIALS ? wrong : [...wrong, `${ended.size} trials have ended`];
}

/** What was spent or set aside at each start, and in between. */
function moneyOf({ events }: RunFeed): readonly number[] {
  return events.flatMap(({ fact }) =>
    fact.type === 'run-state' && fact.money !== undefined ? [fact.money.spentUsd] : [],
  );
}

/** What events have come to. */
const projectionOf = async ({ query }: Database) => ({
  trials: await query('select * from trial order by run_id, number'),
  grades: await query('select * from grade order by run_id, trial_number, ordinal'),
  runs: await query('select id, state, tally, spent_usd, reserved_usd, last_sequence from run order by id'),
});

function tableOf(name: string, seen: readonly Seen[]): string {
  const lines = seen.map(({ ended, answered, ...moment }, index) => {
    const when = Object.entries(moment).map(([key, value]) => `${key} ${value}`);
    return `${index + 1}\t${when.join(', ')}\tended ${ended}\tanswered ${answered}\n`;
  });
  return `${name}\n${lines.join('')}`;
}
