import { expect, test } from 'vitest';

import { suiteWorkspace } from './suite-workspace.ts';

const place = { directory: '/none', key: 'k', fallback: '/none', outputDirectory: undefined };

test.each([
  [Object.create(null), '[Object: null prototype] {}'],
  [['shared'], "[ 'shared' ]"],
  [undefined, 'undefined'],
])('a mode that is no text is a problem, without a guess what was meant: %o', (mode, shown) => {
  expect(suiteWorkspace({ mode }, place).faults).toEqual([
    {
      code: 'workspace-mode',
      message: `workspace: unknown workspace mode ${shown}`,
      hint: 'known: none, shared, isolated',
    },
  ]);
});

test('a mode that is nearly known is guessed', () => {
  expect(suiteWorkspace({ mode: 'islated' }, place).faults.map(({ hint }) => hint)).toEqual([
    'did you mean `isolated`?',
  ]);
});
