import { expect, it } from 'vitest';

import { formatProblem } from '../../core/problem.ts';
import { defaultTargets } from './default-targets.ts';
import { folderWith, loadedFrom, loadIn } from './scratch.fixture.ts';

const MOCK = '{ type: mock, response: x }';
const SEVERAL = `targets: { a: ${MOCK}, b: { type: codex, model: m }, c: { type: pi, model: m } }`;

async function defaults(yaml: string, suites: 'code' | 'data') {
  const loaded = await loadedFrom(yaml, { environment: { T: 'c' } });
  const { names, problems } = defaultTargets(loaded, suites);
  return problems.length > 0 ? problems.map(formatProblem) : names;
}

it('is the one the config names', async () => {
  expect(await defaults(`target: b\n${SEVERAL}`, 'code')).toEqual(['b']);
  expect(await defaults(`target: "\${{ T }}"\n${SEVERAL}`, 'data')).toEqual(['c']);
});

it('is the only target', async () => {
  expect(await defaults(`targets: { a: ${MOCK} }`, 'data')).toEqual(['a']);
});

it('is every coding agent for code suites', async () => {
  expect(await defaults(SEVERAL, 'code')).toEqual(['b', 'c']);
});

it('is not guessed among several', async () => {
  const refused = [
    'assay.config.yaml:1:1  no-default-target  the suite names no target, but several are configured: a, b, c  (set `target`, or use --target)',
  ];
  expect(await defaults(SEVERAL, 'data')).toEqual(refused);
  expect(await defaults(`targets: { a: ${MOCK}, b: ${MOCK} }`, 'code')).toEqual([
    refused[0]?.replace(', c', ''),
  ]);
});

it('names a config that still has its published name', async () => {
  const folder = folderWith({ 'skillgym.config.mts': '', 'suites/deep/x': '' });
  const { loaded } = await loadIn(folder, { start: 'suites/deep' });
  expect(loaded && defaultTargets(loaded, 'code').problems.map(formatProblem)).toEqual([
    'assay.config.yaml  no-target  no target is configured: assay does not read skillgym.config.mts  (rename it to assay.config.mts (its runners become targets))',
  ]);
});

it('says what to add when nothing is configured', async () => {
  const { loaded } = await loadIn(folderWith({}));
  expect(loaded && defaultTargets(loaded, 'data').problems.map(formatProblem)).toEqual([
    'assay.config.yaml  no-target  no target is configured: there is no assay.config.yaml in this folder or above it  (run `assay init` to create a config, an eval and an agent)',
  ]);
  const { loaded: empty } = await loadIn(folderWith({ 'assay.config.yaml': 'run: { repeat: 2 }' }));
  expect(empty && defaultTargets(empty, 'data').problems.map(formatProblem)).toEqual([
    expect.stringMatching(
      /no-target {2}no target is configured {2}\(add one under `targets`, such as {2}mine: \{ type: mock, response: hello \}\)$/,
    ),
  ]);
});
