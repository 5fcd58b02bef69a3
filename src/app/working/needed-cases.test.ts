import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import type { PlannedTrial } from '../../engine/trial-context.ts';
import type { Machine } from '../binding/machine.ts';
import { bind } from '../binding/bind.ts';
import { loadProject } from '../planning/load/load-project.ts';
import { planRun } from '../planning/plan-run.ts';
import { caseReader, firstOfKinds } from './needed-cases.ts';

/** A run of three cases, of which the third was edited since. Its cases are read when they are needed. */
async function plannedRun() {
  const folder = mkdtempSync(join(tmpdir(), 'assay-needed-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const config = { targets: { bot: { type: 'mock', response: 'x' } }, target: 'bot' };
  writeFileSync(join(folder, 'assay.config.json'), JSON.stringify(config));
  const write = (ids: Readonly<Record<string, string>>) => {
    const tests = Object.entries(ids).map(([id, input]) => ({
      id,
      input,
      assert: [{ type: 'contains', value: 'x' }],
    }));
    writeFileSync(join(folder, 'some.eval.yaml'), JSON.stringify({ tests }));
  };
  const surroundings = { cwd: folder, environment: {}, now: () => 0, commandLine: [] };
  write({ a: 'one', b: 'two', c: 'three' });
  const { spec } = await planRun({ options: { patterns: [], targets: [], cases: [] }, surroundings });
  write({ a: 'one', b: 'two', c: 'edited' });
  const project = await loadProject({ options: spec.options, surroundings });
  const known = new Set<number>([0]);
  const asked: (readonly number[])[] = [];
  const faults: Error[] = [];
  const partly = {
    has: (index: number) => known.has(index),
    async read(places: readonly number[]) {
      asked.push(places);
      const fault = faults.pop();
      if (fault !== undefined) throw fault;
      for (const place of places) known.add(place);
    },
  };
  const suites = project.suites.map((suite) => ({ ...suite, cases: { ...suite.cases, partly } }));
  const machine = { ...project, suites, cwd: folder } as unknown as Machine;
  const read = caseReader(bind(spec, machine));
  const of = (index: number) => read({ place: { suite: 0, index } } as PlannedTrial);
  return { spec, of, asked, faults };
}

const REFUSED = { refusal: 'not the same here: suite some.eval.yaml (case c)' };

test('cases of trials that are taken together are read together, and each of them once', async () => {
  const { spec, of, asked } = await plannedRun();
  expect(firstOfKinds(spec)).toEqual([0]);
  expect(await Promise.all([of(0), of(1), of(2), of(1)])).toEqual([{}, {}, REFUSED, {}]);
  expect(await of(1)).toEqual({});
  expect(asked).toEqual([[1, 2]]);
});

test('a case that differs is refused each time', async () => {
  const { of } = await plannedRun();
  expect([await of(2), await of(2)]).toEqual([REFUSED, REFUSED]);
});

test('a case that could not be read is read again for the next trial', async () => {
  const { of, asked, faults } = await plannedRun();
  faults.push(new Error('the database is gone'));
  await expect(of(1)).rejects.toThrow('the database is gone');
  expect(await of(1)).toEqual({});
  expect(asked).toEqual([[1], [1]]);
});
