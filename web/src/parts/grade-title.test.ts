import { expect, test } from 'vitest';

import { gradeTitle } from './grade-title.ts';

test('a grade is called by its outcome, by its name for people, or by its name', () => {
  const name = 'judge/outcome/The refund was made.';
  expect(gradeTitle({ name, outcome: 'The refund was made.', details: {} })).toBe('The refund was made.');
  expect(gradeTitle({ name: 'judge/tone', details: { display_name: 'Tone' } })).toBe('Tone');
  expect(gradeTitle({ name: 'judge/tone', details: { rubric: 'x' } })).toBe('judge/tone');
  expect(gradeTitle({ name: 'contains' })).toBe('contains');
});
