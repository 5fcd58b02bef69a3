import { afterEach, expect, test } from 'vitest';

import { trialKey } from '../../core/trial.ts';
import { manifestOf, nothingHidden, rowOf, scratch } from '../../storage/run-directory/fixtures/runs.ts';
import { appendRows } from '../../storage/run-directory/append-rows.ts';
import { writeManifest } from '../../storage/run-directory/manifest.ts';
import { storedRun } from '../../storage/run-directory/stored-run.ts';
import { findTrial } from './find-trial.ts';

const { run, clear } = scratch();
afterEach(clear);

const SUITE = 'evals/ordérs.eval.yaml';
const rows = [
  rowOf('plain', { suite: SUITE }),
  rowOf('a/b 50%', { suite: SUITE }),
  rowOf('twice', { suite: SUITE }),
  rowOf('twice', { suite: SUITE, repetition: 2 }),
];

function stored() {
  const paths = run();
  appendRows(paths.rows, rows);
  const suites = [{ id: SUITE, name: 'orders', file: `/project/${SUITE}`, cases: 3, digest: 'd' }];
  const targets = [{ name: 't', type: 'mock', config: {}, digest: 0 }];
  writeManifest(paths, manifestOf({ suites, targets }), nothingHidden);
  return storedRun(paths, { outputDirectory: '' });
}

test.each([
  ['its case id', 'plain', 0],
  ['its key', trialKey(rows[1] ?? rowOf('')), 1],
  ['its key as people write it', `${SUITE}/a/b 50%/t/r1`, 1],
  ['the key of one repetition', trialKey(rows[3] ?? rowOf('')), 3],
  ['the key of one repetition as people write it', `${SUITE}/twice/t/r2`, 3],
])('a trial is found by %s', async (_, name, place) => {
  expect(await findTrial(stored(), name, 'RUN')).toEqual(rows[place]);
});

test('an id that several trials have is refused with their keys', async () => {
  await expect(findTrial(stored(), 'twice', 'RUN')).rejects.toMatchObject({
    message: 'RUN has 2 trials of twice',
    hint: `name one of them: ${rows.slice(2).map(trialKey).join(', ')}`,
  });
});

test('a name that no trial has is answered with the nearest', async () => {
  await expect(findTrial(stored(), 'plian', 'RUN')).rejects.toMatchObject({
    message: 'RUN has no trial plian',
    hint: 'did you mean plain?',
  });
});
