import { writeFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { DEFAULT_LIMITS } from '../../core/limits.ts';
import type { RunSpec } from '../../core/run-spec.ts';
import { manifestOf } from './fixtures/runs.ts';
import { runPaths } from './paths.ts';
import { readSpec } from './spec.ts';
import { folderOfTest } from '../../../test/support/test-folders.ts';

const SPEC: Omit<RunSpec, 'digests'> = {
  formatVersion: 1,
  options: { patterns: [], targets: [], cases: [] },
  settings: {
    seed: 1,
    concurrency: 1,
    threshold: 0.8,
    retryInfrastructure: 1,
    maxErrored: 0,
    failFast: false,
    limits: DEFAULT_LIMITS,
  },
  suites: [{ id: 'a.eval.yaml', file: '/nowhere/a.eval.yaml', cases: 1 }],
  kinds: [{ suite: 0, targets: ['bot'], repeat: 1, graderCount: 1 }],
  cases: { id: ['one'], at: [0], kind: [0], digest: [0], graders: [1] },
  targets: [{ name: 'bot', type: 'mock', written: { type: 'mock' }, digest: 2 }],
  judges: { targets: [] },
  replays: {},
};

function kept(spec: unknown) {
  const directory = folderOfTest('assay-spec-');
  const paths = runPaths(directory);
  writeFileSync(paths.manifest, JSON.stringify(manifestOf({})));
  writeFileSync(paths.spec, JSON.stringify(spec));
  return paths;
}

test('a whole spec is read with the digests of its manifest', () => {
  expect(readSpec(kept(SPEC))).toEqual({ ...SPEC, digests: manifestOf({}).digests });
});

test('a spec of an earlier version, with graders in its kinds, says so and what to do', () => {
  const [{ graderCount: _, ...kind }] = SPEC.kinds as [RunSpec['kinds'][number]];
  const { graders: __, ...cases } = SPEC.cases;
  const paths = kept({ ...SPEC, kinds: [{ ...kind, graders: [1] }], cases });
  expect(() => readSpec(paths)).toThrow(
    expect.objectContaining({
      code: 'run-unreadable',
      message: `cannot read ${paths.spec}: it was stored by an earlier version of assay`,
      hint: 'the run cannot be resumed; run its cases again with assay run',
    }),
  );
});

test.each<readonly [string, unknown, string]>([
  ['is empty', null, 'it is not a run spec of this format'],
  [
    'lost its settings',
    { ...SPEC, settings: null },
    'settings: Invalid input: expected object, received null',
  ],
  [
    'lost its threshold',
    { ...SPEC, settings: { ...SPEC.settings, threshold: null } },
    'settings.threshold: Invalid input: expected number, received null',
  ],
  ['lost its cases', { ...SPEC, cases: [] }, 'cases: Invalid input: expected object, received array'],
  ['lost a column of cases', { ...SPEC, cases: { ...SPEC.cases, at: [] } }, 'cases.at: expected 1 values'],
  ['lost a grader', { ...SPEC, cases: { ...SPEC.cases, graders: [] } }, 'cases.graders: expected 1 values'],
  ['lost its kinds of cases', { ...SPEC, kinds: [] }, 'cases.kind: names a missing kind'],
  ['lost its suites', { ...SPEC, suites: [] }, 'kinds: an entry names a missing suite'],
  ['lost its targets', { ...SPEC, targets: [] }, 'kinds: target bot is missing in targets'],
])('a spec that %s is refused with what is wrong, and nothing runs by it', (_, spec, fault) => {
  const paths = kept(spec);
  expect(() => readSpec(paths)).toThrow(
    expect.objectContaining({ code: 'run-unreadable', message: `cannot read ${paths.spec}: ${fault}` }),
  );
});
