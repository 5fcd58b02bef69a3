import { runFold } from '../../reading/run-view.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import type { Row } from '../../core/run.ts';
import { eventsOf, fakeScreen, grade, manifest, readerOf, row, servicesFor } from '../fixtures/sample-run.ts';
import { junit } from '../junit.ts';
import { paletteFor } from './palette.ts';
import { terminal } from './terminal.ts';
import { trialBlock } from './trial-block.ts';
import { trialPage } from './trial-page.ts';

const style = { palette: paletteFor(false), columns: 80, run: 'latest' };

/** A block without its head, and without the answer and the command at its end. */
function said(one: Row): readonly string[] {
  return trialBlock({ ...one, output: null }, style).slice(1, -1);
}

async function printed(all: readonly Row[], verbosity: 'normal' | 'verbose'): Promise<string> {
  const screen = fakeScreen();
  const fold = runFold();
  const reader = { ...readerOf(all), manifest: async () => ({ ...manifest, trials: all.length }) };
  const runDirectory = `/p/.assay/runs/${manifest.id}`;
  const sink = terminal.create(
    servicesFor(runDirectory, { reader, screen, verbosity, projectRoot: '/p', view: fold.view }),
  );
  for (const event of eventsOf(all)) {
    fold.apply(event);
    void sink.write(event);
  }
  await sink.close?.();
  return screen.text();
}

test('a failure without an expectation that fell says what its score is made of', () => {
  const one = row({
    verdict: 'failed',
    score: 0.778,
    threshold: 0.9,
    grades: [
      grade('close', { score: 0.9 }),
      grade('far', { score: 0.85, weight: 2.5 }),
      grade('aside', { score: 0, passed: false, weight: 0 }),
      grade('whole'),
    ],
  });
  expect(said(one)).toEqual([
    '    score 0.778 is the weighted mean of: close 0.9 (weight 1), far 0.85',
    '      (weight 2.5), 1 with 1; needs 0.9',
  ]);
  expect(trialPage(one, [], style).slice(1, 4)).toEqual([
    '  score 0.778, needs 0.9; 2 s, 1 turn, 1 step',
    '  score 0.778 is the weighted mean of: close 0.9 (weight 1), far 0.85 (weight',
    '  2.5), 1 with 1; needs 0.9',
  ]);
});

test('a failure where every score would do names no score that is needed', () => {
  const asked = grade('asked', { score: 0, passed: false, weight: 0 });
  const one = row({
    verdict: 'failed',
    score: 0,
    overall: 0,
    threshold: 0,
    fallenGates: ['asked'],
    grades: [asked],
  });
  expect(trialPage(one, [], style)[1]).toBe('  score 0 of 100; 2 s, 1 turn, 1 step');
});

const stack = `it ended with exit code 1:\nTypeError: x is no function\n    at run (agent.mjs:3:5)\n\n${'more\n'.repeat(40)}`;

test('an error of several lines keeps them, and is not longer than a block may be', () => {
  const one = row({
    verdict: 'errored',
    error: { stage: 'target', kind: 'runner-crash', code: 'runner-crash', message: stack },
  });
  const lines = said(one);
  expect(lines.slice(0, 4)).toEqual([
    '    Not measured: runner-crash (target): it ended with exit code 1:',
    '        TypeError: x is no function',
    '            at run (agent.mjs:3:5)',
    '        more',
  ]);
  expect(lines.at(-1)).toBe('        (32 more lines)');
  expect(trialPage(one, [], style).slice(2, 5)).toEqual([
    '  not measured: runner-crash (target): it ended with exit code 1:',
    '    TypeError: x is no function',
    '        at run (agent.mjs:3:5)',
  ]);
});

test('what a grader died of is said once', () => {
  const reason = 'could not be decided: no such file';
  const one = row({
    verdict: 'errored',
    error: { stage: 'grading', kind: 'grader', code: 'grader', message: `policy: ${reason}` },
    grades: [grade('policy', { score: null, passed: false, reason })],
  });
  expect(said(one)).toEqual([
    '    Not measured: grader (grading): policy: could not be decided: no such file',
  ]);
  expect(trialPage(one, [], style).filter((line) => line.includes('no such file'))).toEqual([
    '  not measured: grader (grading): policy: could not be decided: no such file',
  ]);
});

test('a note is in the block of its trial; of passed trials, only the first one is shown', async () => {
  const note = 'the teardown script ended with exit code 3';
  const failed = row({ verdict: 'failed', score: 0, notes: [note] });
  expect(said(failed)).toContain(`    note: ${note}`);
  const text = await printed([row({ notes: [note] }), row({ caseId: 'b', notes: [note] })], 'normal');
  expect(text).toContain(
    `2 warnings: greets-by-name, the first of 2: ${note}\n` +
      `  assay show ${manifest.id} --trial evals%2Frefunds.eval.yaml/greets-by-name/support-bot/r1\n`,
  );
});

test('the files of reports are named at the end', async () => {
  const runDirectory = await mkdtemp(join(tmpdir(), 'assay-end-'));
  try {
    const screen = fakeScreen();
    const services = servicesFor(runDirectory, { screen, reader: readerOf([row()]), projectRoot: '/p' });
    await junit.create(services).close?.();
    await junit.create({ ...services, file: join(runDirectory, 'out', 'tests.xml') }).close?.();
    await terminal.create(services).close?.();
    const lines = screen.text().split('\n');
    const from = lines.indexOf(`Results: ${runDirectory}`);
    expect(lines.slice(from + 1, from + 3)).toEqual([
      `  junit: ${runDirectory}/junit.xml`,
      `  junit: ${runDirectory}/out/tests.xml`,
    ]);
  } finally {
    await rm(runDirectory, { recursive: true, force: true });
  }
});

test('verbose says why a trial was skipped', async () => {
  const one = row({
    verdict: 'skipped',
    skipped: 'dependency',
    notes: ['depends on "login", which did not pass'],
    costUsd: {},
  });
  expect(await printed([one], 'verbose')).toContain(
    '- skipped  greets-by-name  evals/refunds.eval.yaml, support-bot  dependency: depends on "login", which did not pass\n',
  );
});

test('places come from a file, so their escape sequences are not printed', () => {
  const one = row({ artifactDir: 'trials/a\u001b]0;x\u0007\nb', workspacePath: '/w\u009b2J\u202e/c' });
  expect(trialPage(one, [], style).slice(-4)).toEqual([
    '',
    'files of the trial: trials/a b',
    '',
    'workspace: /w/c',
  ]);
});
