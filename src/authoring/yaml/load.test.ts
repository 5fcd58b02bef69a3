import { describe, expect, test } from 'vitest';

import { load } from './project.fixture.ts';
import { fillEntry } from './vars.ts';

const llmJudge = { name: 'llm_judge', type: 'llm_judge', weight: 1, config: {} };

/** A suite of one test with these further lines. */
function suite(...lines: readonly string[]): { 'a.eval.yaml': string } {
  return {
    'a.eval.yaml': ['tests:', '  - id: a', '    input: Hi', ...lines.map((line) => `    ${line}`)].join('\n'),
  };
}

describe('a suite', () => {
  test('is named by its file, identified by its path, and described', async () => {
    const { suites, folder } = await load(
      {
        'evals/deep/a.eval.yaml': 'description: All of it\ntests:\n  - {id: a, input: x, criteria: y}\n',
        'evals/b.yml':
          'name: Own\nversion: 2\n$schema: ./x.json\ntests:\n  - {id: a, input: x, criteria: y}\n',
      },
      { load: ['evals/deep/a.eval.yaml', 'evals/b.yml'] },
    );
    const cases = expect.objectContaining({ length: 1 }) as unknown;
    expect(suites).toEqual([
      {
        id: 'evals/deep/a.eval.yaml',
        name: 'a',
        description: 'All of it',
        file: `${folder}/evals/deep/a.eval.yaml`,
        cases,
      },
      { id: 'evals/b.yml', name: 'Own', file: `${folder}/evals/b.yml`, cases },
    ]);
  });

  test('passes its keys on to tests, which override them', async () => {
    const { cases, problems, folder } = await load({
      'a.eval.yaml': `
tags: [one, two, one]
metadata: {riskLevel: high, owner: me}
limits: {timeout_ms: 1000, max_turns: 3}
vars: {city: Rome, name: Ada}
repeat: 3
threshold: 0.5
input:
  - {role: system, content: "You are in {{ vars.city }}."}
workspace: {template: ./box, keep: always, setup: {script: [./setup.sh, x], env: {A: b}}}
execution: {target: judge}
assert:
  - {type: contains, value: x}
tests:
  - id: plain
    input: Hi {{ vars.name }}
  - id: own
    input: Hi
    tags: [two, three]
    metadata: {owner: you}
    limits: {timeout_ms: null, max_cost_usd: 1.5, max_steps: 2, max_tokens: 3}
    vars: {city: Paris}
    repeat: 1
    threshold: 0
    workspace: {keep: never, teardown: {script: [echo], timeout_ms: 5, cwd: box}, restore: ["tests/**"]}
    execution: {targets: [judge, gpt4_target]}
    expected_fail: true
    skip: not now
    name: Label
    description: About
`,
      'box/x': '',
    });
    expect(problems).toEqual([]);
    const inherited = [{ name: 'contains-x', type: 'contains', weight: 1, config: { value: 'x' } }];
    const system = (city: string) => ({ role: 'system', parts: [{ text: `You are in ${city}.` }] });
    const setup = { script: [`${folder}/setup.sh`, 'x'], cwd: folder, env: { A: 'b' } };
    expect(cases).toEqual([
      {
        id: 'plain',
        source: { file: 'a.eval.yaml', line: 15 },
        directory: folder,
        tags: ['one', 'two'],
        input: [system('Rome'), { role: 'user', parts: [{ text: 'Hi Ada' }] }],
        metadata: { riskLevel: 'high', owner: 'me' },
        vars: { city: 'Rome', name: 'Ada' },
        workspace: { template: `${folder}/box`, keep: 'always', setup },
        limits: { timeoutMs: 1000, maxTurns: 3 },
        threshold: 0.5,
        repeat: 3,
        targets: ['judge'],
        expectations: inherited,
      },
      {
        id: 'own',
        name: 'Label',
        description: 'About',
        source: { file: 'a.eval.yaml', line: 17 },
        directory: folder,
        tags: ['one', 'two', 'three'],
        input: [system('Paris'), { role: 'user', parts: [{ text: 'Hi' }] }],
        metadata: { riskLevel: 'high', owner: 'you' },
        vars: { city: 'Paris', name: 'Ada' },
        workspace: {
          template: `${folder}/box`,
          keep: 'never',
          setup,
          teardown: { script: ['echo'], timeoutMs: 5, cwd: `${folder}/box` },
          restore: ['tests/**'],
        },
        limits: { timeoutMs: null, maxTurns: 3, maxCostUsd: 1.5, maxSteps: 2, maxTokens: 3 },
        threshold: 0,
        repeat: 1,
        expectedFail: true,
        skip: { kind: 'skip', reason: 'not now' },
        targets: ['judge', 'gpt4_target'],
        expectations: inherited,
      },
    ]);
  });

  test('leaves keys that start with x- to their author, at every level', async () => {
    const { problems, cases } = await load({
      'a.yaml': `x-base: &base
  criteria: Polite
  assert: [{type: contains, value: x, x-note: 1}]
tests:
  - <<: *base
    id: a
    input: {role: user, content: hi, x-y: 1}
    x-own: {deep: 1}
`,
    });
    expect(problems).toEqual([]);
    expect(cases.map(({ criteria, expectations, input }) => ({ criteria, expectations, input }))).toEqual([
      {
        criteria: 'Polite',
        expectations: [{ name: 'contains-x', type: 'contains', weight: 1, config: { value: 'x' } }],
        input: [{ role: 'user', parts: [{ text: 'hi' }] }],
      },
    ]);
  });

  test('may have ids that are invalid as file names, a byte order mark and Windows line ends', async () => {
    const text = '\ufefftests:\r\n  - id: ../../x\r\n    input: "a b"\r\n    criteria: c\r\n';
    const { cases, problems } = await load({ 'a.yaml': text });
    expect(problems).toEqual([]);
    expect(cases.map(({ id, criteria, source }) => [id, criteria, source?.line])).toEqual([
      ['../../x', 'c', 2],
    ]);
  });
});

