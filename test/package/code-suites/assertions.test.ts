import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { newestRun, rowOf, rowsOf } from '../../e2e/support/project.ts';
import { errorOf, FAILS, ISOLATED, jsonIn, PASSES, played, REPLAY, seen, suite } from '../support/suites.ts';

/** As `seen` tells a trial of one attempt. */
const was = (verdict: string, failureClass?: string, more: object = {}) => ({
  verdict,
  status: verdict,
  attempts: 1,
  class: failureClass,
  kind: undefined,
  ...more,
});
const CRASHED = was('errored', 'assert-hook', { kind: 'assert-hook' });

test('two soft failures are one error of two items, and Node keeps its own assert', async () => {
  await using project = played({
    files: {
      'a.suite.ts': suite(
        {
          soft: `async assert(report) {
            assert.soft.output.includes(report, 'nope');
            await assert.soft.rejects(async () => {}, 'two');
          }`,
          after: `assert() {
            const strict = require('node:assert').strict;
            assert.deepEqual([strict.skills, strict.soft, strict.commands, strict.classify], Array(4).fill(undefined));
            assert.equal(strict, require('node:assert/strict'));
            assert.notEqual(assert, strict);
            assert.equal(assert.AssertionError, require('node:assert').AssertionError);
          }`,
        },
        `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`,
      ),
    },
  });
  expect((await project.assay('run')).code).toBe(1);
  const run = newestRun(project);
  expect([seen(run, 'soft'), seen(run, 'after')]).toEqual([was('failed', 'assertion'), was('passed')]);
  const { error, location, softFailures, ...rest } = errorOf(run, 'soft');
  expect(error).toMatchObject({
    name: 'AssertionError',
    message: `2 assertion failures:
1. Expected final output matching "nope". Observed final output: DONE: wrote answer.txt
2. Missing expected rejection: two`,
  });
  expect(location).toMatch(new RegExp(`^${project.path('a.suite.ts')}:\\d+:\\d+$`));
  expect(softFailures).toHaveLength(2);
  expect(rest).toMatchObject({
    failureOrigin: 'assertion',
    class: { id: 'assertion', label: 'Assertion failure' },
  });
});

test('a soft failure before a crash of the hook is kept in error.json', async () => {
  await using project = played({
    files: {
      'a.suite.ts': suite({ both: `assert() { assert.soft.fail('soft one'); JSON.parse('null').x; }` }),
    },
  });
  expect((await project.assay('run')).code).toBe(3);
  const run = newestRun(project);
  expect(seen(run, 'both')).toEqual(CRASHED);
  expect(rowOf(run, 'both').error?.message).toContain('soft one');
  expect(errorOf(run, 'both')).toMatchObject({
    failureOrigin: 'assert-hook',
    stage: 'grading',
    kind: 'assert-hook',
    softFailures: [{ message: 'soft one' }],
  });
});

test('an expected soft failure ends with 0 and keeps its workspace, another throw ends with 3', async () => {
  await using project = played({
    files: {
      'a.suite.ts': suite(
        {
          known: `expectedFail: true, assert() { assert.soft.fail('x'); }`,
          crash: `expectedFail: true, assert() { throw new Error('odd'); }`,
        },
        ISOLATED,
      ),
    },
  });
  expect((await project.assay('run', '--case', 'known')).code).toBe(0);
  const known = newestRun(project);
  expect(seen(known, 'known')).toEqual(was('failed', 'assertion', { status: 'expected-failed' }));
  expect(rowOf(known, 'known').passed).toBe(true);
  expect(existsSync(join(known, rowOf(known, 'known').workspacePath ?? 'gone', '.git'))).toBe(true);
  expect((await project.assay('run', '--case', 'crash')).code).toBe(3);
  expect(seen(newestRun(project), 'crash')).toEqual(CRASHED);
});

test('an expected failure that passes is not tried again and ends with 1', async () => {
  await using project = played({
    run: { retryInfrastructure: 3 },
    files: { 'a.suite.ts': suite({ fixed: `expectedFail: true, ${PASSES}` }) },
  });
  expect((await project.assay('run')).code).toBe(1);
  const run = newestRun(project);
  expect(seen(run, 'fixed')).toEqual(was('passed', 'unexpected-passed', { status: 'unexpected-passed' }));
  expect(rowOf(run, 'fixed').passed).toBe(false);
});

test('a class is that of the innermost call, also of what is rejected', async () => {
  await using project = played({
    files: {
      'a.suite.ts': suite({
        slow: `async assert() { await assert.classify('slow', async () => assert.fail('x')); }`,
        nested: `async assert() {
          await assert.classify('outer', async () => { await assert.classify({ id: 'inner', label: 'In' }, async () => assert.fail('x')); });
        }`,
        plain: `assert() { assert.equal(assert.classify('unused', () => 7), 7); assert.fail('x'); }`,
      }),
    },
  });
  await project.assay('run');
  const run = newestRun(project);
  expect(rowsOf(run).map(({ verdict, failureClass }) => [verdict, failureClass])).toEqual([
    ['failed', { id: 'slow' }],
    ['failed', { id: 'inner', label: 'In' }],
    ['failed', { id: 'assertion', label: 'Assertion failure' }],
  ]);
});

