import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

import { loadYamlSuites } from './load.ts';
import { contextOf, load, project } from './project.fixture.ts';
import type { Options } from './project.fixture.ts';

async function problems(text: string | Uint8Array, options: Options = {}, more: Record<string, string> = {}) {
  const loaded = await load({ 'a.yaml': text, ...more }, options);
  expect(loaded.suites).toEqual([]);
  return loaded.problems;
}

const ok = 'tests:\n  - {id: a, input: x, criteria: c}\n';

describe('a file that cannot be a suite', () => {
  test.each([
    ['is empty', '', 'a.yaml  empty-file  the file is empty  (a suite needs `tests`)'],
    ['is blank', ' \n\n', 'a.yaml  empty-file  the file is empty  (a suite needs `tests`)'],
    ['has only comments', '# tests\n', 'a.yaml  empty-file  the file contains only comments'],
    [
      'is a text',
      'hello',
      'a.yaml:1:1  wrong-type  expected a suite: a mapping with `tests`, got something else',
    ],
    [
      'is a list',
      '- {id: a}',
      'a.yaml:1:1  wrong-type  expected a suite: a mapping with `tests`, got a list  (put the list under `tests:`)',
    ],
    ['has no tests', 'name: x', 'a.yaml:1:1  missing-key  `tests` is missing'],
    [
      'has nothing as tests',
      'name: x\ntests:\n',
      'a.yaml:2:7  wrong-type  tests: expected a list of tests, or the path of a test file',
    ],
    [
      'has an empty list',
      'tests: []',
      'a.yaml:1:8  no-tests  the suite has no tests  (add one under `tests`, such as  - { id: greets, input: Say hello. })',
    ],
    [
      'uses a tab',
      'tests:\n\t- id: a\n',
      'a.yaml:2:1  yaml-syntax  Tabs are not allowed as indentation  (indent with spaces)',
    ],
    [
      'has a key twice',
      'name: a\nname: b\ntests: []\n',
      'a.yaml:2:1  duplicate-key  duplicate key  (remove one of the two)',
    ],
    [
      'has a key of a test twice',
      'tests:\n  - id: a\n    input: x\n    input: y\n',
      'a.yaml:4:5  duplicate-key  duplicate key  (remove one of the two)',
    ],
    [
      'has an alias without an anchor',
      'tests: *all',
      'a.yaml:1:8  yaml-syntax  unknown alias `*all`  (for a text, write "*all"; for an alias, define `&all` above it)',
    ],
    [
      'is too deep',
      `tests:\n  - id: a\n    metadata: ${'{a: '.repeat(5000)}1${'}'.repeat(5000)}\n`,
      'a.yaml:3:2000  too-deep  lists and mappings are nested more than 500 levels deep',
    ],
    [
      'has two documents',
      '---\ntests: []\n---\n',
      'a.yaml:3:1  yaml-syntax  the file has more than one YAML document  (put each document into its own file; a line `---` begins another document)',
    ],
  ])('that %s is reported with place and reason', async (_, text, expected) => {
    expect(await problems(text)).toEqual([expected]);
  });

  test('in another encoding is refused and not read with wrong characters', async () => {
    expect(await problems(Buffer.from('tests:\n- id: caf\xe9\n', 'latin1'))).toEqual([
      'a.yaml  not-utf8  line 2 is not valid UTF-8  (save the file as UTF-8 (in spreadsheets: "CSV UTF-8"))',
    ]);
  });

  test('that has NUL bytes, is a folder, is missing, or has another extension', async () => {
    expect(await problems(Buffer.from([0x50, 0x4b, 3, 4, 0, 0]))).toEqual([
      'a.yaml  binary-file  the file is not text: it contains NUL bytes  (save it as UTF-8 text)',
    ]);
    const folder = project({ 'cases.csv': 'id' });
    mkdirSync(join(folder, 'folder.yaml'));
    const paths = ['folder.yaml', 'gone.yaml', 'cases.csv', 'a.suite.ts'].map((name) => join(folder, name));
    expect((await loadYamlSuites(paths, contextOf(folder))).problems).toEqual([
      { file: 'folder.yaml', code: 'not-a-file', message: 'folder.yaml is a folder' },
      { file: 'gone.yaml', code: 'missing-file', message: 'file not found: gone.yaml' },
      {
        file: 'cases.csv',
        code: 'unknown-format',
        message: 'unsupported file type; a suite is a .yaml, .yml or .jsonl file',
        hint: 'use it as `tests` of a .yaml suite',
      },
      {
        file: 'a.suite.ts',
        code: 'unknown-format',
        message: 'unsupported file type; a suite is a .yaml, .yml or .jsonl file',
      },
    ]);
  });

  test('whose aliases expand too far is refused at once', async () => {
    const levels = Array.from({ length: 12 }, (_, i) => {
      return `x-${i}: &a${i} [${Array.from({ length: 10 }, () => (i === 0 ? 'y' : `*a${i - 1}`)).join(', ')}]`;
    });
    expect(await problems(`${levels.join('\n')}\n${ok}`)).toEqual([
      'a.yaml  alias-bomb  the file has more than 10,000,000 values after its YAML aliases are expanded  (use fewer aliases, or split the file)',
    ]);
    expect(await problems('x-a: &a [*a]\ntests: *a\n')).toHaveLength(1);
  });

  test('with several syntax errors reports all of them', async () => {
    const found = await problems('tests:\n  - id: a\n    input: [1] x\n  - id: b\n    input: [1] x\n');
    expect(found.map((line) => line.split('  ')[0])).toEqual(['a.yaml:3:16', 'a.yaml:5:16']);
  });
});