describe('messages', () => {
  test('may be a text, a message, a list of messages, or a mapping that is JSON', async () => {
    const { cases, problems, folder } = await load({
      'a.yaml': `tests:
  - {id: message, criteria: c, input: {role: user, content: hi}}
  - {id: json, criteria: c, input: {order: 1, __proto__: {a: 2}}, expected_output: {ok: true}}
  - id: list
    criteria: c
    input:
      - {role: user, content: {order: 1}}
      - {role: assistant, tool_calls: [{tool: find, input: {q: 1}, id: c1}]}
      - {role: tool, content: found, name: find}
      - role: user
        content:
          - {type: text, value: look}
          - {type: file, value: ./a.txt}
          - {type: image, value: /img/b.png}
`,
      'a.txt': '',
      'img/b.png': '',
    });
    expect(problems).toEqual([]);
    expect(cases.map(({ input }) => input)).toEqual([
      [{ role: 'user', parts: [{ text: 'hi' }] }],
      [{ role: 'user', parts: [{ json: JSON.parse('{"order": 1, "__proto__": {"a": 2}}') as unknown }] }],
      [
        { role: 'user', parts: [{ json: { order: 1 } }] },
        { role: 'assistant', parts: [], toolCalls: [{ tool: 'find', input: { q: 1 }, id: 'c1' }] },
        { role: 'tool', parts: [{ text: 'found' }], name: 'find' },
        {
          role: 'user',
          parts: [{ text: 'look' }, { file: `${folder}/a.txt` }, { image: `${folder}/img/b.png` }],
        },
      ],
    ]);
    expect(cases[1]?.expectedOutput).toEqual([{ role: 'assistant', parts: [{ json: { ok: true } }] }]);
  });
});