test('a classifyFailure that throws makes its trial errored, and the others are as usual', async () => {
  await using project = played({
    files: {
      'a.suite.ts': suite({
        first: `classifyFailure() { throw new Error('cannot say'); }, ${FAILS}`,
        second: `classifyFailure: (result) => result.status + ' ' + result.failureOrigin, ${FAILS}`,
        third: `classifyFailure() { throw new Error('never asked'); }, ${PASSES}`,
      }),
    },
  });
  expect((await project.assay('run')).code).toBe(1);
  const run = newestRun(project);
  expect(['first', 'second', 'third'].map((id) => seen(run, id))).toEqual([
    CRASHED,
    was('failed', 'failed assertion'),
    was('passed'),
  ]);
  expect(errorOf(run, 'first')).toMatchObject({
    error: { name: 'Error', message: 'classifyFailure threw: cannot say' },
    cause: { name: 'AssertionError', message: 'x' },
    failureOrigin: 'assert-hook',
    stage: 'grading',
    kind: 'assert-hook',
  });
});

test('classifyFailure of a timeout reads an empty report, and its class replaces that of the timeout', async () => {
  await using project = played({
    plans: () => ({ agent: { ...REPLAY, to: 3, silentMs: 600_000 } }),
    files: {
      'a.suite.ts': suite(
        {
          slow: `timeoutMs: 1500, classifyFailure: ({ report, failureKind }) =>
            JSON.stringify([failureKind, report.finalOutput, report.events, report.prompt, report.runner.id]), ${FAILS}`,
        },
        ISOLATED,
      ),
    },
  });
  expect((await project.assay('run')).code).toBe(3);
  const run = newestRun(project);
  const told = JSON.stringify(['timeout', '', [], 'slow', 'agent']);
  expect(seen(run, 'slow')).toEqual(was('errored', told, { kind: 'timeout' }));
});

test('parallel trials keep their soft failures apart, and a hook that never settles is ended', async () => {
  const meets = (text: string) => `async assert() {
    assert.soft.fail('${text}');
    here += 1;
    while (here < 2) await new Promise((done) => setTimeout(done, 5));
    assert.soft.fail('${text} again');
  }`;
  await using project = played({
    target: { maxParallel: 2 },
    run: { assertTimeoutMs: 60_000 },
    files: {
      'a.suite.ts': suite(
        { probe: PASSES, one: meets('mine'), two: meets('yours') },
        `let here = 0; ${ISOLATED}`,
      ),
    },
  });
  expect((await project.assay('run')).code).toBe(1);
  const run = newestRun(project);
  const messages = (id: string) => (errorOf(run, id)['error'] as { message: string }).message;
  expect([messages('one'), messages('two')]).toEqual([
    '2 assertion failures:\n1. mine\n2. mine again',
    '2 assertion failures:\n1. yours\n2. yours again',
  ]);
  project.write({
    'assay.config.json': { ...jsonIn(project.path('assay.config.json')), run: { assertTimeoutMs: 1_000 } },
    'a.suite.ts': suite({ never: `assert() { return new Promise(() => {}); }`, next: PASSES }),
  });
  expect((await project.assay('run')).code).toBe(3);
  const later = newestRun(project);
  expect([seen(later, 'never'), seen(later, 'next')]).toEqual([CRASHED, was('passed')]);
  expect(rowOf(later, 'never').error?.message).toContain('1000 ms');
});

test('a missed grade fails with its grade in the row, and a grader that crashes is an error even when caught', async () => {
  await using project = played({
    files: {
      'a.suite.ts': suite({
        missed: `async assert(report) { await grade(report, { type: 'contains', value: 'zz' }); }`,
        caught: `async assert(report) { try { await grade(report, { type: 'code_judge', script: ['sh', './crash.sh'] }); } catch {} }`,
        kept: `async assert(report) { assert.equal((await grade(report, { type: 'contains', value: 'DONE' })).score, 1); }`,
      }),
      'crash.sh': 'echo no such table >&2; exit 7\n',
    },
  });
  expect((await project.assay('run')).code).toBe(1);
  const run = newestRun(project);
  expect(['missed', 'caught', 'kept'].map((id) => seen(run, id))).toEqual([
    was('failed', 'grade'),
    was('errored', 'grader', { kind: 'grader' }),
    was('passed'),
  ]);
  const members = (id: string) => rowOf(run, id).grades[0]?.members;
  expect(members('missed')).toMatchObject([{ type: 'contains', score: 0, passed: false }]);
  expect(members('caught')).toMatchObject([{ type: 'code_judge', score: null }]);
  expect(members('kept')).toMatchObject([{ type: 'contains', score: 1, passed: true }]);
  expect(rowOf(run, 'caught').error).toMatchObject({ stage: 'grading', kind: 'grader' });
  expect(readdirSync(join(run, rowOf(run, 'missed').artifactDir ?? ''))).toContain('error.json');
});