describe('a key or value', () => {
  test('that other tools call by another name is answered with ours', async () => {
    const text = 'tests:\n  - id: a\n    input: hi\n    assert: [{ type: latency, max: 5 }]\n';
    expect(await problems(text)).toEqual([
      'a.yaml:4:14  missing-key  `threshold` is missing',
      'a.yaml:4:31  unknown-key  unknown key `max`  (assay calls it `threshold`)',
    ]);
  });

  test('that is wrong is reported with its line, its column and a suggestion', async () => {
    const text = `nam: x
limits: {timeout: 5, max_turns: 0}
threshold: 1.5
repeat: "3"
tests:
  - id: 42
    input: hi
  - id: b
    inputs: hi
  - id: c
    input:
      - role: usr
        content: x
      - {role: assistant, contents: y}
  - id: d
    input: 5
    criteria:
    expected_output: 42
    execution: {target: judge, skip_default: true}
    workspace: {setup: {script: bun run x.ts}, keep: sometimes}
    skip: true
  - just text
  - []
  - id: " "
    input: x
    tags: [1]
`;
    expect(await problems(text)).toEqual([
      'a.yaml:1:1  unknown-key  unknown key `nam`  (did you mean `name`?)',
      'a.yaml:2:10  unknown-key  unknown key `timeout` in limits  (did you mean `timeout_ms`?)',
      'a.yaml:2:33  invalid-value  limits.max_turns: must be more than 0',
      'a.yaml:3:12  invalid-value  threshold: must be at most 1',
      'a.yaml:4:9  wrong-type  repeat: expected a number, got "3"  (write it without quotes: 3)',
      'a.yaml:6:9  wrong-type  id: expected a text, got 42  (put it in quotes)',
      'a.yaml:8:5  missing-key  `input` is missing',
      'a.yaml:9:5  unknown-key  unknown key `inputs`  (did you mean `input`?)',
      'a.yaml:12:15  invalid-value  input[0].role: "usr" is not one of: system, user, assistant, tool  (did you mean `user`?)',
      'a.yaml:14:9  missing-key  `content` is missing',
      'a.yaml:14:27  unknown-key  unknown key `contents` in input[1]  (did you mean `content`?)',
      'a.yaml:16:12  wrong-type  input: expected a text or a mapping or a list, got 5  (put it in quotes)',
      'a.yaml:17:14  wrong-type  criteria: expected a text, got nothing',
      'a.yaml:18:22  wrong-type  expected_output: expected a text or a mapping or a list, got 42  (put it in quotes)',
      'a.yaml:19:32  unknown-key  unknown key `skip_default` in execution  (did you mean `skip_defaults`?)',
      'a.yaml:20:33  wrong-type  workspace.setup.script: expected a list of arguments, because no shell is used: [bun, run, x.ts]',
      'a.yaml:20:54  invalid-value  workspace.keep: "sometimes" is not one of: always, never, on-failure',
      'a.yaml:21:11  wrong-type  skip: expected a text, got true  (put it in quotes)',
      'a.yaml:22:5  wrong-type  a text in `tests` must be `file://` followed by a path or glob',
      'a.yaml:23:5  wrong-type  expected a mapping, got a list',
      'a.yaml:24:9  invalid-value  id: must not be blank',
      'a.yaml:26:12  wrong-type  tags[0]: expected a text, got 1  (put it in quotes)',
    ]);
  });

  test('from an alias or a merge is reported where it is written', async () => {
    const text = `x-base: &base
  criteria: 5
x-list: &list
  - type: contains
    valu: x
tests:
  - <<: *base
    id: a
    input: x
    assert: *list
`;
    expect(await problems(text)).toEqual([
      'a.yaml:2:13  wrong-type  criteria: expected a text, got 5  (put it in quotes)',
      'a.yaml:4:5  missing-key  `value` is missing',
      'a.yaml:5:5  unknown-key  unknown key `valu`  (did you mean `value`?)',
    ]);
  });

  test('that JSON cannot represent is refused', async () => {
    const text = 'vars: {big: 1e999}\ntests:\n  - {id: a, input: x, criteria: c, metadata: {n: [.nan]}}\n';
    expect(await problems(text)).toEqual([
      'a.yaml:1:13  invalid-value  a number must be finite',
      'a.yaml:3:51  invalid-value  a number must be finite',
    ]);
  });

  test('is reported once, however many tests inherit it', async () => {
    const tests = Array.from({ length: 50 }, (_, index) => `  - {id: t${index}, input: x}\n`);
    expect(
      await problems(`assert: [{type: contains, value: "{{ vars.x }}"}]\ntests:\n${tests.join('')}`),
    ).toHaveLength(1);
  });

  test('is reported for a hundred tests; more are only counted', async () => {
    const tests = Array.from(
      { length: 250 },
      (_, index) => `  - {id: t${index}, inputs: x, input: x, criteria: c}\n`,
    );
    const found = await problems(`tests:\n${tests.join('')}`);
    expect(found).toHaveLength(101);
    expect(found.at(-1)).toBe('a.yaml  more-problems  and 150 more problems in this file');
  });
});