describe('evaluators', () => {
  async function names(...lines: readonly string[]) {
    const { cases, problems } = await load(suite(...lines));
    expect(problems).toEqual([]);
    return cases[0]?.expectations.map(({ name }) => name);
  }

  test('are rubrics, then the own list, then that of the suite', async () => {
    const { cases, problems } = await load({
      'a.yaml': `assert: [{type: contains, value: suite}]
tests:
  - id: a
    input: x
    rubrics: [polite, {id: short, outcome: is short}]
    assert: [{type: contains, value: own}]
  - id: b
    input: x
    execution: {skip_defaults: true, evaluators: [{type: is_json}]}
`,
    });
    expect(problems).toEqual([]);
    expect(cases.map(({ expectations }) => expectations.map(({ name }) => name))).toEqual([
      ['rubrics', 'contains-own', 'contains-suite'],
      ['is_json'],
    ]);
    expect(cases[0]?.expectations[0]?.config).toEqual({
      criteria: ['polite', { id: 'short', outcome: 'is short', weight: 1 }],
    });
  });

  test('in assert override those in execution, and a note says so', async () => {
    const { cases, problems } = await load({
      'a.yaml': `assert: [{type: contains, value: x}]
execution: {evaluators: [{type: contains, value: y}]}
tests:
  - {id: a, input: x}
  - {id: b, input: x, assert: [], execution: {evaluators: [{type: is_json}]}}
`,
    });
    expect(problems).toEqual([]);
    const suiteNote = 'the suite has both `assert` and `execution.evaluators`; only `assert` is used';
    expect(cases.map(({ expectations, notes }) => [expectations.map(({ name }) => name), notes])).toEqual([
      [['contains-x'], [suiteNote]],
      [
        ['contains-x'],
        ['the test has both `assert` and `execution.evaluators`; only `assert` is used', suiteNote],
      ],
    ]);
  });

  test('default to one judge of the criteria when the test has none', async () => {
    const { cases } = await load(suite('criteria: Is polite'));
    expect(cases[0]?.expectations).toEqual([llmJudge]);
    expect((await load(suite('criteria: c', 'assert: []'))).cases[0]?.expectations).toEqual([llmJudge]);
  });

  test('get different names', async () => {
    expect(
      await names(
        'assert:',
        '  - {type: contains, value: x}',
        '  - {type: contains, value: x}',
        '  - {type: is_json, name: contains-x-2}',
        '  - {type: contains, value: x}',
        `  - {type: contains, value: ${'y'.repeat(40)}}`,
        '  - {type: equals, value: 1}',
        '  - {type: contains, value: 42}',
      ),
    ).toEqual([
      'contains-x',
      'contains-x-2',
      'contains-x-2-2',
      'contains-x-3',
      `contains-${'y'.repeat(30)}`,
      'equals',
      'contains-42',
    ]);
  });

  test('that are texts become the items of one rubric per group of neighbours', async () => {
    const { cases } = await load(suite('assert: [polite, short, {type: is_json}, kind]'));
    expect(cases[0]?.expectations.map(({ name, config }) => [name, config])).toEqual([
      ['rubrics', { criteria: ['polite', 'short'] }],
      ['is_json', {}],
      ['rubrics-2', { criteria: ['kind'] }],
    ]);
  });

  test('have weight, gate, negation and threshold besides their own keys', async () => {
    const { cases, problems } = await load(
      suite(
        'assert:',
        '  - {type: contains, value: 1, name: n, weight: 0, required: true, negate: true, threshold: 0.5}',
        '  - {type: contains, value: 1, required: false, weight: 2.5}',
        '  - {type: contains, value: 1, required: 1}',
        '  - {type: latency, threshold: 5000}',
      ),
    );
    expect(problems).toEqual([]);
    expect(cases[0]?.expectations).toEqual([
      {
        name: 'n',
        type: 'contains',
        weight: 0,
        required: 0.8,
        negate: true,
        threshold: 0.5,
        config: { value: '1' },
      },
      { name: 'contains-1', type: 'contains', weight: 2.5, config: { value: '1' } },
      { name: 'contains-1-2', type: 'contains', weight: 1, required: 1, config: { value: '1' } },
      { name: 'latency', type: 'latency', weight: 1, config: { threshold: 5000 } },
    ]);
  });

  test('of a composite are checked and named like any other, and are in its config', async () => {
    const { cases, problems } = await load(
      suite(
        'assert:',
        '  - type: composite',
        '    assert:',
        '      - {type: contains, value: 1, required: true}',
        '      - {type: contains, value: 1}',
        '      - {type: composite, assert: [{type: is_json, weight: 2}]}',
      ),
    );
    expect(problems).toEqual([]);
    const inner = { name: 'is_json', type: 'is_json', weight: 2, config: {} };
    const aggregator = { type: 'min' };
    expect(cases[0]?.expectations).toEqual([
      {
        name: 'composite',
        type: 'composite',
        weight: 1,
        config: {
          aggregator,
          assert: [
            { name: 'contains-1', type: 'contains', weight: 1, required: 0.8, config: { value: '1' } },
            { name: 'contains-1-2', type: 'contains', weight: 1, config: { value: '1' } },
            { name: 'composite', type: 'composite', weight: 1, config: { aggregator, assert: [inner] } },
          ],
        },
      },
    ]);
  });

  test('name files from their own file, or from the project root', async () => {
    const { cases, problems } = await load({
      'evals/a.yaml': `assert:
  - {type: check, file: ./near.md}
tests:
  - {id: a, input: x, assert: [{type: check, file: /shared/far.md, options: {again: /shared/far.md}}]}
  - file://more/*.yaml
`,
      'evals/near.md': '',
      'shared/far.md': '',
      'evals/more/b.yaml': '- {id: b, input: x, assert: [{type: check, file: own.md}]}\n',
      'evals/more/own.md': '',
    });
    expect(problems).toEqual([]);
    expect(
      cases.map(({ id, expectations }) => [
        id,
        ...expectations.map(({ config, directory }) => [config, directory]),
      ]),
    ).toEqual([
      [
        'a',
        [{ file: '../shared/far.md', options: { again: '../shared/far.md' } }, undefined],
        [{ file: './near.md' }, undefined],
      ],
      ['b', [{ file: 'own.md' }, undefined], [{ file: './near.md' }, expect.stringMatching(/\/evals$/)]],
    ]);
  });
});

