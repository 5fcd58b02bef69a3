import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe, expect, test, vi } from 'vitest';

import { sha256 } from '../lib/digest.ts';
import { attemptOf, ended, rowOf } from '../storage/run-directory/fixtures/runs.ts';
import { failed, viewedRuns } from '../../test/support/viewed-runs.ts';
import { LONG } from '../../test/support/written-runs.ts';

const { begin, keep, ask, asked, runs } = viewedRuns();

const temporary = mkdtempSync(join(tmpdir(), 'assay-exports-'));
vi.stubEnv('TMPDIR', temporary);
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(temporary, { recursive: true, force: true });
});

const HOSTILE = '<script>alert(1)</script>';

describe('an export', () => {
  test('as lines contains the rows of the run, also while it is running', async () => {
    const run = await begin(1000, 2);
    const log = run.openLog(0);
    await log.append([ended(rowOf('a')), failed('b')]);
    const text = await (await ask(`/runs/${run.manifest.id}/export?format=jsonl`)).text();
    const rows: unknown[] = [];
    for await (const row of runs().open(run.manifest.id).rows()) rows.push(row);
    expect(rows).toHaveLength(2);
    expect(text).toBe(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    log.close();
    run.release();
  });

  test.each([
    ['csv', 'text/csv; charset=utf-8', 'csv', /^number,key,suite,case_id[^]*\r\n2,.*b,.*failed/, true],
    ['junit', 'application/xml', 'xml', /^<\?xml[^]*tests="2" failures="1"/, false],
    ['markdown', 'text/markdown; charset=utf-8', 'md', /1\/2 = 50 %/, false],
    ['html', 'text/html; charset=utf-8', 'html', /^<!doctype html>[^]*1\/2/i, false],
  ])('as %s is a download of its own type', async (format, type, extension, content, isPlain) => {
    const id = await keep(1000, [ended(rowOf(HOSTILE, { number: 1 })), failed('b')]);
    const answer = await ask(`/runs/${id}/export?format=${format}`);
    const text = await answer.text();
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type]);
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename*=UTF-8''${id}.${extension}`);
    expect(text).toMatch(content);
    expect([extension, text.includes(HOSTILE)]).toEqual([extension, isPlain]);
    expect(readdirSync(temporary)).toEqual([]);
  });

  test('of an unknown format or run is refused', async () => {
    const id = await keep(1000, [failed('b')]);
    expect((await ask(`/runs/${id}/export?format=pdf`)).status).toBe(400);
    expect((await ask('/runs/20260101T000000Z-aaaaaa/export')).status).toBe(404);
  });
});

describe('a text too large for its line', () => {
  test('is found in any run, or in the one that is named, and downloads whole', async () => {
    const id = await keep(1000, [...attemptOf('a', 1, ['hi']), ended(rowOf('a', { output: LONG }))]);
    const other = await keep(2_000_000, [failed('b')]);
    for (const place of [sha256(LONG), `${sha256(LONG)}?run=${id}`]) {
      const answer = await ask(`/attachments/${place}`);
      expect(answer.headers.get('content-disposition')).toContain('attachment');
      expect(answer.headers.get('content-length')).toBe(String(LONG.length));
      expect(await answer.text()).toBe(LONG);
    }
    for (const place of [`${sha256(LONG)}?run=${other}`, 'a'.repeat(64), '..%2Frun.json', '%00']) {
      expect((await asked(`/attachments/${place}`)).error?.['code']).toBe('attachment-not-found');
    }
  });
});