describe('an evaluator', () => {
  test('that is wrong is reported, also inside a composite or in a list of the suite', async () => {
    const text = `assert:
  - type: contain
    value: x
  - value: y
  - type: 5
  - type: contains
    value: x
    required: 1.5
    weight: -1
    negat: true
tests:
  - id: a
    input: x
    assert:
      - {type: contains, value: x, required: 0}
      - {type: contains, value: [x], threshold: 2}
      - type: composite
        assert:
          - {type: contains, vale: 1}
          - {type: composite, assert: [{type: nope}]}
      - {type: composite, assert: [{type: is_json}], aggregator: {type: mix}}
    rubrics:
      - polite
      - {id: x, outcom: y}
`;
    expect(await problems(text)).toEqual([
      'a.yaml:2:11  unknown-grader  unknown evaluator type "contain"  (did you mean `contains`?)',
      'a.yaml:4:5  missing-key  `type` is missing',
      'a.yaml:5:11  wrong-type  `type` must be a text',
      'a.yaml:8:15  invalid-value  required: must be at most 1',
      'a.yaml:9:13  invalid-value  weight: must be at least 0',
      'a.yaml:10:5  unknown-key  unknown key `negat`  (did you mean `negate`?)',
      'a.yaml:15:46  invalid-value  required: must be more than 0',
      'a.yaml:16:33  wrong-type  value: expected a text or a number, got a list',
      'a.yaml:16:49  invalid-value  threshold: must be at most 1',
      'a.yaml:19:13  missing-key  `value` is missing',
      'a.yaml:19:30  unknown-key  unknown key `vale`  (did you mean `value`?)',
      'a.yaml:20:47  unknown-grader  unknown evaluator type "nope"  (known: contains, regex, is_json, equals, latency, check, llm_judge, rubrics, composite)',
      'a.yaml:21:73  invalid-value  aggregator.type: "mix" is not one of: min, threshold, llm_judge  (did you mean `min`?)',
      'a.yaml:24:9  missing-key  `criteria[1].outcome` is missing',
      'a.yaml:24:17  unknown-key  unknown key `outcom` in criteria[1]  (did you mean `outcome`?)',
    ]);
  });

  test('with values in the format of other tools gets a hint how to write them', async () => {
    const text = `tests:
  - id: a
    input: x
    expected_fail: yes
    limits: {timeout_ms: 30s}
    assert:
      - {type: not-contains, value: x}
      - {type: icontains, value: x}
      - {type: not-icontains, value: x}
      - {type: llm-rubric, value: x}
`;
    expect(await problems(text)).toEqual([
      'a.yaml:4:20  wrong-type  expected_fail: expected true or false, got "yes"  (write true)',
      'a.yaml:5:26  wrong-type  limits.timeout_ms: expected a number, got "30s"  (in milliseconds: 30000)',
      'a.yaml:7:16  unknown-grader  unknown evaluator type "not-contains"  (did you mean `contains` with `negate: true`?)',
      'a.yaml:8:16  unknown-grader  unknown evaluator type "icontains"  (did you mean `contains` with `ignore_case: true`?)',
      'a.yaml:9:16  unknown-grader  unknown evaluator type "not-icontains"  (did you mean `contains` with `ignore_case: true` and `negate: true`?)',
      'a.yaml:10:16  unknown-grader  unknown evaluator type "llm-rubric"  (did you mean `rubrics` with `criteria: [TEXT]`?)',
    ]);
  });

  test('that needs a key which the test lacks is reported at the test', async () => {
    const text = `tests:
  - id: a
    input: x
  - {id: b, input: x, assert: [{type: equals}]}
  - {id: c, input: x, assert: [{type: composite, assert: [{type: equals}, {type: llm_judge}]}]}
  - {id: d, input: x, assert: [{type: llm_judge, prompt: Is it good?}, {type: equals, value: 1}]}
`;
    expect(await problems(text)).toEqual([
      'a.yaml:2:5  missing-key  `criteria` is missing: the evaluator "llm_judge" reads it',
      'a.yaml:4:5  missing-key  `expected_output` is missing: the evaluator "equals" compares with it',
      'a.yaml:5:5  missing-key  `criteria` is missing: the evaluator "composite" reads it',
      'a.yaml:5:5  missing-key  `expected_output` is missing: the evaluator "composite" compares with it',
    ]);
  });

  test('that asks a model needs a judge', async () => {
    const text = `tests:
  - {id: a, input: x, criteria: c}
  - {id: b, input: x, criteria: c, assert: [{type: composite, assert: [{type: llm_judge}]}, bare text]}
  - {id: c, input: x, assert: [{type: composite, assert: [{type: is_json}], aggregator: {type: llm_judge}}]}
  - {id: d, input: x, criteria: c, assert: [{type: llm_judge, judge: gpt4_target}, {type: llm_judge, judge: gpt_target}]}
  - {id: e, input: x, assert: [{type: is_json}]}
`;
    const asks = (type: string) =>
      `no-judge  ${type} needs a judge, but none is configured  (add \`judge\` to the config, or to this evaluator)`;
    expect(await problems(text, { hasJudge: false })).toEqual([
      'a.yaml:2:5  no-judge  a test without evaluators is judged by `criteria`, but no judge is configured  (add `assert` to the test, or `judge` to the config)',
      `a.yaml:3:72  ${asks('llm_judge')}`,
      `a.yaml:3:93  ${asks('rubrics')}`,
      `a.yaml:4:32  ${asks('composite')}`,
      'a.yaml:5:109  unknown-target  unknown target "gpt_target"  (did you mean `gpt4_target`?)',
    ]);
  });

  test('must find its files', async () => {
    const text = `tests:
  - {id: a, input: x, assert: [{type: check, file: ./gone.md}, {type: check, file: /gone.md}]}
  - {id: b, input: x, criteria: c, assert: [{type: composite, assert: [{type: llm_judge, prompt: gone.md}]}]}
  - {id: c, input: x, assert: [{type: check, file: box}]}
`;
    expect(await problems(text, {}, { 'box/x': '' })).toEqual([
      'a.yaml:2:52  missing-file  file not found: ./gone.md  (write a path relative to this file)',
      'a.yaml:2:84  missing-file  file not found: /gone.md  (a leading `/` means the project root: write a path from there, or a path relative to this file)',
      'a.yaml:3:98  missing-file  file not found: gone.md  (write a path relative to this file)',
      'a.yaml:4:52  missing-file  box is a folder',
    ]);
  });
});

