import { expect, test } from 'vitest';

import { allGraders } from '../../registry.ts';
import { entryReader } from './grade-entry.ts';

test('mistakes in an entry of code are reported, also after a valid entry, and for values that JSON cannot express', async () => {
  const graders = await allGraders();
  const read = entryReader({ graders, targets: new Set(), hasJudge: false, projectRoot: '/' });
  const contains = { type: 'contains', value: 'hi' };
  expect(read(contains, '/').name).toBe('contains-hi');
  const unknown = 'grade(report, entry): bogus: unknown key `bogus`';
  expect(() => read({ ...contains, bogus: () => 1 }, '/')).toThrow(unknown);
  expect(() => read({ ...contains, bogus: undefined }, '/')).toThrow(unknown);
  expect(() => read({ ...contains, bogus: 1n }, '/')).toThrow(unknown);
});
