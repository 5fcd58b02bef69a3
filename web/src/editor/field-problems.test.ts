import { expect, test } from 'vitest';

import { fieldProblems } from './field-problems.ts';

test('problems stand at their fields, in the order of the form, with the words of the server', () => {
  const mistakes = new Map([['user_context', { at: 3, message: 'line 1' }]] as const);
  const told = [
    { param: 'tool_mocks.1.tool', message: 'must not be blank' },
    { param: 'items.0.max_turns', message: 'expected a number', hint: 'write 5' },
    { param: 'items.0.name', message: 'must not be blank' },
  ];
  expect(fieldProblems({ mistakes }, told)).toEqual([
    { field: 'name', text: 'must not be blank' },
    { field: 'max_turns', text: 'expected a number (write 5)' },
    { field: 'user_context', text: 'line 1', at: 3 },
    { field: 'tool_mocks', text: '1.tool: must not be blank' },
  ]);
});
