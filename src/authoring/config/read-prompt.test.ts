import { expect, it } from 'vitest';

import { readPrompt } from './read-prompt.ts';
import { folderWith } from './scratch.fixture.ts';

const path = ['targets', 'a', 'prompt'];

it('is a text, or the text of a file', () => {
  const directory = folderWith({ 'a.txt': 'Be brief.\n' });
  expect(readPrompt('Be kind.', { directory, path })).toEqual({ text: 'Be kind.', faults: [] });
  expect(readPrompt('./a.txt', { directory, path })).toEqual({ text: 'Be brief.', faults: [] });
});

it.each([
  ['./none.txt', 'targets.a.prompt: prompt file not found: ./none.txt'],
  ['./empty.txt', 'targets.a.prompt: prompt file ./empty.txt is empty'],
  ['./large.txt', 'targets.a.prompt: prompt file ./large.txt has 1048576 bytes; the limit is 102400'],
  ['./binary.txt', 'targets.a.prompt: prompt file ./binary.txt is not text'],
  ['./vars.txt', 'targets.a.prompt: prompt file ./vars.txt: `{{ vars.city` is not followed by ` }}`'],
  ['./filter.txt', 'targets.a.prompt: prompt file ./filter.txt: invalid filter `shout` after `{{ vars.city`'],
])('refuses %s', (written, message) => {
  const directory = folderWith({
    'empty.txt': ' \n',
    'large.txt': 'x'.repeat(2 ** 20),
    'binary.txt': 'a\u0000b',
    'vars.txt': 'Serve {{ vars.city }.',
    'filter.txt': 'Serve {{ vars.city | upper | shout }}.',
  });
  expect(readPrompt(written, { directory, path }).faults.map((each) => each.message)).toEqual([message]);
});