test('tool calls of a reference may have their answers and durations, and those of a history may not', async () => {
  const call = { tool: 'look', input: {}, output: [1], duration_ms: 5 };
  const written = {
    assert: [{ type: 'latency', threshold: 1 }],
    tests: [{ id: 'a', input: 'x', oracle: [{ role: 'assistant', tool_calls: [call] }] }],
  };
  const { cases, problems } = await load({ 'a.yaml': JSON.stringify(written) });
  expect(problems).toEqual([]);
  expect(cases[0]?.oracle).toEqual([
    { role: 'assistant', parts: [], toolCalls: [{ tool: 'look', input: {}, output: [1], durationMs: 5 }] },
  ]);
  const input = [
    { role: 'assistant', tool_calls: [call] },
    { role: 'user', content: 'x' },
  ];
  const told = await load({ 'a.yaml': JSON.stringify({ ...written, tests: [{ id: 'a', input }] }) });
  expect(told.all.map(({ code, path }) => [code, path?.join('.')])).toEqual([
    ['unknown-key', 'tests.0.input.0.tool_calls.0.output'],
    ['unknown-key', 'tests.0.input.0.tool_calls.0.duration_ms'],
  ]);
});

test('an unknown key of a suite hides only problems that may depend on it', async () => {
  const { all } = await load({
    'a.yaml': `owner: me
tests:
  - {id: a, input: x}
  - {id: b, input: "{{ vars.x }}", assert: [{type: contanis, value: x}]}
  - {id: c, input: gone.md}
`,
  });
  expect(all.map(({ line, code, path }) => [line, code, path?.join('.')])).toEqual([
    [1, 'unknown-key', 'owner'],
    [4, 'unknown-grader', 'tests.1.assert.0.type'],
    [5, 'missing-file', 'tests.2.input'],
  ]);
});