describe('a reference', () => {
  test('to an id that is duplicate, unknown or circular is reported', async () => {
    const text = `tests:
  - {id: same, input: x, criteria: c}
  - {id: same, input: x, criteria: c}
  - {id: one, input: x, criteria: c, depends_on: [two]}
  - {id: two, input: x, criteria: c, depends_on: [same, three, on]}
  - {id: three, input: x, criteria: c, depends_on: [one]}
  - {id: self, input: x, criteria: c, depends_on: [self]}
  - {id: fine, input: x, criteria: c, depends_on: [three, same]}
`;
    expect(await problems(text)).toEqual([
      'a.yaml:3:10  duplicate-id  duplicate id "same": it is also used by the test at a.yaml:2',
      'a.yaml:4:50  dependency-cycle  circular `depends_on`: one -> two -> three -> one',
      'a.yaml:5:64  unknown-id  unknown test "on" in `depends_on`  (did you mean "one"?)',
      'a.yaml:7:51  dependency-cycle  circular `depends_on`: self -> self',
    ]);
  });

  test('to a missing target, template, folder or file is reported', async () => {
    const text = `execution: {target: judg}
workspace: {template: ./gone, setup: {script: [x], cwd: ./gone}}
tests:
  - {id: a, input: x, criteria: c, execution: {targets: [judge, gone]}}
  - {id: b, input: x, criteria: c, execution: {target: judge, targets: [judge]}}
  - {id: c, criteria: c, input: {role: user, content: [{type: file, value: gone.txt}]}}
  - {id: d, criteria: c, input: [{role: assistant, content: x}]}
  - {id: e, criteria: c, input: [], execution: {target: "replay:latest"}}
`;
    expect(await problems(text)).toEqual([
      'a.yaml:1:21  unknown-target  unknown target "judg"  (did you mean `judge`?)',
      'a.yaml:2:23  missing-folder  folder not found: ./gone  (write a path relative to this file)',
      'a.yaml:2:57  missing-folder  folder not found: ./gone  (write a path relative to this file)',
      'a.yaml:4:65  unknown-target  unknown target "gone"  (known: judge, gpt4_target)',
      'a.yaml:5:63  conflict  `target` and `targets` cannot be used together',
      'a.yaml:6:76  missing-file  file not found: gone.txt  (write a path relative to this file)',
      'a.yaml:7:33  invalid-value  the last message of `input` must have the role `user`',
      'a.yaml:8:33  invalid-value  `input` contains no messages',
    ]);
  });

  test('is not checked when the targets are unknown', async () => {
    const loaded = await load({ 'a.yaml': `execution: {target: any}\n${ok}` });
    expect(loaded.problems).toHaveLength(1);
    const folder = project({ 'a.yaml': `execution: {target: any}\n${ok}` });
    const { targets: _, ...context } = contextOf(folder);
    expect((await loadYamlSuites([join(folder, 'a.yaml')], context)).problems).toEqual([]);
  });
});

