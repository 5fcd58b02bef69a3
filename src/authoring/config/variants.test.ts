import { expect, it } from 'vitest';

import { formatProblem } from '../../core/problem.ts';
import { defaultTargets } from './default-targets.ts';
import { meantTargets } from './meant-targets.ts';
import { resolveTarget } from './resolve-target.ts';
import { folderWith, loadedFrom, loadIn } from './scratch.fixture.ts';

const SUPPORT = 'targets: { support: { type: mock, response: x } }';

async function problems(yaml: string, files: Readonly<Record<string, string>> = {}) {
  const { problems: found } = await loadIn(folderWith({ 'assay.config.yaml': yaml, ...files }));
  return found.map(formatProblem);
}

it('makes every combination a target, and the name of the base means all of them', async () => {
  const loaded = await loadedFrom(
    `${SUPPORT}\nvariants: { base: support, over: { response: [a/b, c], delayMs: { slow: 9, fast: 0 } } }`,
  );
  const names = [
    'support[response=b,delayMs=slow]',
    'support[response=b,delayMs=fast]',
    'support[response=c,delayMs=slow]',
    'support[response=c,delayMs=fast]',
  ];
  expect([...loaded.written.keys()]).toEqual(['support', ...names]);
  expect(defaultTargets(loaded, 'data')).toEqual({ names, problems: [] });
  expect(meantTargets(['support', names[0] ?? ''], loaded.written)).toEqual(names);
  expect(loaded.written.get(names[0] ?? '')?.variant).toEqual({
    base: 'support',
    values: { response: 'b', delayMs: 'slow' },
  });
  expect(resolveTarget(loaded, names[0] ?? '').settings?.config).toEqual({ response: 'a/b', delayMs: 9 });
});

it('keeps the rows of include and leaves out the rows of exclude', async () => {
  const loaded = await loadedFrom(
    `${SUPPORT}\nvariants: { base: support, over: { response: [a, b], delayMs: [1, 2] }, include: [{ response: a }], exclude: [{ delayMs: 2 }] }`,
  );
  expect(loaded.written.get('support')?.variants).toEqual(['support[response=a,delayMs=1]']);
});

it('lets the variants add a key that the type of the target needs', async () => {
  const agent = 'targets: { support: { type: mock, delayMs: 1 } }';
  expect(await problems(`${agent}\nvariants: { base: support, over: { response: [a, b] } }`)).toEqual([]);
  expect(await problems(`${agent}\nvariants: { base: support, over: { delayMs: [1, 2] } }`)).toEqual([
    'assay.config.yaml:1:21  missing-key  targets.support: `response` is missing',
  ]);
});

it('refuses a key that the target does not have', async () => {
  expect(await problems(`${SUPPORT}\nvariants: { base: support, over: { respnse: [a, b] } }`)).toEqual([
    expect.stringMatching(/^assay.config.yaml:2:\d+ {2}unknown-key .*did you mean `response`/),
    expect.stringMatching(/^assay.config.yaml:2:\d+ {2}unknown-key .*did you mean `response`/),
  ]);
});

it('refuses two variants of one name, and values without a name', async () => {
  expect(
    await problems(`${SUPPORT}\nvariants: { base: support, over: { response: [a/x, b/x], delayMs: [[1]] } }`),
  ).toEqual([
    'assay.config.yaml:2:52  variant-name  two values of `response` have the name "x"  (write a mapping from short names to values)',
    'assay.config.yaml:2:68  variant-name  this value cannot be part of the name of a variant  (write a mapping from short names to values; a name has at most 60 characters and none of [ ] , = # @)',
  ]);
});

it('refuses 10,000 combinations and says the limit', async () => {
  const hundred = JSON.stringify(Array.from({ length: 100 }, (_, i) => i));
  expect(
    await problems(
      `${SUPPORT}\nvariants: { base: support, over: { response: ${hundred}, delayMs: ${hundred} } }`,
    ),
  ).toEqual([
    'assay.config.yaml:2:34  variants-too-many  variants: 10000 combinations are too many; the limit is 200  (remove values of `over`)',
  ]);
});

it('refuses an unknown base, and rows with unknown keys and values', async () => {
  expect(await problems(`${SUPPORT}\nvariants: { base: suport, over: { response: [a] } }`)).toEqual([
    'assay.config.yaml:2:19  unknown-target  variants.base: unknown target "suport"  (did you mean `support`?)',
  ]);
  expect(
    await problems(
      `${SUPPORT}\nvariants: { base: support, over: { response: [abc] }, exclude: [{ response: abd }, { reponse: abc }] }`,
    ),
  ).toEqual([
    'assay.config.yaml:2:77  variants-row  variants.exclude[0]: unknown value "abd" of `response`  (did you mean `abc`?)',
    'assay.config.yaml:2:95  variants-row  variants.exclude[1]: `reponse` is not in `over`  (did you mean `response`?)',
  ]);
  expect(
    await problems(
      `${SUPPORT}\nvariants: { base: support, over: { response: [a] }, exclude: [{ response: a }] }`,
    ),
  ).toEqual([
    'assay.config.yaml:2:11  variants-row  variants: `include` and `exclude` leave no combination  (remove a row of `exclude`, or correct the rows of `include`)',
  ]);
});