describe('messages to an agent', () => {
  test('may be in a file, whose variables are replaced once; values and answers are never file names', async () => {
    const { cases, problems } = await load({
      'a.yaml': `input: [{role: system, content: "file://texts/{{ vars.who }}.md"}]
vars: {who: ada}
assert: [{type: latency, threshold: 1}]
tests:
  - {id: a, input: ask.md, expected_output: notes.txt, vars: {text: "{{ vars.who }}"}}
  - {id: b, input: "{{ vars.text }}", vars: {text: ./ask.md}}
  - {id: c, input: Read notes.txt}
  - {id: d, input: /compact}
  - {id: e, turns: [{input: ./ask.md}], vars: {text: x}, input: [{role: user, content: [{type: text, value: ask.md}]}, {role: assistant, content: ask.md}]}
`,
      'ask.md': 'What of {{ vars.text }}?\n',
      'texts/ada.md': 'You are {{ vars.who }}.\n',
    });
    expect(problems).toEqual([]);
    const system = { role: 'system', parts: [{ text: 'You are ada.' }] };
    const user = (text: string) => ({ role: 'user', parts: [{ text }] });
    expect(cases.map(({ input }) => input)).toEqual([
      [system, user('What of {{ vars.who }}?')],
      [system, user('./ask.md')],
      [system, user('Read notes.txt')],
      [system, user('/compact')],
      [system, user('ask.md'), { role: 'assistant', parts: [{ text: 'ask.md' }] }],
    ]);
    expect(cases[0]?.expectedOutput).toEqual([{ role: 'assistant', parts: [{ text: 'notes.txt' }] }]);
    expect(cases[4]?.user).toEqual({ type: 'scripted', messages: [{ parts: [{ text: 'What of x?' }] }] });
  });

  test('are refused when the file is missing or refers to an unknown variable', async () => {
    const { problems } = await load({
      'a.yaml': `assert: [{type: latency, threshold: 1}]
tests:
  - {id: a, input: gone.md}
  - {id: b, input: [{role: user, content: ./ask.md}]}
`,
      'ask.md': 'What of {{ vars.text }}?',
    });
    expect(problems).toEqual([
      'a.yaml:3:20  missing-file  file not found: gone.md  (to send this text itself, write `content: [{ type: text, value: ... }]`)',
      'a.yaml:4:43  unknown-var  ./ask.md: unknown variable `vars.text`  (add it to `vars` of the test or the suite)',
    ]);
  });
});

