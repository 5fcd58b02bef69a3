import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';

import { afterEach, expect, test } from 'vitest';

import type { Row } from '../../core/run.ts';
import { rowOf, scratch } from './fixtures/runs.ts';
import { rewriteRows } from './rewrite-rows.ts';

const { run, clear } = scratch();
afterEach(clear);

async function* rows(...ids: readonly string[]): AsyncGenerator<Row> {
  for (const id of ids) yield rowOf(id);
}

const idsIn = (path: string): string[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => (JSON.parse(line) as Row).caseId);

test('holds exactly the rows that were kept, in their order, and nothing of what was there', async () => {
  const { rows: path, directory } = run();
  writeFileSync(path, 'old and torn');
  await rewriteRows(path, rows('b', 'a', 'c'), ({ caseId }) => caseId !== 'a');
  expect(idsIn(path)).toEqual(['b', 'c']);
  expect((statSync(path).mode & 0o777).toString(8)).toBe('600');
  expect(readdirSync(directory)).toEqual(['results.jsonl']);
});

test('writes many rows in pieces and loses none', async () => {
  const { rows: path } = run();
  const ids = Array.from({ length: 2000 }, (_, index) => `case-${index}`);
  await rewriteRows(path, rows(...ids), () => true);
  expect(idsIn(path)).toEqual(ids);
});

test('of no rows is an empty file', async () => {
  const { rows: path } = run();
  await rewriteRows(path, rows('a'), () => false);
  expect(readFileSync(path, 'utf8')).toBe('');
});

test('starts anew where a process with the same number died in the middle', async () => {
  const { rows: path } = run();
  writeFileSync(`${path}.${process.pid}.tmp`, `${JSON.stringify(rowOf('stale'))}\n`);
  await rewriteRows(path, rows('a'), () => true);
  expect(idsIn(path)).toEqual(['a']);
});

test('leaves the old file and nothing else when the rows cannot be read', async () => {
  const { rows: path, directory } = run();
  writeFileSync(path, `${JSON.stringify(rowOf('old'))}\n`);
  const broken = async function* (): AsyncGenerator<Row> {
    yield rowOf('a');
    throw new Error('unreadable');
  };
  await expect(rewriteRows(path, broken(), () => true)).rejects.toThrow('unreadable');
  expect(idsIn(path)).toEqual(['old']);
  expect(readdirSync(directory)).toEqual(['results.jsonl']);
});

test('says that results could not be written when the file cannot be put in its place', async () => {
  const { rows: path } = run();
  mkdirSync(path);
  await expect(rewriteRows(path, rows('a'), () => true)).rejects.toMatchObject({
    code: 'results-not-written',
  });
  expect(existsSync(`${path}.${process.pid}.tmp`)).toBe(false);
});
