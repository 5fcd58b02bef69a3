import { request } from 'node:http';

import { describe, expect, test } from 'vitest';

import { ended, rowOf } from '../storage/run-directory/fixtures/runs.ts';
import { viewedRuns, failed, type Answer } from '../../test/support/viewed-runs.ts';

const { begin, keep, ask, asked, url } = viewedRuns();

describe('runs', () => {
  test('are listed newest first with what they came to', async () => {
    const old = await keep(1000, [ended(rowOf('a'))]);
    const latest = await keep(2_000_000, [ended(rowOf('a')), failed('b')]);
    const { data, next_cursor } = await asked('/runs');
    expect(data.map(({ id, state, planned }) => [id, state, planned])).toEqual([
      [latest, 'completed', 2],
      [old, 'completed', 1],
    ]);
    expect(data[0]?.['totals']).toMatchObject({ passRate: { value: 0.5, passed: 1, measured: 2 } });
    expect(next_cursor).toBeNull();
  });

  test('come page by page, without duplicates or gaps when a newer run begins', async () => {
    const ids: string[] = [];
    for (let i = 1; i <= 5; i += 1) ids.unshift(await keep(i * 1_000_000, [ended(rowOf('a'))]));
    const first = await asked('/runs?limit=2');
    await keep(9_000_000, [ended(rowOf('a'))]);
    const second = await asked(`/runs?limit=2&cursor=${first.next_cursor}`);
    const third = await asked(`/runs?limit=2&cursor=${second.next_cursor}`);
    expect([first, second, third].flatMap(({ data }) => data.map(({ id }) => id))).toEqual(ids);
    expect(third.next_cursor).toBeNull();
  });

  test('are narrowed to the gradings of one, and by tags, which run directories do not have', async () => {
    const id = await keep(1000, [ended(rowOf('a'))]);
    const grading = await begin(2_000_000, 1, { kind: 'grade', sourceRunId: id });
    grading.save({ ...grading.manifest, state: 'completed' });
    grading.release();
    const idsOf = async (query: string) => (await asked(`/runs?${query}`)).data.map((run) => run['id']);
    expect(await idsOf(`source_run_id=${id}`)).toEqual([grading.manifest.id]);
    expect(await idsOf('kind=run')).toEqual([id]);
    expect(await idsOf('tag=nightly')).toEqual([]);
    expect((await asked('/trends?tag=nightly')).data).toEqual([]);
  });

  test('take no cursor of a list with other filters', async () => {
    await keep(1000, [ended(rowOf('a'))]);
    await keep(2000, [ended(rowOf('a'))]);
    const { next_cursor } = await asked('/runs?limit=1');
    const { error } = await asked(`/runs?limit=1&state=running&cursor=${next_cursor}`);
    expect(error?.['code']).toBe('cursor-mismatch');
  });

  test('a run that is not there is 404 with the code of the command line', async () => {
    const answer = await ask('/runs/20260101T000000Z-aaaaaa');
    expect(answer.status).toBe(404);
    expect(((await answer.json()) as Answer).error?.['code']).toBe('run-not-found');
  });
});

describe('what is refused', () => {
  test('an unknown parameter, with the nearest known one', async () => {
    const answer = await ask('/runs?limt=1');
    expect(answer.status).toBe(400);
    expect(((await answer.json()) as Answer).error).toMatchObject({
      code: 'unknown-parameter',
      param: 'limt',
      hint: 'did you mean limit?',
    });
  });

  test.each([
    ['POST', '/runs', 405, 'read-only'],
    ['PATCH', '/runs/x', 405, 'read-only'],
    ['POST', '/runs/x/cancel', 405, 'read-only'],
    ['GET', '/test-cases', 404, 'no-store'],
    ['POST', '/test-cases', 404, 'no-store'],
    ['DELETE', '/test-cases/x', 404, 'no-store'],
    ['GET', '/nothing', 404, 'unknown-route'],
  ])('%s %s', async (method, path, status, code) => {
    const answer = await ask(path, { method });
    expect([answer.status, ((await answer.json()) as Answer).error?.['code']]).toEqual([status, code]);
    expect(answer.headers.get('allow')).toBe(status === 405 ? 'GET, HEAD' : null);
  });

  test.each([
    ['host', 'evil.test', 'host-not-allowed'],
    ['origin', 'http://evil.test', 'origin'],
  ])('a foreign %s', async (header, value, code) => {
    const { status, body } = await raw('/api/v1/runs', { [header]: value });
    expect([status, (JSON.parse(body) as Answer).error?.['code']]).toEqual([403, code]);
  });

  test('every answer says what a page may do with it', async () => {
    for (const path of ['/runs', '/nothing']) {
      const { headers } = await ask(path);
      expect(headers.get('content-security-policy')).toContain("default-src 'self'");
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('cache-control')).toBe('no-store');
    }
  });
});

/** A request with headers that `fetch` keeps to itself. */
function raw(path: string, headers: Record<string, string>): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const call = request(`${url()}${path}`, { headers }, (answer) => {
      let body = '';
      answer.on('data', (chunk) => (body += String(chunk)));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body }));
    });
    call.on('error', reject);
    call.end();
  });
}
