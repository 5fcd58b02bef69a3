import { expect, test } from 'vitest';

import { parseYaml } from './parse-yaml.ts';
import { yamlMistake } from './yaml-mistakes.ts';

function mistakeIn(text: string): string | undefined {
  const parsed = parseYaml(text, 'aliases');
  const mistake = 'failure' in parsed ? yamlMistake(text, parsed.failure) : undefined;
  return mistake && `${mistake.line}:${mistake.column} ${mistake.message} (${mistake.hint})`;
}

const COLON = 'a text with a colon and a space in it must be quoted';
const indented = (by: string) => `this line is indented by ${by}, which fits no line above it`;

test.each([
  ['tests:\n  - id: a\n    input: Say: hello\n', `3:12 ${COLON} (write input: "Say: hello")`],
  [
    'tests:\n  - id: a\n    criteria: it is: "yes": or no # x\n',
    `3:15 ${COLON} (write criteria: 'it is: "yes": or no')`,
  ],
  ['tests:\n  - input: Say: hello\n', `2:12 ${COLON} (write input: "Say: hello")`],
  ['name: My: suite\ntests: []\n', `1:7 ${COLON} (write name: "My: suite")`],
  ['tests: [{id: a, input: Say: hello}]\n', `1:24 ${COLON} (write "Say: hello")`],
])('a colon in a text without quotes: %j', (text, told) => {
  expect(mistakeIn(text)).toBe(told);
});

test.each([
  ['tests:\n  - id: a\n   input: x\n    criteria: y\n', 3, '3 spaces', 'indent it by 4 spaces, like line 2'],
  ['tests:\n  - id: a\n      input: x\n', 3, '6 spaces', 'indent it by 4 spaces, like line 2'],
  [
    'tests:\n  - id: a\n    input: x\n     criteria: y\n',
    4,
    '5 spaces',
    'indent it by 4 spaces, like line 3',
  ],
  [
    'tests:\n  - id: a\n    assert:\n    - type: contains\n     value: x\n',
    5,
    '5 spaces',
    'indent it by 6 spaces, like line 4',
  ],
  [
    'tests:\n  - id: a\n    assert:\n      - type: a\n\n     - type: x\n',
    6,
    '5 spaces',
    'indent it by 6 spaces, like line 4',
  ],
  ['name: a\n tests: []\n', 2, '1 space', 'remove the spaces before it, like line 1'],
  [
    'targets:\n  a:\n    # what it says\n    type: mock\n   response: x\n',
    5,
    '3 spaces',
    'indent it by 4 spaces, like line 4',
  ],
])('a line that is indented wrongly: %j', (text, line, by, hint) => {
  const column = (text.split('\n')[line - 1] ?? '').search(/\S/) + 1;
  expect(mistakeIn(text)).toBe(`${line}:${column} ${indented(by)} (${hint})`);
});

test('a key without a colon, and a text that starts with a reserved character', () => {
  expect(mistakeIn('tests:\n  - id: a\n    input hello\n    criteria: x\n')).toBe(
    '3:5 this line has no colon after its key (write `input: ...`)',
  );
  expect(mistakeIn('name: @me\n')).toBe('1:7 a text that starts with `@` must be quoted (write "@me")');
});

test.each(['tests: *all', 'a: "x\nb: y', 'a: [1\nb: 2', 'a: 1\na: 2'])('%j is none of them', (text) => {
  expect(mistakeIn(text)).toBeUndefined();
});
