import { expect, onTestFinished, test } from 'vitest';

import { folderOfTests } from '../../../../test/support/test-folders.ts';
import { onPostgres } from '../../../../test/support/databases.ts';
import { codeOf, redactor } from '../../../../test/support/written-runs.ts';
import type { HandedTrials } from '../../../core/handed-trials.ts';
import type { Emitted } from '../../../core/run.ts';
import type { TakenTrial, WorkerDesk } from '../../../core/trial-queue.ts';
import { trialKey } from '../../../core/trial.ts';
import { TALLY_FOLD } from '../../../reading/row-fold.ts';
import { all, AT, ended, manifestOf, note, rowOf } from '../../run-directory/fixtures/runs.ts';
import { databaseRuns } from '../runs/store.ts';
import { databaseQueue } from './store.ts';

const folder = folderOfTests('assay-queue-');

const NEVER = new AbortController().signal;

const rows = [1, 2, 3].map((number) => rowOf(`case ${number}`, { number }));
const offered = rows.map((row) => ({ number: row.number, key: trialKey(row), document: { of: row.caseId } }));

onPostgres('the queue of workers', (database) => {
  const room = () => ({ database: database(), folder, fold: TALLY_FOLD });

  /** A run whose trials are handed out, and workers that may take them. */
  async function handedOut(budgetUsd?: number) {
    const run = await databaseRuns(room()).create({
      startedAt: Date.parse(AT),
      redactor,
      manifest: (id) => manifestOf({ id, state: 'running' }),
    });
    const handed = (await run.handOut?.()) as HandedTrials;
    const set = 'update run set state = $2, budget_usd = $3 where id = $1';
    await database().query(set, [run.manifest.id, 'running', budgetUsd ?? null]);
    onTestFinished(async () => {
      await handed[Symbol.asyncDispose]();
      await run.release();
    });
    const id = run.manifest.id;
    const taking = async (most: number, desk: WorkerDesk) =>
      (await desk.runs()).some((waiting) => waiting.id === id) ? await desk.take(id, most, NEVER) : [];
    const append = async (desk: WorkerDesk, taken: TakenTrial, facts: readonly Emitted[]) =>
      await desk.open(id, redactor).logOf(taken).append(facts);
    return { id, run, handed, taking, append };
  }

  async function worker(name: string): Promise<WorkerDesk> {
    const login = database().login ?? '';
    const identity = { name, host: 'here', pid: 1, version: '1', slots: 4 };
    const desk = await databaseQueue(room(), login).join(identity);
    onTestFinished(() => desk[Symbol.asyncDispose]());
    return desk;
  }

  const expire = () =>
    database().query(
      "update handed_trial set lease_until = clock_timestamp() - interval '1 second' where lease_id is not null",
    );

  const end = (taken: TakenTrial) => [ended(rows[taken.number - 1] ?? rowOf('none'))];

  const numbers = (taken: readonly TakenTrial[]) => taken.map(({ number }) => number);

  test('each trial is taken by one worker, with what its plan says of it', async () => {
    const { handed, taking } = await handedOut();
    await handed.offer(offered);
    const [one, other] = [await worker('one'), await worker('other')];
    const taken = await Promise.all([taking(2, one), taking(3, other)]);
    const all3 = taken.flat().toSorted((left, right) => left.number - right.number);
    expect(all3.map(({ number, key, document }) => ({ number, key, document }))).toEqual(offered);
    expect([await taking(3, one), await taking(3, other)]).toEqual([[], []]);
  });

  test('the waiting trials are shared out among the workers that take trials of the run', async () => {
    await database().query('update worker set seen_until = clock_timestamp()');
    const { id, handed, taking } = await handedOut();
    await handed.offer(offered);
    const [one, other] = [await worker('one'), await worker('other')];
    const shares = async () => {
      const found = await Promise.all([one, other].map((desk) => desk.runs()));
      return found.map((runs) => runs.find((run) => run.id === id)?.share);
    };
    expect((await shares()).toSorted()).toEqual([1, 2]);
    await taking(2, one);
    expect(await shares()).toEqual([0, 1]);
    await other.stopTaking();
    expect(await shares()).toEqual([1, 1]);
    const [listed] = await databaseQueue(room(), database().login ?? '').workers();
    expect([listed?.name, listed?.isAlive, listed?.isStopping]).toEqual(['other', true, true]);
  });

  test('a worker keeps the versions that it has of the programs of a run', async () => {
    const { id, handed } = await handedOut();
    const [one, other] = [await worker('one'), await worker('other')];
    await one.tellVersions(id, { coder: { claude: '1' } });
    await one.tellVersions(id, { coder: { claude: '2' } });
    await other.tellVersions(id, { coder: { claude: '3' } });
    expect(await handed.versions()).toEqual([
      { worker: 'one', versions: { coder: { claude: '2' } } },
      { worker: 'other', versions: { coder: { claude: '3' } } },
    ]);
  });

  /** What a worker gets that is stopped while its trials are locked. */
  async function stoppedWhileTaking(id: string, desk: WorkerDesk, stop: AbortController, reason: Error) {
    await desk.runs();
    return await database().transaction(async ({ query }) => {
      await query('select 1 from handed_trial where run_id = $1 for update', [id]);
      const taken = desk.take(id, 3, stop.signal).catch((error: unknown) => error);
      const waits =
        "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%handed_trial%'";
      // A transaction sees the same activity until its end.
      const waiting = async () => (await database().query(waits)).length;
      await expect.poll(waiting, { timeout: 60_000 }).toBe(1);
      stop.abort(reason);
      return await taken;
    });
  }

  test('a worker that stops in the middle of taking trials waits for no lock, and others get them at once', async () => {
    const { id, handed, taking } = await handedOut();
    await handed.offer(offered);
    const [one, other] = [await worker('one'), await worker('other')];
    const stop = new AbortController();
    const reason = new Error('the worker is stopped');
    expect(await stoppedWhileTaking(id, one, stop, reason)).toBe(reason);
    await expect(one.take(id, 3, stop.signal)).rejects.toBe(reason);
    expect(numbers(await taking(3, other)).toSorted()).toEqual([1, 2, 3]);
  });

  test('trials are offered while a worker writes to the log', async () => {
    const { id, handed, taking } = await handedOut();
    const desk = await worker('one');
    await database().transaction(async ({ query }) => {
      await query('select 1 from run where id = $1 for no key update', [id]);
      await handed.offer(offered.slice(0, 1));
    });
    expect(numbers(await taking(1, desk))).toEqual([1]);
  });

  test('what is appended under a lost lease is refused, and its trial is taken by another worker', async () => {
    const { run, handed, taking, append } = await handedOut();
    await handed.offer(offered.slice(0, 1));
    const [one, other] = [await worker('one'), await worker('other')];
    const [lost] = await taking(1, one);
    if (lost === undefined) throw new Error('nothing was taken');
    await append(one, lost, [note('in time')]);
    await expire();
    expect(await handed.takeLost()).toEqual([
      { number: 1, losses: 1, owner: expect.stringContaining('one') as string },
    ]);
    expect(await codeOf(append(one, lost, [note('too late')]))).toBe('lease-lost');
    expect(await codeOf(append(one, lost, end(lost)))).toBe('lease-lost');
    await handed.offer(offered.slice(0, 1), 'again');
    const [again] = await taking(1, other);
    if (again === undefined) throw new Error('nothing was taken again');
    await append(other, again, end(again));
    expect(await codeOf(append(other, again, end(again)))).toBe('lease-lost');
    const said = (await all(run.stored.events())).map(({ fact }) =>
      fact.type === 'note' ? fact.text : fact.type,
    );
    expect(said).toEqual(['in time', 'trial-end']);
  });

  test('each lease that ran out is a loss of its trial', async () => {
    const { handed, taking } = await handedOut();
    const desk = await worker('one');
    const losses: number[] = [];
    for (let i = 0; i < 3; i++) {
      await handed.offer(offered.slice(0, 1), 'again');
      expect(numbers(await taking(1, desk))).toEqual([1]);
      await expire();
      losses.push(...(await handed.takeLost()).map((lost) => lost.losses));
    }
    expect(losses).toEqual([1, 2, 3]);
    await handed.bury({ trial: 'a', reason: 'it ends every worker' });
    await handed.withdraw(1);
    expect([await handed.takeLost(), await taking(1, desk)]).toEqual([[], []]);
  });

  test('a trial that is given back waits again, and nothing of it is lost', async () => {
    const { handed, taking } = await handedOut();
    await handed.offer(offered.slice(0, 1));
    const [one, other] = [await worker('one'), await worker('other')];
    const [taken] = await taking(1, one);
    await taken?.giveBack('stopped');
    expect(await handed.takeLost()).toEqual([]);
    expect(numbers(await taking(1, other))).toEqual([1]);
  });

  const inOneDirectory = offered.map((trial) => ({ ...trial, ground: { key: 'g', isAlone: true } }));

  test('trials that share a directory go to one worker, one after the other', async () => {
    const { handed, taking, append } = await handedOut();
    await handed.offer(inOneDirectory);
    const [one, other] = [await worker('one'), await worker('other')];
    const [first, ...more] = await taking(3, one);
    if (first === undefined) throw new Error('nothing was taken');
    expect([first.number, more, await taking(3, other), await taking(3, one)]).toEqual([1, [], [], []]);
    await append(one, first, end(first));
    await first.release();
    expect(numbers(await taking(3, other))).toEqual([]);
    const [second] = await taking(3, one);
    expect(second?.number).toBe(2);
    await second?.giveBack('stopped');
    expect(numbers(await taking(3, other))).toEqual([]);
    expect(numbers(await taking(3, one))).toEqual([2]);
  });

  test('a worker that stops in the middle of taking trials does not keep their directory', async () => {
    const { id, handed, taking } = await handedOut();
    await handed.offer(inOneDirectory);
    const [one, other] = [await worker('one'), await worker('other')];
    const reason = new Error('the worker is stopped');
    expect(await stoppedWhileTaking(id, one, new AbortController(), reason)).toBe(reason);
    expect(numbers(await taking(3, other))).toEqual([1]);
  });

  test('a worker that stops keeps a directory only while it runs a trial there', async () => {
    const { handed, taking } = await handedOut();
    await handed.offer(offered.map((trial) => ({ ...trial, ground: { key: 'g', isAlone: false } })));
    const [one, other] = [await worker('one'), await worker('other')];
    const [first] = await taking(1, one);
    await one.stopTaking();
    expect(numbers(await taking(3, other))).toEqual([]);
    await first?.giveBack('stopped');
    expect(numbers(await taking(3, other)).toSorted()).toEqual([1, 2, 3]);
  });

  test('trials of a directory that were taken are given, even if the queue of jobs then fails', async () => {
    const { handed, taking } = await handedOut();
    await handed.offer([...inOneDirectory.slice(0, 1), ...offered.slice(1)]);
    const desk = await worker('one');
    await database().query('alter schema pgboss rename to pgboss_away');
    try {
      expect(numbers(await taking(3, desk))).toEqual([1]);
      await expect(taking(2, desk)).rejects.toThrow('pgboss');
    } finally {
      await database().query('alter schema pgboss_away rename to pgboss');
    }
    expect(numbers(await taking(3, desk)).toSorted()).toEqual([2, 3]);
  });

  test('the directory of a worker that is gone goes to another one, from its first trial', async () => {
    const { handed, taking } = await handedOut();
    await handed.offer(inOneDirectory);
    const [one, other] = [await worker('one'), await worker('other')];
    expect(numbers(await taking(1, one))).toEqual([1]);
    await database().query('update worker set seen_until = clock_timestamp()');
    expect(numbers(await taking(3, other))).toEqual([]);
    await expire();
    await handed.takeLost();
    expect(numbers(await taking(3, other))).toEqual([]);
    await handed.offer(inOneDirectory.slice(0, 1), 'again');
    expect(numbers(await taking(3, other))).toEqual([1]);
  });

  test('what a worker leaves is listed with whether it told in time that it runs, until it is forgotten', async () => {
    const desk = await worker('one');
    const queue = databaseQueue(room(), database().login ?? '');
    const leftovers = { token: 'a', folders: ['/tmp'], seal: 's', pidSpace: 'here' };
    await desk.keepLeftovers(leftovers);
    const told = { id: desk.id, pid: 1, leftovers };
    expect(await queue.left('here')).toEqual([{ ...told, isAlive: true }]);
    await database().query('update worker set seen_until = clock_timestamp()');
    expect(await queue.left('here')).toEqual([{ ...told, isAlive: false }]);
    await queue.forgetLeft(desk.id);
    expect(await queue.left('here')).toEqual([]);
  });

  test('trials that may share a directory at the same time go to one worker too', async () => {
    const { handed, taking } = await handedOut();
    await handed.offer(offered.map((trial) => ({ ...trial, ground: { key: 'g', isAlone: false } })));
    const [one, other] = [await worker('one'), await worker('other')];
    expect(numbers(await taking(2, one)).toSorted()).toEqual([1, 2]);
    expect([await taking(3, other), numbers(await taking(3, one))]).toEqual([[], [3]]);
  });

  test('a worker that comes too late finds nothing in the queue of a run that has ended', async () => {
    const { id, handed, taking } = await handedOut();
    await handed.offer(offered);
    const desk = await worker('one');
    const [taken] = await taking(1, desk);
    await handed.withdrawAll();
    await taken?.release();
    await taken?.giveBack('stopped');
    const late = await worker('late');
    expect([await desk.take(id, 1, NEVER), await late.take(id, 1, NEVER)]).toEqual([[], []]);
  });

  test('workers set aside no more than the budget of their run', async () => {
    const { handed, taking, append } = await handedOut(1);
    await handed.offer(offered.slice(0, 2));
    const [one, other] = [await worker('one'), await worker('other')];
    const [first] = await taking(1, one);
    const [second] = await taking(1, other);
    if (first === undefined || second === undefined) throw new Error('nothing was taken');
    const aside = (usd: number): Emitted => ({
      at: AT,
      fact: {
        type: 'run-state',
        state: 'running',
        money: { spentUsd: 0, reservedUsd: usd, setAsideUsd: usd },
      },
    });
    await append(one, first, [aside(0.7)]);
    await expect(append(other, second, [aside(0.4)])).rejects.toThrow('the budget of the run');
    await append(other, second, [aside(0.3)]);
    const [kept] = await database().query<{ usd: number }>('select reserved_usd as usd from run');
    expect(kept?.usd).toBeCloseTo(1, 9);
    await second.giveBack('unpaid');
    expect([await handed.takeUnpaid(), await taking(2, one)]).toEqual([[2], []]);
  });

  test('refusals are told only while every running worker refuses, and none has a trial', async () => {
    await database().query('update worker set seen_until = clock_timestamp()');
    const { id, handed, taking } = await handedOut();
    await handed.offer(offered);
    expect(await handed.refusals()).toEqual([]);
    const [one, other] = [await worker('one'), await worker('other')];
    expect(await handed.refusals()).toBeUndefined();
    await one.refuse(id, 'not the same here: the config');
    expect(await handed.refusals()).toBeUndefined();
    await other.refuse(id, 'another version');
    expect(await handed.refusals()).toEqual([
      { worker: 'one', reason: 'not the same here: the config' },
      { worker: 'other', reason: 'another version' },
    ]);
    const able = await worker('able');
    await taking(1, able);
    expect(await handed.refusals()).toBeUndefined();
  });

  test('a cancel ends what workers have, and withdraws what waits', async () => {
    const { handed, taking } = await handedOut();
    await handed.offer(offered);
    const desk = await worker('one');
    const [taken] = await taking(1, desk);
    if (taken === undefined) throw new Error('nothing was taken');
    const waiting = [1, 2, 3].filter((number) => number !== taken.number);
    expect((await handed.cancel()).toSorted()).toEqual(waiting);
    await expect.poll(() => taken.ending.aborted).toBe(true);
    expect(taken.ending.reason).toMatchObject({ name: 'RunCancelled' });
  });
});
