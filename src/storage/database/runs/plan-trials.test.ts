import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { onBothDatabases } from '../../../../test/support/databases.ts';
import { specOf } from '../../../../test/support/run-spec.ts';
import { codeOf, redactor } from '../../../../test/support/written-runs.ts';
import type { Emitted } from '../../../core/run.ts';
import type { RunSpec } from '../../../core/run-spec.ts';
import type { BegunRun, OpenRun } from '../../../core/run-store.ts';
import { trialKey } from '../../../core/trial.ts';
import { TALLY_FOLD } from '../../../reading/row-fold.ts';
import { runFold } from '../../../reading/run-view.ts';
import { all, AT, manifestOf, note, rowOf } from '../../run-directory/fixtures/runs.ts';
import { rebuildRuns } from './rebuild.ts';
import { databaseRuns } from './store.ts';
import { folderOfTests } from '../../../../test/support/test-folders.ts';

const folder = folderOfTests('assay-planned-');

const specs = fc.record({
  cases: fc.uniqueArray(fc.string({ minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 }),
  kinds: fc.array(
    fc.record({
      targets: fc.subarray(['t', 'u#@/'], { minLength: 1 }),
      repeat: fc.integer({ min: 1, max: 3 }),
    }),
    { minLength: 1, maxLength: 2 },
  ),
});

/** What happens to the trial of that position in the plan. */
const steps = fc.array(
  fc.record({ at: fc.nat({ max: 30 }), what: fc.constantFrom('start', 'passed', 'failed', 'drop') }),
  { maxLength: 20 },
);

onBothDatabases('the trials of a plan', (database) => {
  const runs = () => databaseRuns({ database: database(), folder, fold: TALLY_FOLD });
  let day = 0;
  const begin = (spec: RunSpec, more: Partial<BegunRun> = {}): Promise<OpenRun> =>
    runs().create({
      startedAt: Date.UTC(2026, 0, (day += 1)),
      redactor,
      spec,
      manifest: (id) => manifestOf({ id, state: 'running', digests: ['x', 'y'] }),
      ...more,
    });
  const trials = (run: OpenRun) =>
    database().query<{ number: number; key: string; verdict: string | null }>(
      'select number, key, verdict from trial where run_id = $1 order by number',
      [run.manifest.id],
    );

  test('are there from the beginning, and are what the plan and the fold of its log come to', async () => {
    await fc.assert(
      fc.asyncProperty(specs, steps, async ({ cases, kinds }, told) => {
        const spec = specOf(cases, kinds);
        const run = await begin(spec);
        const keys = keysOf(spec);
        expect(await trials(run)).toEqual(keys.map((key, at) => ({ number: at + 1, key, verdict: null })));
        const facts = told.map(({ at, what }) => factOf(keys, at % keys.length, what));
        await run.openLog(0).append(facts);
        const verdicts = new Map<string, string>();
        for (const { trial = '', fact } of facts) {
          if (fact.type === 'trial-end') verdicts.set(trial, fact.row.verdict);
          if (fact.type === 'run-resume') for (const key of fact.dropped ?? []) verdicts.delete(key);
        }
        const expected = keys.map((key, at) => ({ number: at + 1, key, verdict: verdicts.get(key) ?? null }));
        expect(await trials(run)).toEqual(expected);
        await run.release();
        await rebuildRuns(database(), TALLY_FOLD);
        expect(await trials(run)).toEqual(expected);
        const fold = runFold();
        for await (const row of run.stored.rows()) fold.add(row);
        expect(fold.ended().counts.total).toBe(verdicts.size);
        await database().query('delete from run');
      }),
      { numRuns: 25 },
    );
  });

  test('are made again from the plan where somebody has removed them', async () => {
    const run = await begin(specOf(['a', 'b'], [{ targets: ['t'], repeat: 1 }]));
    const before = await trials(run);
    await database().query('delete from trial');
    await run.release();
    await rebuildRuns(database(), TALLY_FOLD);
    expect(await trials(run)).toEqual(before);
  });

  test('are fixed together with the copies of a run, or nothing is', async () => {
    const spec = specOf(['a'], [{ targets: ['t'], repeat: 1 }]);
    const copies = function* () {
      yield { digest: 'd', kind: 'case' as const, body: 1 };
      throw new Error('no more copies');
    };
    expect(await codeOf(begin(spec, { frozen: copies() }))).toBe('results-not-written');
    expect(await runs().list()).toEqual([]);
    expect(await database().query('select 1 from trial')).toEqual([]);
  });

  test('of another plan are numbered behind those of the first one, as they begin', async () => {
    const run = await begin(specOf(['a', 'b'], [{ targets: ['t'], repeat: 1 }]));
    const log = run.openLog(0);
    await log.append([factOf(keysOf(specOf(['a'], [{ targets: ['t'], repeat: 1 }])), 0, 'passed')]);
    await run.keepSpec(specOf(['c', 'a'], [{ targets: ['t'], repeat: 1 }]));
    const key = trialKey({ suite: 's', caseId: 'c', target: 't', repetition: 1 });
    await log.append([{ at: AT, trial: key, fact: { type: 'trial-start', number: 3 } }]);
    expect((await trials(run)).map(({ number, key: each }) => [number, each])).toEqual([
      [1, trialKey({ suite: 's', caseId: 'a', target: 't', repetition: 1 })],
      [3, key],
    ]);
  });

  test('tell that a run is queued, running and stopping, and that it was left', async () => {
    const run = await begin(specOf(['a'], [{ targets: ['t'], repeat: 1 }]), {
      listed: { origin: 'server', state: 'queued' },
    });
    const log = run.openLog(0);
    const states = [await run.stored.state()];
    for (const state of ['running', 'stopping'] as const) {
      await log.append([{ ...note(''), fact: { type: 'run-state', state } }]);
      states.push(await run.stored.state());
    }
    await log.append([
      { ...note(''), fact: { type: 'run-state', state: 'running', money: { spentUsd: 1, reservedUsd: 2 } } },
    ]);
    states.push(await run.stored.state());
    await run.release();
    states.push(await run.stored.state());
    expect(states).toEqual(['queued', 'running', 'stopping', 'stopping', 'interrupted']);
  });

  test('get no files and no copies from a process that has lost the lease', async () => {
    const run = await begin(specOf(['a'], [{ targets: ['t'], repeat: 1 }]));
    const left = run.artifacts(rowOf('a'), 1, () => {});
    await left.write('out.txt', 'x');
    await database().query(`update run set lease_until = clock_timestamp() - interval '1 second'`);
    const taken = await runs().claim(run.stored);
    expect(await codeOf(left.close())).toBe('lease-lost');
    expect(await codeOf(run.keepFrozen([{ digest: 'd', kind: 'case', body: 1 }]))).toBe('lease-lost');
    expect(await codeOf(Promise.resolve(run.keepSpec(specOf(['b'], []))))).toBe('lease-lost');
    expect([await run.stored.artifacts(rowOf('a')), await all(run.stored.frozen())]).toEqual([[], []]);
    await taken.release();
  });
});

/** In the order of the plan. */
function keysOf({ cases, kinds }: RunSpec): readonly string[] {
  return cases.id.flatMap((caseId, at) => {
    const { targets = [], repeat = 0 } = kinds[cases.kind[at] ?? -1] ?? {};
    return targets.flatMap((target) =>
      Array.from({ length: repeat }, (_, before) =>
        trialKey({ suite: 's', caseId, target, repetition: before + 1 }),
      ),
    );
  });
}

function factOf(keys: readonly string[], at: number, what: string): Emitted {
  const trial = keys[at] ?? '';
  const number = at + 1;
  if (what === 'start') return { at: AT, trial, fact: { type: 'trial-start', number } };
  if (what === 'drop') return { ...note(''), fact: { type: 'run-resume', remaining: 1, dropped: [trial] } };
  const isPassed = what === 'passed';
  const verdict = isPassed ? 'passed' : 'failed';
  const row = rowOf('', { ...idOf(trial), number, verdict, status: verdict, passed: isPassed });
  return { at: AT, trial, attempt: 1, fact: { type: 'trial-end', row } };
}

function idOf(key: string) {
  const [suite = '', caseId = '', target = '', last = ''] = key.split('/').map(decodeURIComponent);
  return { suite, caseId, target, repetition: Number(last.slice(1)) };
}
