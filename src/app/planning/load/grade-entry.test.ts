import { expect, test } from 'vitest';

import { allGraders } from '../../registry.ts';
import { entryReader } from './grade-entry.ts';

test('what is wrong with an entry of code is told, also after the same without it, and where JSON has no word for it', async () => {
  const graders = await allGraders();
  const read = entryReader({ graders, targets: new Set(), hasJudge: false, projectRoot: '/' });
  const contains = { type: 'contains', value: 'hi' };
  expect(read(contains, '/').name).toBe('contains-hi');
  const unknown = 'grade(report, entry): bogus: unknown key `bogus`';
  expect(() => read({ ...contains, bogus: () => 1 }, '/')).toThrow(unknown);
  expect(() => read({ ...contains, bogus: undefined }, '/')).toThrow(unknown);
  expect(() => read({ ...contains, bogus: 1n }, '/')).toThrow(unknown);
});