test('the tests of a suite with problems are still checked', async () => {
  const text = `metadata: 5
tests:
  - id: a
    input: x
    tags: nope
    assert: [{type: contain}]
    workspace: {template: gone}
`;
  expect(await problems(text)).toEqual([
    'a.yaml:1:11  wrong-type  metadata: expected a mapping, got 5',
    'a.yaml:5:11  wrong-type  tags: expected a list, got "nope"  (for a list with one entry, write ["nope"])',
    'a.yaml:6:21  unknown-grader  unknown evaluator type "contain"  (did you mean `contains`?)',
    'a.yaml:7:27  missing-folder  folder not found: gone  (write a path relative to this file)',
  ]);
});

test('all problems of all files are reported together, and nothing is loaded', async () => {
  const loaded = await load(
    { 'a.yaml': ok, 'b.yaml': 'tests: 5\n', 'c.yaml': `nme: x\n${ok}` },
    { load: ['c.yaml', 'b.yaml', 'a.yaml'] },
  );
  expect(loaded.suites).toEqual([]);
  expect(loaded.problems).toEqual([
    'c.yaml:1:1  unknown-key  unknown key `nme`  (did you mean `name`?)',
    'b.yaml:1:8  wrong-type  tests: expected a list of tests, or the path of a test file',
  ]);
});

