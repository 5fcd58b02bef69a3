import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, expect, test } from 'vitest';

import { LONG } from '../../../test/support/written-runs.ts';
import { AT, attemptOf, ended, of, rowOf, scratch } from './fixtures/runs.ts';
import { logIndexes } from './log-index.ts';
import { lastRows } from './reader.ts';
import type { Emitted } from '../../core/run.ts';
import { trialKey } from '../../core/trial.ts';

const { folder, clear } = scratch();
afterAll(clear);

const textOf = (facts: readonly Emitted[], last = 0) =>
  facts.map((fact, at) => `${JSON.stringify({ sequence: last + at + 1, ...fact })}\n`).join('');

const began = (caseId: string, number: number) => of(caseId, { type: 'trial-start', number });
const keyOf = (caseId: string) => trialKey(rowOf(caseId));

function opened(text: string) {
  const path = join(folder(), 'events.jsonl');
  writeFileSync(path, text);
  const index = logIndexes()(path);
  const sequencesOf = async (...caseIds: readonly string[]) => {
    const found: number[] = [];
    for await (const line of index.linesOf(new Set(caseIds.map(keyOf)))) {
      found.push((JSON.parse(line.toString()) as { sequence: number }).sequence);
    }
    return found;
  };
  return { path, index, sequencesOf };
}

const TWO = [
  began('a', 1),
  began('b', 2),
  ...attemptOf('a', 1, [LONG, 'ü']),
  ...attemptOf('b', 1, ['no']),
  ended(rowOf('a')),
];

test('finds the lines of a trial, also those that were written since', async () => {
  const { path, sequencesOf } = opened(textOf(TWO));
  expect(await sequencesOf('a')).toEqual([1, 3, 4, 5, 8]);
  expect(await sequencesOf('b')).toEqual([2, 6, 7]);
  appendFileSync(path, textOf([ended(rowOf('b'))], 8));
  expect(await sequencesOf('b', 'a')).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test('an incomplete last line is ignored until it is complete', async () => {
  const whole = textOf([ended(rowOf('b'))], 8);
  const { path, sequencesOf } = opened(textOf(TWO) + whole.slice(0, 40));
  expect(await sequencesOf('b')).toEqual([2, 6, 7]);
  appendFileSync(path, whole.slice(40));
  expect(await sequencesOf('b')).toEqual([2, 6, 7, 9]);
});

test('resumptions belong to every trial, lines in another form to their own, and invalid JSON to none', async () => {
  const resumed = { sequence: 1, at: AT, fact: { type: 'run-resume', remaining: 1, dropped: [keyOf('a')] } };
  const otherwise = { fact: { type: 'attempt-start' }, trial: keyOf('a'), sequence: 2 };
  const { sequencesOf } = opened(`${JSON.stringify(resumed)}\n${JSON.stringify(otherwise)}\nno JSON\n`);
  expect(await sequencesOf('a')).toEqual([1, 2]);
  expect(await sequencesOf('b')).toEqual([1]);
});

test('a log that was replaced is read anew, and one that is gone has no lines', async () => {
  const { path, sequencesOf } = opened(textOf(TWO));
  expect(await sequencesOf('b')).toEqual([2, 6, 7]);
  rmSync(path);
  expect(await sequencesOf('b')).toEqual([]);
  writeFileSync(path, textOf([began('b', 1)]));
  expect(await sequencesOf('b')).toEqual([1]);
});

test('tells where to go on reading; of a log whose rows have no numbers that is its beginning', async () => {
  const many = Array.from({ length: 1000 }, () => of('a', { type: 'note', text: 'x' }));
  const text = textOf([began('a', 1), ...many]);
  const { path, index } = opened(text);
  const lineAt = (place: number) =>
    (JSON.parse(text.slice(place).split('\n')[0] ?? '') as { sequence: number }).sequence;
  expect(await index.startAfter(1001)).toBe(text.length);
  const next = lineAt(await index.startAfter(700));
  expect(next).toBeGreaterThan(700 - 300);
  expect(next).toBeLessThanOrEqual(701);
  expect(await index.startAfter(1)).toBeLessThanOrEqual(text.indexOf('\n') + 1);
  appendFileSync(path, textOf(many.slice(0, 3), 1001));
  expect(lineAt(await index.startAfter(1001))).toBeGreaterThan(1001 - 300);
  expect(await opened(textOf([of('a', { type: 'trial-start' }), ...many])).index.startAfter(900)).toBe(0);
});

test('tells the ends that count, and what rows do not tell, as reading the whole log does', async () => {
  const noted = of('a', { type: 'note', text: 'late' });
  const { trial: _, ...resumed } = of('', { type: 'run-resume', remaining: 1, dropped: [keyOf('b')] });
  const { trial: _trial, ...told } = of('', { type: 'note', text: 'of the run' });
  const { path, index } = opened(textOf([...TWO, noted, told, ended(rowOf('b')), resumed]));
  const found = async (lines: AsyncIterable<Buffer>) => {
    const sequences: number[] = [];
    for await (const line of lines)
      sequences.push((JSON.parse(line.toString()) as { sequence: number }).sequence);
    return sequences;
  };
  expect(await found(index.lastEndLines())).toEqual([8]);
  expect(await found(index.linesRowlessEvents())).toEqual([9, 10, 12]);
  appendFileSync(path, textOf([ended(rowOf('b')), ended(rowOf('a')), told], 12));
  expect(await found(index.lastEndLines())).toEqual([13, 14]);
  expect(await found(index.linesRowlessEvents())).toEqual([9, 10, 12, 15]);
  const rows = async (...given: Parameters<typeof lastRows>) => {
    const all: unknown[] = [];
    for await (const row of lastRows(...given)) all.push(row);
    return all;
  };
  expect(await rows(path, index)).toEqual(await rows(path));
});
