import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { attemptOf, ended, rowOf } from '../storage/run-directory/fixtures/runs.ts';
import { viewedRuns, failed, type Answer } from '../../test/support/viewed-runs.ts';

const { begin, keep, ask, asked } = viewedRuns();

describe('trials', () => {
  test('are narrowed by status and text, and sorted', async () => {
    const id = await keep(1000, [
      ended(rowOf('a', { number: 1 })),
      failed('b'),
      ended(rowOf('c', { number: 3 })),
    ]);
    const casesOf = async (query: string) =>
      (await asked(`/runs/${id}/trials${query}`)).data.map(({ case_id }) => case_id);
    expect(await casesOf('')).toEqual(['a', 'b', 'c']);
    expect(await casesOf('?status=failed&status=errored')).toEqual(['b']);
    expect(await casesOf('?sort=-number')).toEqual(['c', 'b', 'a']);
    expect(await casesOf('?search=C')).toEqual(['c']);
  });

  test('of cases with the same id are distinguished by their suite', async () => {
    const id = await keep(1000, [
      ended(rowOf('a', { number: 1, suite: 's' })),
      ended(rowOf('a', { number: 2, suite: 'u' })),
    ]);
    const { data } = await asked(`/runs/${id}/trials?suite=u&test_case_id=a`);
    expect(data.map(({ number }) => number)).toEqual([2]);
  });

  test('with the same kind of error are distinguished by their stage', async () => {
    const errorAt = (stage: 'target' | 'user') =>
      ({ stage, kind: 'timeout', code: 'x', message: 'too slow' }) as const;
    const errored = { verdict: 'errored', status: 'errored', passed: false, score: null } as const;
    const id = await keep(1000, [
      ended(rowOf('a', { number: 1, ...errored, error: errorAt('target') })),
      ended(rowOf('b', { number: 2, ...errored, error: errorAt('user') })),
    ]);
    const { data } = await asked(`/runs/${id}/trials?stage=user&kind=timeout`);
    expect(data.map(({ number }) => number)).toEqual([2]);
  });

  test.each(['number', '-number', 'score', '-cost_usd'])(
    'by %s: a page continues behind a trial that left the list meanwhile',
    async (sort) => {
      const run = await begin(1000, 5);
      const log = run.openLog(0);
      const cases = ['a', 'b', 'c', 'd', 'e'];
      await log.append(cases.map((caseId, index) => failed(caseId, index + 1)));
      const place = `/runs/${run.manifest.id}/trials?verdict=failed&limit=2&sort=${sort}`;
      const first = await asked(place);
      const seen = first.data.map(({ case_id }) => String(case_id));
      const [, last = ''] = seen;
      await log.append([ended(rowOf(last, { number: cases.indexOf(last) + 1 }))]);
      const second = await asked(`${place}&cursor=${first.next_cursor}`);
      const third = await asked(`${place}&cursor=${second.next_cursor}`);
      const all = [...seen, ...[...second.data, ...third.data].map(({ case_id }) => String(case_id))];
      expect(all).toEqual(sort === '-number' ? cases.toReversed() : cases);
      expect(third.next_cursor).toBeNull();
      log.close();
      run.release();
    },
  );

  test('say in one line why they did not pass', async () => {
    const error = { stage: 'target', kind: 'timeout', code: 'x', message: 'it took\ntoo long' } as const;
    const errored = { verdict: 'errored', status: 'errored', passed: false, score: null, error } as const;
    const skipped = { verdict: 'skipped', status: 'skipped', skipped: 'skip', notes: ['not yet'] } as const;
    const grade = {
      name: 'polite',
      type: 'llm-judge',
      score: 0,
      passed: false,
      weight: 1,
      required: 1,
      reason: 'x'.repeat(1000),
      durationMs: 1,
    };
    const rude = { fallenGates: ['polite'], grades: [grade] };
    const id = await keep(1000, [
      ended(rowOf('a', { number: 1 })),
      ended(rowOf('b', { number: 2, ...errored })),
      ended(rowOf('c', { number: 3, ...skipped })),
      ended(rowOf('d', { number: 4, verdict: 'failed', status: 'failed', passed: false, score: 0, ...rude })),
      ended(rowOf('e', { number: 5, verdict: 'failed', status: 'expected-failed', score: 0 })),
    ]);
    expect((await asked(`/runs/${id}/trials`)).data.map(({ reason }) => reason)).toEqual([
      null,
      'timeout (target): it took too long',
      'skip: not yet',
      `required polite: ${'x'.repeat(283)}…`,
      null,
    ]);
  });

  test('have their row and transcript by number and by key', async () => {
    const id = await keep(1000, [
      ...attemptOf('a', 1, ['hello']),
      ended(rowOf('a', { number: 1, latency: [320] })),
      failed('b'),
    ]);
    const trial = await asked(`/runs/${id}/trials/1`);
    expect(trial['row']).toMatchObject({ caseId: 'a', verdict: 'passed' });
    const key = encodeURIComponent(String(trial['key']));
    const { data, turns } = await asked(`/runs/${id}/trials/${key}/transcript`);
    expect(turns).toEqual([{ turn: 1, latency_ms: 320 }]);
    expect(data).toMatchObject([{ type: 'message', parts: [{ text: 'hello' }] }]);
    expect((await ask(`/runs/${id}/trials/99`)).status).toBe(404);
  });
});

describe('one trial', () => {
  test('has copies of what graded it, the files of its attempts and how far people agree with its judge', async () => {
    const run = await begin(1000, 1);
    const digests = ['c'.repeat(64), 'd'.repeat(64)];
    await run.keepFrozen([{ digest: digests[1] ?? '', kind: 'expectation', body: { ask: 'polite?' } }]);
    const grade = {
      name: 'polite',
      type: 'llm-judge',
      score: 1,
      passed: true,
      weight: 1,
      reason: 'it is',
      durationMs: 1,
      model: 'm',
      digest: 1,
    };
    const artifacts = run.artifacts(rowOf('a'), 1, () => undefined);
    mkdirSync(join(artifacts.directory(), 'state'));
    writeFileSync(join(artifacts.directory(), 'state', 'out put.txt'), 'hello');
    symlinkSync('/', join(artifacts.directory(), 'state', 'root'));
    await artifacts.close();
    const log = run.openLog(0);
    await log.append([ended(rowOf('a', { grades: [grade] }))]);
    log.close();
    run.save({ ...run.manifest, digests, state: 'completed' });
    run.release();
    const { id } = run.manifest;

    expect(await asked(`/runs/${id}/trials/1`)).toMatchObject({
      frozen: [{ kind: 'expectation', body: { ask: 'polite?' } }],
      artifacts: [{ attempt: 1, name: 'state/out put.txt', bytes: 5 }],
      judges: [{ grade: 'polite', model: 'm', says: 'not calibrated' }],
    });
    const name = encodeURIComponent('state/out put.txt');
    const file = await ask(`/runs/${id}/trials/1/attempts/1/artifacts/${name}`);
    expect(await file.text()).toBe('hello');
    expect(file.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''out%20put.txt");
    expect(file.headers.get('x-content-type-options')).toBe('nosniff');
    for (const wrong of [
      'nothing',
      '..%2Fattempt-1%2Fstate%2Fout%20put.txt',
      'state',
      'state%2Froot',
      'state%2Froot%2Fetc%2Fpasswd',
    ]) {
      const answer = await ask(`/runs/${id}/trials/1/attempts/1/artifacts/${wrong}`);
      expect([answer.status, ((await answer.json()) as Answer).error?.['code']]).toEqual([
        404,
        'artifact-not-found',
      ]);
    }
  });
});
