import { expect, test } from 'vitest';

import { onServedStores } from '../../test/support/served-store.ts';
import { uploadedRun } from '../../test/support/uploaded-run.ts';
import { ended, of, rowOf } from '../storage/run-directory/fixtures/runs.ts';

const GRADE = {
  type: 'llm_judge',
  score: 1,
  passed: true,
  weight: 1,
  reason: 'fine',
  durationMs: 1,
  digest: 0,
};

onServedStores('reviews', ({ url, ask }) => {
  const begin = () =>
    uploadedRun(
      url(),
      [
        of('a', { type: 'trial-start', number: 1 }),
        ended(rowOf('a', { grades: ['polite', 'short'].map((name) => ({ ...GRADE, name })) })),
        ended(rowOf('b', { number: 2, grades: [{ ...GRADE, name: 'polite' }] })),
        of('c', { type: 'trial-start', number: 3 }),
      ],
      { digests: ['d'] },
    );
  const labels = async (query = ''): Promise<readonly object[]> => {
    const answer = await fetch(`${url()}/api/v1/reviews?format=labels${query}`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/x-ndjson']);
    const text = await answer.text();
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as object);
  };

  test('of a trial are added, listed and paged; the last of an account on an expectation holds', async () => {
    const run = await begin();
    const place = `/runs/${run}/trials/1/reviews` as const;
    const first = await ask('POST', place, { body: { verdict: 'passed', seen_judge: false } });
    expect([first.status, first.headers.get('location'), first.body]).toEqual([
      201,
      `/api/v1${place}`,
      {
        id: expect.any(String),
        run_id: run,
        trial_number: 1,
        trial: 's/a/t/r1',
        expectation: null,
        verdict: 'passed',
        note: null,
        by: expect.any(String),
        seen_judge: false,
        at: expect.any(String),
        holds: true,
      },
    ]);
    const byKey = `/runs/${run}/trials/${encodeURIComponent('s/a/t/r1')}/reviews`;
    const body = { expectation: 'polite', verdict: 'failed', note: 'rude', seen_judge: true };
    const second = await ask('POST', byKey, { body });
    const third = await ask('POST', place, { body: { verdict: 'failed', seen_judge: true } });
    const all = await ask('GET', place);
    expect(all.body).toEqual({
      data: [{ ...first.body, holds: false }, second.body, third.body],
      next_cursor: null,
    });
    const page = await ask('GET', `${place}?limit=2`);
    const rest = await ask('GET', `${place}?limit=2&cursor=${page.body.next_cursor}`);
    expect([...page.body.data, ...rest.body.data]).toEqual(all.body.data);
    const newest = await ask('GET', `${place}?sort=-at&limit=2`);
    await ask('POST', place, { body: { verdict: 'passed', seen_judge: true } });
    const older = await ask('GET', `${place}?sort=-at&limit=2&cursor=${newest.body.next_cursor}`);
    expect(newest.body.data).toEqual(all.body.data.toReversed().slice(0, 2));
    expect(older.body).toMatchObject({ data: [{ id: first.body.id }], next_cursor: null });
  });

  test('are labels that assay calibrate reads', async () => {
    const run = await begin();
    const add = (trial: number, body: object) =>
      ask('POST', `/runs/${run}/trials/${trial}/reviews`, { body: { seen_judge: false, ...body } });
    await add(1, { expectation: 'polite', verdict: 'passed', note: 'was wrong' });
    await add(1, { expectation: 'polite', verdict: 'failed', note: 'rude' });
    const { body } = await add(2, { verdict: 'passed', seen_judge: true });
    const polite = {
      trial: `${run}/s/a/t/r1`,
      expectation: 'polite',
      verdict: 'failed',
      note: 'rude',
      by: body.by,
    };
    const whole = { trial: `${run}/s/b/t/r1`, expectation: null, verdict: 'passed', by: body.by };
    expect(await labels()).toEqual([polite, whole]);
    expect(await labels(`&run=${run}`)).toEqual([polite, whole]);
    expect(await labels('&seen_judge=true')).toEqual([whole]);
    expect(await labels('&seen_judge=false')).toEqual([polite]);
  });

  test('give the calibration of a run', async () => {
    const run = await begin();
    const none = await ask('GET', `/runs/${run}/calibration`);
    expect([none.status, none.body]).toEqual([200, { runId: run, graders: [], unused: {}, reviewers: [] }]);
    for (const [trial, verdict] of [
      [1, 'failed'],
      [2, 'passed'],
    ] as const)
      await ask('POST', `/runs/${run}/trials/${trial}/reviews`, {
        body: { expectation: 'polite', verdict, seen_judge: false },
      });
    await ask('POST', `/runs/${run}/trials/1/reviews`, { body: { verdict: 'failed', seen_judge: false } });
    const { body } = await ask('GET', `/runs/${run}/calibration?seed=3`);
    expect(body).toMatchObject({
      runId: run,
      graders: [{ calibration: { expectation: 'polite', labels: 2, cases: 2, pairs: 1, seed: 3 } }],
      unused: { 'of whole trials, which say nothing about a single grader': 1 },
    });
    const seen = await ask('GET', `/runs/${run}/calibration?seen_judge=true`);
    expect(seen.body).toMatchObject({ graders: [] });
  });

  test('need a trial that has ended, an expectation of it, and a verdict', async () => {
    const run = await begin();
    const refused = async (trial: string, body: object) => {
      const { status, body: answer } = await ask('POST', `/runs/${run}/trials/${trial}/reviews`, {
        body: { seen_judge: true, ...body },
      });
      const { code, param, hint } = answer.error;
      return [status, code, param, hint];
    };
    const verdict = 'passed';
    expect(await refused('3', { verdict })).toEqual([
      404,
      'trial-not-found',
      null,
      `GET /runs/${run}/trials lists its finished trials`,
    ]);
    expect(await refused('9', { verdict })).toEqual([
      404,
      'trial-not-found',
      null,
      `GET /runs/${run}/trials lists its finished trials`,
    ]);
    expect(await refused('1', { verdict, expectation: 'polit' })).toEqual([
      422,
      'unknown-expectation',
      'expectation',
      'did you mean polite?',
    ]);
    expect((await refused('1', { verdict: 'fine' })).slice(0, 1)).toEqual([422]);
    expect((await refused('1', { verdict, notes: 'x' })).slice(0, 1)).toEqual([422]);
    expect((await ask('GET', `/runs/${run}/trials/1/reviews`)).body.data).toEqual([]);
    expect((await ask('GET', '/reviews?format=csv')).status).toBe(400);
  });
});