describe('a mistake inside one key', () => {
  const tests = [
    'tests:',
    '  - {id: a, input: x, criteria: c, workspace: {keep: maybe, setup: {script: [x], cwd: ./gone}}}',
    '  - {id: b, input: x, assert: [{type: contians, value: y}]}',
  ];
  const ofTests = (line: number) => [
    `a.yaml:${line}:54  invalid-value  workspace.keep: "maybe" is not one of: always, never, on-failure`,
    `a.yaml:${line}:87  missing-folder  folder not found: ./gone  (write a path relative to this file)`,
    `a.yaml:${line + 1}:39  unknown-grader  unknown evaluator type "contians"  (did you mean \`contains\`?)`,
  ];

  test('hides no problems of other keys or tests', async () => {
    const head = [
      'workspace:',
      '  templat: ./a',
      '  template: ./none',
      '  setup: {script: [x], timeout: 1, cwd: ./gone}',
    ];
    expect(await problems([...head, ...tests].join('\n'))).toEqual([
      'a.yaml:2:3  unknown-key  unknown key `templat` in workspace  (did you mean `template`?)',
      'a.yaml:3:13  missing-folder  folder not found: ./none  (write a path relative to this file)',
      expect.stringMatching(/^a\.yaml:4:24 {2}unknown-key {2}unknown key `timeout` in workspace\.setup/),
      'a.yaml:4:41  missing-folder  folder not found: ./gone  (write a path relative to this file)',
      ...ofTests(6),
    ]);
  });

  test('removes the key when it is invalid without the wrong part', async () => {
    const head = ['workspace:', '  setup: {script: x, cwd: ./gone}'];
    expect(await problems([...head, ...tests].join('\n'))).toEqual([
      expect.stringMatching(/^a\.yaml:2:19 {2}wrong-type {2}workspace\.setup\.script: /),
      ...ofTests(4),
    ]);
  });
});

test('a missing absolute path gets a hint where paths start', async () => {
  const hint =
    '  (a leading `/` means the project root: write a path from there, or a path relative to this file)';
  const text = [
    'workspace: { template: /none }',
    'tests:',
    '  - file:///none.csv',
    '  - id: a',
    '    input: { role: user, content: [{ type: file, value: /none.txt }] }',
    '    assert: [{ type: is_json }]',
  ];
  expect(await problems(text.join('\n'))).toEqual([
    `a.yaml:1:24  missing-folder  folder not found: /none${hint}`,
    `a.yaml:3:5  no-match  no file matches file:///none.csv${hint}`,
    `a.yaml:5:57  missing-file  file not found: /none.txt${hint}`,
  ]);
  expect(await problems('tests: /none.csv')).toEqual([
    `a.yaml:1:8  missing-file  file not found: /none.csv${hint}`,
  ]);
});

test('a script of a workspace without its mapping is shown as one', async () => {
  const text = 'workspace: { setup: npm ci, teardown: [node, done.mjs] }\ntests: []\n';
  expect(await problems(text)).toEqual([
    'a.yaml:1:21  wrong-type  workspace.setup: expected the arguments under `script`: { script: [npm, ci] }',
    'a.yaml:1:39  wrong-type  workspace.teardown: expected the arguments under `script`: { script: [node, done.mjs] }',
  ]);
});

test('whole numbers that a double would round are refused, also in anchors', async () => {
  const rounded = '9007199254740993';
  const words = 'is a whole number too large to be exact; put it in quotes to keep it';
  const text = [
    `metadata: { order: ${rounded} }`,
    'tests:',
    `  - { id: a, input: { id: ${rounded}, kept: 9007199254740992, text: "${rounded}" }, criteria: c }`,
    `  - { id: b, input: x, assert: [{ type: contains, value: 12345678901234567890123 }] }`,
    `  - { id: c, input: x, criteria: "${rounded}", sidecar: { big: 1e30 } }`,
  ];
  expect(await problems(text.join('\n'))).toEqual([
    `a.yaml:1:20  invalid-value  metadata.order: ${words}`,
    `a.yaml:3:27  invalid-value  input.id: ${words}`,
    `a.yaml:4:58  invalid-value  assert[0].value: ${words}`,
  ]);
  const shared = `x-a: &a { id: ${rounded} }\ntests:\n  - { id: a, input: *a, criteria: c }\n`;
  expect(await problems(shared)).toEqual([
    `a.yaml:1:15  invalid-value  x-a.id: ${words}`,
    `a.yaml:1:15  invalid-value  input.id: ${words}`,
  ]);
  const { problems: ofLines } = await load({
    'a.jsonl': `{"id":"a","input":"x","criteria":"c"}\n{"id":"b","input":{"n":[${rounded}]},"criteria":"c"}\n`,
  });
  expect(ofLines).toEqual([`a.jsonl:2:25  invalid-value  input.n[0]: ${words}`]);
});

