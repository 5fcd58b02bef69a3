import { expect, test } from 'vitest';

import { parseYaml } from './parse-yaml.ts';
import { yamlMistake } from './yaml-mistakes.ts';

function mistakeIn(text: string): string | undefined {
  const parsed = parseYaml(text, 'aliases');
  const mistake = 'failure' in parsed ? yamlMistake(text, parsed.failure) : undefined;
  return mistake && `${mistake.line}:${mistake.column} ${mistake.message} (${mistake.hint})`;
}

const COLON = 'a text that contains a colon and a space must be quoted';
const indented = (by: string) => `this line is indented by ${by}, which matches no line above`;

test.each([
  ['tests: []\n---\ntests: []\n', 2],
  ['# a\n---\ntests: []\n\n--- # more\ntests: []\n', 5],
])('several documents in one file: %j', (text, line) => {
  expect(mistakeIn(text)).toBe(
    `${line}:1 the file has more than one YAML document (put each document into its own file; a line \`---\` begins another document)`,
  );
});

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
    '3:5 missing colon after the key (write `input: ...`)',
  );
  expect(mistakeIn('targets\n  a: { type: mock }\n')).toBe(
    '1:1 missing colon after the key (write `targets: ...`)',
  );
  expect(mistakeIn('tests\n  - id: a\n')).toBe('1:1 missing colon after the key (write `tests: ...`)');
  expect(mistakeIn('name: @me\n')).toBe('1:7 a text that starts with `@` must be quoted (write "@me")');
});

test.each([
  ['a: { b: @me }\n', '1:9 a text that starts with `@` must be quoted (write "@me")'],
  [
    'tests:\n  - input: {{ vars.x }}\n',
    '2:12 a text that starts with `{` must be quoted (write "{{ vars.x }}")',
  ],
  [
    'a: {{ vars.x }} and "y"\n',
    `1:4 a text that starts with \`{\` must be quoted (write '{{ vars.x }} and "y"')`,
  ],
  ['a: "\\d+"\n', '1:5 unknown escape `\\d` in double quotes (write `\\\\d`, or use single quotes)'],
  ['a:\n  b: "x\n  c: y\n', '2:6 this quote is not closed (close it with `"`)'],
  ["- 'x\n- y\n", "1:3 this quote is not closed (close it with `'`)"],
  ['- a: [{ b: c }\n- d: e\n', '1:6 this bracket is not closed (close it with `]`)'],
  ['a: [\n  { b: c },\n  { b: d }\ne: f\n', '1:4 this bracket is not closed (close it with `]`)'],
  ['a: {b: c\n', '1:4 this bracket is not closed (close it with `}`)'],
  [
    'tests: *all\n',
    '1:8 unknown alias `*all` (for a text, write "*all"; for an alias, define `&all` above it)',
  ],
  ["a: 'it's'\n", "1:4 a single quote inside the text ends it too early (write 'it''s')"],
  ['a: "x" y\n', `1:4 unexpected text after the closing quote (quote all of it: '"x" y')`],
  ['a: "x"y"\n', `1:4 unexpected text after the closing quote (quote all of it: '"x"y"')`],
  [
    'a: - hi\nb: 1\n',
    '1:4 a list cannot start on the line of its key (put `- hi` on its own line; for a text, write "- hi")',
  ],
  ['name:s\ntests: []\n', '1:5 a space is missing after the colon (write name: s)'],
  ['tests:\n  - id:a\n    input: x\n', '2:7 a space is missing after the colon (write id: a)'],
  [
    'a:\n  input: |\n  hello\n  there\n  b: []\n',
    '3:3 the text after `|` must be indented deeper than its key (indent it by 4 spaces)',
  ],
])('a text or a list that is written wrongly: %j', (text, told) => {
  expect(mistakeIn(text)).toBe(told);
});

test.each(['a: [1,\n2]\nb: 2', 'a: 1\na: 2', 'a: !x y'])('%j is a different mistake', (text) => {
  expect(mistakeIn(text)).toBeUndefined();
});