describe('vars', () => {
  test('never become code of a script', () => {
    const told = (entry: object) => {
      const found: string[] = [];
      fillEntry(entry, { x: 1 }, ({ path, message }) => found.push(`${path.join('.')} ${message}`));
      return found;
    };
    expect(told({ script: 'check {{ vars.x }}' })).toEqual([
      'script a value of `vars` is inserted into a shell command, so it could be run as a command',
    ]);
    expect(told({ assert: [{ aggregator: { script: ['sh', '-c', 'check {{ vars.x }}'] } }] })).toEqual([
      'assert.0.aggregator.script.2 a value of `vars` is inserted into an argument that `sh` runs as code, so it could be run as a command',
    ]);
    expect(
      told({ script: ['sh', '-c', 'check "$1"', 'sh', '{{ vars.x }}'], config: { x: '{{ vars.x }}' } }),
    ).toEqual([]);
  });

  test('a value is never read as a template, and a variable can name a prompt file', async () => {
    const { cases, problems } = await load({
      'a.yaml': `tests:
  - id: a
    input: "{{ vars.text }}"
    criteria: c
    vars: {text: "{{ criteria }} {{ user.name }} {{ vars.text }}", lang: de}
    assert:
      - {type: llm_judge, prompt: "Judge {{ vars.text }}"}
      - {type: llm_judge, prompt: "./{{ vars.lang }}.md"}
      - {type: composite, assert: [{type: latency, threshold: 1}], aggregator: {type: llm_judge, prompt: "{{ vars.text }}"}}
      - {type: equals, value: {prompt: "{{ vars.lang }}"}}
`,
      'de.md': 'Gut?',
    });
    expect(problems).toEqual([]);
    expect(cases[0]?.input).toEqual([
      { role: 'user', parts: [{ text: '{{ criteria }} {{ user.name }} {{ vars.text }}' }] },
    ]);
    expect(cases[0]?.expectations.map(({ config }) => config['aggregator'] ?? config)).toEqual([
      { prompt: 'Judge {{ vars.text }}' },
      { prompt: './de.md' },
      { type: 'llm_judge', prompt: '{{ vars.text }}' },
      { value: { prompt: 'de' } },
    ]);
  });

  test('every test must have the vars that the prompt file of its judge uses', async () => {
    const { problems } = await load({
      'a.yaml': `assert: [{type: llm_judge, prompt: ./judge.md}]
tests:
  - {id: has, criteria: c, input: x, vars: {customer: {name: Ada}}}
  - {id: has-not, criteria: c, input: x, vars: {customer: Ada}}
  - {id: skips, criteria: c, input: x, execution: {skip_defaults: true}, assert: [{type: contains, value: x}]}
  - id: member
    criteria: c
    input: x
    vars: {customer: {name: Ada}}
    assert: [{type: composite, assert: [{type: llm_judge, prompt: ./other.md}]}]
`,
      'judge.md': 'Is it fair to {{ vars.customer.name }}?',
      'other.md': '{{ vars.other }}',
    });
    const hint = '(add it to `vars` of the test or the suite)';
    expect(problems).toEqual([
      `a.yaml:4:5  unknown-var  unknown variable \`vars.customer.name\` in a prompt file of the evaluator "llm_judge"  ${hint}`,
      `a.yaml:6:5  unknown-var  unknown variable \`vars.other\` in a prompt file of the evaluator "composite"  ${hint}`,
    ]);
  });

  test('fill texts of input, expected output, criteria and evaluators; prompts are filled when they are rendered, and escaped names are text', async () => {
    const { cases, problems } = await load({
      'a.yaml': `vars: {who: Ada, n: 7}
assert: [{type: contains, value: "{{vars.who}}"}]
tests:
  - id: a
    input: [{role: user, content: "{{ vars.who }} and \\\\{{ other }} {{ vars.deep.list.1 }}"}]
    expected_output: {name: "{{ vars.who }}", n: "{{ vars.n }}"}
    criteria: Names {{ vars.who }}
    vars: {who: Bob, deep: {list: [1, two]}, self: "{{ vars.who }}"}
    assert:
      - {type: llm_judge, prompt: "{{ answer }} {{ vars.who }} {{ vars.self }}"}
      - {type: composite, assert: [{type: contains, value: "{{ vars.self }}"}]}
  - {id: b, input: "\\\\{{ vars.mine }} {{ 1 }} \\\\{{2}", vars: {x: 1}}
`,
    });
    expect(problems).toEqual([]);
    const [first, second] = cases;
    expect(first?.input).toEqual([{ role: 'user', parts: [{ text: 'Bob and {{ other }} two' }] }]);
    expect(first?.expectedOutput).toEqual([
      { role: 'assistant', parts: [{ json: { name: 'Bob', n: '7' } }] },
    ]);
    expect(first?.criteria).toBe('Names Bob');
    expect(first?.expectations.map(({ config }) => config)).toEqual([
      { prompt: '{{ answer }} {{ vars.who }} {{ vars.self }}' },
      {
        aggregator: { type: 'min' },
        assert: [
          {
            name: 'contains-{{ vars.who }}',
            type: 'contains',
            weight: 1,
            config: { value: '{{ vars.who }}' },
          },
        ],
      },
      { value: 'Bob' },
    ]);
    expect(second?.input).toEqual([{ role: 'user', parts: [{ text: '{{ vars.mine }} {{ 1 }} \\{{2}' }] }]);
    expect(second?.expectations.map(({ name }) => name)).toEqual(['contains-Ada']);
  });

  test('are kept apart from other names, which are reported at their place', async () => {
    const { problems } = await load({
      'a.yaml': `vars: {thing: x}
input: [{role: system, content: "{{ thing }}"}]
assert:
  - {type: contains, value: "{{ thing }}"}
tests:
  - id: a
    input: "{{ thign }} {{vars.thing}}"
    criteria: "{{ case.id }}"
    expected_output: "{{ things }}"
`,
    });
    const escape = (name: string) => `to write braces as text, use \`\\{{ ${name} }}\``;
    const known = 'did you mean `{{ vars.thing }}`?';
    expect(problems).toEqual([
      `a.yaml:2:33  unknown-name  unknown placeholder \`{{ thing }}\`  (${known} ${escape('thing')})`,
      `a.yaml:4:29  unknown-name  unknown placeholder \`{{ thing }}\`  (${known} ${escape('thing')})`,
      `a.yaml:7:12  unknown-name  unknown placeholder \`{{ thign }}\`  (${known} ${escape('thign')})`,
      `a.yaml:8:15  unknown-name  unknown placeholder \`{{ case.id }}\`  (variables start with \`vars.\`; ${escape('case.id')})`,
      `a.yaml:9:22  unknown-name  unknown placeholder \`{{ things }}\`  (${known} ${escape('things')})`,
    ]);
  });

  test('may have filters, and an unknown one is refused with its place', async () => {
    const { cases, problems } = await load({
      'a.yaml': `vars: {who: ' x '}
assert: [{type: contains, value: "{{ vars.who | trim }}"}]
tests:
  - { id: a, input: "{{ vars.who | trim | upper }}{{ vars.city | default('Rome') }}" }
`,
    });
    expect(problems).toEqual([]);
    expect(cases.map(({ input, expectations }) => [input, expectations[0]?.config])).toEqual([
      [[{ role: 'user', parts: [{ text: 'XRome' }] }], { value: 'x' }],
    ]);
    const faulty = 'tests: [{ id: a, input: "{{ vars.who | shout }}", criteria: c, vars: { who: x } }]\n';
    expect((await load({ 'a.yaml': faulty })).problems).toEqual([
      "a.yaml:1:25  unknown-name  invalid filter `shout` after `{{ vars.who`  (filters are upper, lower, capitalize, trim, length, first, last, json, join(', '), replace('a', 'b'), default('x'))",
    ]);
  });

  test('whose filter makes a text too long are refused', async () => {
    const filters = " | replace('x', 'xxxxxxxxxx')".repeat(7);
    const long = `tests: [{ id: a, input: "{{ vars.who${filters} }}", criteria: c, vars: { who: x } }]\n`;
    expect((await load({ 'a.yaml': long })).problems).toEqual([
      'a.yaml:1:25  template-too-long  the filter `replace` gives more than 1,000,000 characters  (shorten the value or the arguments of the filter)',
    ]);
  });

  test('with something other than a name between the braces are refused, not kept as text', async () => {
    const { problems } = await load({
      'a.yaml': `vars: {who: x}
tests:
  - id: a
    input: "{{ vars.who + 1 }} {{1}} {{ style }"
    criteria: "{{vars['who']}}"
    assert: [{type: contains, value: "{{ vars.who }"}, {type: llm_judge, prompt: "{{ variable.x | y }}"}]
`,
    });
    const told = (name: string) =>
      `unknown-name  \`{{ ${name}\` is not followed by \` }}\`  (only a name and filters are allowed between the braces; to write braces as text, use \`\\{{ ${name}\`)`;
    expect(problems).toEqual([
      `a.yaml:4:12  ${told('vars.who')}`,
      `a.yaml:5:15  ${told('vars')}`,
      `a.yaml:6:38  ${told('vars.who')}`,
    ]);
    const { problems: none, cases } = await load({
      'a.yaml':
        'tests: [{id: a, input: "\\\\{{ vars.who | upper }} \\\\{{vars[0]}} {{ varsity | x }}", criteria: c}]\n',
    });
    expect(none).toEqual([]);
    expect(cases[0]?.input).toEqual([
      { role: 'user', parts: [{ text: '{{ vars.who | upper }} {{vars[0]}} {{ varsity | x }}' }] },
    ]);
  });

  test('that are missing are reported where they are used', async () => {
    const { problems } = await load({
      'a.yaml': `assert:
  - type: contains
    value: "{{ vars.gone }}"
tests:
  - id: a
    input: "{{ vars.nme }}"
    vars: {name: x}
    criteria: c
    assert: [{type: contains, value: "{{ vars.name.first }}"}]
  - id: b
    input: x
`,
    });
    expect(problems).toEqual([
      'a.yaml:3:12  unknown-var  unknown variable `vars.gone`  (add it to `vars` of the test or the suite)',
      'a.yaml:6:12  unknown-var  unknown variable `vars.nme`  (did you mean `vars.name`?)',
      'a.yaml:9:38  unknown-var  unknown variable `vars.name.first`  (add it to `vars` of the test or the suite)',
    ]);
  });
});
