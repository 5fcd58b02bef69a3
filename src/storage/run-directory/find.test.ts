import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { AssayError } from '../../core/errors.ts';
import { findRun, listRuns } from './find.ts';
import { scratch } from './fixtures/runs.ts';
import { given } from '../../lib/given.ts';

const { folder, clear } = scratch();
const OLD = '20260101T000000Z-000000';
const SAME_DAY = '20260102T030405Z-0a1b2c';
const NEW = '20260102T030405Z-0abcde';

let runs: string;
let cwd: string;

function makeRun(directory: string): void {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'run.json'), '{}');
}

beforeEach(() => {
  const root = folder();
  runs = join(root, 'runs');
  cwd = join(root, 'project');
  mkdirSync(cwd);
  for (const id of [NEW, OLD, SAME_DAY]) makeRun(join(runs, id));
  makeRun(join(runs, 'not-a-run-id'));
  mkdirSync(join(runs, '20260103T000000Z-zzzzzz'));
});
afterEach(clear);

const found = (reference: string): unknown => {
  const { paths, ...rest } = findRun(reference, runs, cwd);
  return { directory: paths.directory, ...rest };
};

function problem(reference: string): Pick<AssayError, 'code' | 'message' | 'hint'> {
  try {
    findRun(reference, runs, cwd);
  } catch (error) {
    if (!(error instanceof AssayError)) throw error;
    const { code, message, hint } = error;
    return { code, message, ...given({ hint }) };
  }
  throw new Error(`${reference} was found`);
}

test('runs are listed oldest first; other folders are left out', () => {
  expect(listRuns(runs)).toEqual([OLD, SAME_DAY, NEW]);
  expect(listRuns(join(runs, 'nowhere'))).toEqual([]);
});

describe('a reference', () => {
  test.each([
    ['latest', NEW],
    [OLD, OLD],
    ['20260101', OLD],
    ['20260102T030405Z-0ab', NEW],
  ])('%s is %s', (reference, id) => {
    expect(found(reference)).toEqual({ directory: join(runs, id) });
    expect(found(`${reference}#bot`)).toEqual({ directory: join(runs, id), target: 'bot' });
  });

  test('may be a directory, relative or absolute, wherever it is', () => {
    const elsewhere = join(cwd, 'kept', 'my run');
    makeRun(elsewhere);
    expect(found('kept/my run')).toEqual({ directory: elsewhere });
    expect(found('./kept/my run/')).toEqual({ directory: elsewhere });
    expect(found(`${elsewhere}#bot`)).toEqual({ directory: elsewhere, target: 'bot' });
  });

  test('may be a directory with a # in its name', () => {
    const odd = join(cwd, 'issue #5', 'run');
    makeRun(odd);
    expect(found('issue #5/run')).toEqual({ directory: odd });
    expect(found('issue #5/run#bot')).toEqual({ directory: odd, target: 'bot' });
  });

  test('that several runs begin with names them', () => {
    expect(problem('20260102')).toEqual({
      code: 'run-ambiguous',
      message: `"20260102" matches 2 runs: ${SAME_DAY}, ${NEW}`,
      hint: 'use more characters of the id',
    });
  });

  test.each(['2027', '', '#bot', 'not-a-run-id', '../runs', 'lat', '20260103T000000Z-zzzzzz'])(
    'that names no run says where it looked: %j',
    (reference) => {
      expect(problem(reference)).toEqual({
        code: 'run-not-found',
        message: `no run "${reference.split('#')[0]}" in ${runs}`,
        hint: 'use a run directory, a run id or its first characters, or latest; assay runs lists all runs',
      });
    },
  );

  test('latest of no runs is not found', () => {
    expect(() => findRun('latest', join(runs, 'nowhere'), cwd)).toThrow('no run "latest"');
  });
});