describe('what newcomers write', () => {
  test('as in promptfoo gets our key and its place', async () => {
    const text = `prompts: ["{{q}}"]
defaultTest: {}
tests:
  - id: a
    input: x
    expected: y
    assert: [{ type: contains, value: y }]
`;
    expect(await problems(text)).toEqual([
      'a.yaml:1:1  unknown-key  unknown key `prompts`  (write the question as `input`, and the prompt under test as `prompt` of its target; for several prompts, use `variants` in assay.config.yaml (see node_modules/assay/docs/guide/from-promptfoo.md))',
      'a.yaml:2:1  unknown-key  unknown key `defaultTest`  (write its `assert`, `vars` and `threshold` at the top of the file, for all tests)',
      'a.yaml:6:5  unknown-key  unknown key `expected`  (assay calls it `expected_output`; add `assert: [{ type: equals }]` to compare the answer with it)',
    ]);
  });

  test('as a whole config of promptfoo gets one error that says how to convert it', async () => {
    const text = 'prompts: ["{{q}}"]\nproviders: [openai:gpt-4o]\ndefaultTest: {}\ntests: file://cases.csv\n';
    expect(await problems(text, {}, { 'cases.csv': 'q,__expected\na,b\nc,d\n' })).toEqual([
      'a.yaml:1:1  unknown-format  this is a config of promptfoo, not an eval  (convert it with `assay init --from a.yaml`)',
    ]);
  });

  test('as a column of CSV gets our name', async () => {
    const found = await problems('tests: cases.csv', {}, { 'cases.csv': 'id,input,expected\na,x,y\n' });
    expect(found).toEqual([
      'cases.csv:1  unknown-key  unknown column `expected`  (assay calls it `expected_output`: rename the column)',
    ]);
  });

  test('in place of an evaluator gets the evaluator that was meant', async () => {
    const text = `tests:
  - {id: a, input: x, assert: contains hello}
  - {id: b, input: x, assert: [{contains: "30 days"}]}
  - {id: c, input: x, assert: ["starts-with: Hello"]}
  - {id: d, input: x, assert: [is polite]}
`;
    expect(await problems(text, { hasJudge: false })).toEqual([
      'a.yaml:2:31  wrong-type  assert: expected a list, got "contains hello"  (write [{ type: contains, value: hello }])',
      'a.yaml:3:32  missing-key  `type` is missing  (write { type: contains, value: "30 days" })',
      'a.yaml:4:32  no-judge  rubrics needs a judge, but none is configured  (a text is graded by a judge; to check the text of the answer, write { type: starts_with, value: Hello })',
      'a.yaml:5:32  no-judge  rubrics needs a judge, but none is configured  (add `judge` to the config, or to this evaluator)',
    ]);
  });
});

test('a misplaced key gets its right place as a hint, and a list without brackets gets its spelling', async () => {
  const text = `timeout_ms: 5
tests:
  - id: a
    input: x
    target: judge
    max_turns: 3
    assert: { type: contains, value: x }
`;
  expect(await problems(text)).toEqual([
    'a.yaml:1:1  unknown-key  unknown key `timeout_ms`  (it is allowed under `limits`)',
    'a.yaml:5:5  unknown-key  unknown key `target`  (it is allowed under `execution`)',
    'a.yaml:6:5  unknown-key  unknown key `max_turns`  (it is allowed under `limits` or `user`)',
    'a.yaml:7:13  wrong-type  assert: expected a list, got a mapping  (for a list with one entry, put `- ` before it, or brackets around it)',
  ]);
});
