import { expect, test } from 'vitest';

import { rowOf } from '../storage/run-directory/fixtures/runs.ts';
import { csvHead, csvLine } from './csv.ts';
import { trialResource } from './trial-resource.ts';

test('a trial is a line with as many cells as the head', () => {
  const line = csvLine(trialResource(rowOf('a', { tags: ['x', 'y'], score: null })));
  expect(line.split(',')).toHaveLength(csvHead.split(',').length);
  expect(line).toContain(',s,a,t,1,1,passed,passed,,0.8,,,,,,,x; y,');
  expect(line).toMatch(/Z\r\n$/);
});

test.each([
  ['=1+1', "'=1+1"],
  ['-2', "'-2"],
  ['@x', "'@x"],
  ['a, "b"', '"a, ""b"""'],
  ['a\nb', '"a\nb"'],
  ['=a,"', `"'=a,"""`],
])('a case called %j is text', (caseId, cell) => {
  expect(csvLine(trialResource(rowOf(caseId)))).toContain(`,s,${cell},t,`);
});
