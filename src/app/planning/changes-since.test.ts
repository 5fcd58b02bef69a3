import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { folderOfTest } from '../../../test/support/test-folders.ts';
import type { RunOptions } from '../../core/run-options.ts';
import { loadProject } from './load/load-project.ts';
import { changesSince } from './changes-since.ts';
import { planRun } from './plan-run.ts';

const CONFIG = { targets: { bot: { type: 'mock', response: 'x' } }, target: 'bot' };

const testOf = (id: string, more: object = {}) => ({
  id,
  input: `question ${id}`,
  assert: [{ type: 'contains', value: 'x' }],
  ...more,
});

interface Files {
  readonly tests: readonly object[];
  readonly config?: object;
  readonly more?: Readonly<Record<string, object>>;
}

/** The reported changes, when these files replace the planned ones. */
async function changes(before: Files, after: Files, flags: Partial<RunOptions> = {}) {
  const folder = folderOfTest('assay-changes-');
  const write = ({ tests, config = CONFIG, more = {} }: Files): void => {
    const files = { 'assay.config.json': config, 'some.eval.yaml': { tests }, ...more };
    for (const [name, body] of Object.entries(files)) writeFileSync(join(folder, name), JSON.stringify(body));
  };
  const surroundings = { cwd: folder, environment: {}, now: () => 0, commandLine: [] };
  const options = { patterns: [], targets: [], cases: [], ...flags };
  write(before);
  const { spec, manifest } = await planRun({ options, surroundings });
  write(after);
  const project = await loadProject({ options: spec.options, surroundings });
  return changesSince(spec, manifest, { project, signal: undefined });
}

const TWO = [testOf('a'), testOf('b')];

test('cases that are made or graded otherwise are named, at most five of them', async () => {
  const edited = [testOf('a'), testOf('b', { input: 'another question' })];
  expect(await changes({ tests: TWO }, { tests: edited })).toEqual(['suite some.eval.yaml (case b)']);
  const graded = TWO.map((each) => ({ ...each, assert: [{ type: 'contains', value: 'y' }] }));
  expect(await changes({ tests: TWO }, { tests: graded })).toEqual(['suite some.eval.yaml (cases a, b)']);
  const many = Array.from({ length: 8 }, (_, i) => testOf(`c${i}`));
  const harder = many.map((each) => ({ ...each, input: 'harder' }));
  expect(await changes({ tests: many }, { tests: [...harder, testOf('c8')] })).toEqual([
    'suite some.eval.yaml (cases c0, c1, c2, c3, c4 and 3 more; 9 instead of 8 cases)',
  ]);
});

test('where and how often a case runs counts', async () => {
  const config = { ...CONFIG, targets: { ...CONFIG.targets, other: CONFIG.targets.bot } };
  const repeated = [testOf('a', { execution: { targets: ['other'] } }), testOf('b')];
  expect(await changes({ tests: TWO, config }, { tests: repeated, config })).toEqual([
    'suite some.eval.yaml (case a)',
  ]);
});

test('if no case differs, the number of cases is reported, or only the suite', async () => {
  expect(await changes({ tests: TWO }, { tests: [testOf('a')] })).toEqual([
    'suite some.eval.yaml (1 instead of 2 cases)',
  ]);
  expect(await changes({ tests: TWO }, { tests: [testOf('new'), ...TWO] })).toEqual([
    'suite some.eval.yaml (3 instead of 2 cases)',
  ]);
  expect(await changes({ tests: TWO }, { tests: TWO.toReversed() })).toEqual(['suite some.eval.yaml']);
});

test('labels are no change, and neither is a case behind those that were chosen', async () => {
  const labelled = [testOf('a', { metadata: undefined, description: 'new' }), testOf('b')];
  expect(await changes({ tests: TWO }, { tests: labelled })).toEqual([]);
  const longer = { tests: [...TWO, testOf('c')] };
  expect(await changes({ tests: TWO }, longer, { cases: ['a'] })).toEqual([]);
});

test('changes of a config, a target and a suite are reported together', async () => {
  const config = { ...CONFIG, targets: { bot: { type: 'mock', response: 'y' } } };
  const more = { 'other.eval.yaml': { tests: [testOf('z')] } };
  expect(await changes({ tests: TWO }, { tests: TWO, config, more })).toEqual([
    'the config',
    'suite other.eval.yaml is new',
    'target bot',
  ]);
  const gone = { targets: { bot2: { type: 'mock', response: 'x' } }, target: 'bot2' };
  expect(await changes({ tests: TWO }, { tests: TWO, config: gone })).toEqual([
    'the config',
    'suite some.eval.yaml (cases a, b)',
    'target bot',
  ]);
});
