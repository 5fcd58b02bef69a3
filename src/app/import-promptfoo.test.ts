import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { importPromptfoo } from './import-promptfoo.ts';
import { folderWith, imported, noted, surroundingsIn } from '../../test/support/imported-promptfoo.ts';

const CAPITALS = `prompts: [file://prompts/brief.txt, file://prompts/friendly.txt]
providers: [openai:gpt-5-mini, openai:chat:gpt-5]
defaultTest:
  assert:
    - { type: javascript, value: output.length < 400 }
    - { type: llm-rubric, value: Is polite. }
tests: file://cases.csv
`;

const FILES = {
  'prompts/brief.txt': 'Answer in one sentence: what is the capital of {{country}}?\n',
  'prompts/friendly.txt': 'You are a friendly teacher. What is the capital of {{ country }}?\n',
  'cases.csv':
    'country,__expected\nPortugal,icontains: lisbon\nNorway,contains: Oslo\nItaly,javascript(0.5): 0.6\n',
};

test('prompts become variants that are sent as messages of the user, and the table stays', async () => {
  const { config, suite, problems, text } = await imported(CAPITALS, FILES);
  expect(problems).toEqual([]);
  expect(config).toEqual({
    targets: { model: { type: 'model', model: 'openai/gpt-5-mini', promptRole: 'user' } },
    variants: {
      base: 'model',
      over: {
        prompt: {
          brief: 'Answer in one sentence: what is the capital of {{ vars.country }}?',
          friendly: 'You are a friendly teacher. What is the capital of {{ vars.country }}?',
        },
        model: ['openai/gpt-5-mini', 'openai/gpt-5'],
      },
    },
    judge: { model: 'openai/gpt-5' },
  });
  expect(suite).toEqual({
    input: '{{ vars.country }}',
    threshold: 1,
    assert: [
      { type: 'javascript', value: 'output.length < 400' },
      { type: 'rubrics', criteria: ['Is polite.'] },
    ],
    tests: './cases.csv',
  });
  expect(text).toBe(
    'wrote assay.config.yaml\nwrote promptfoo.eval.yaml\n\n' +
      '1 part of promptfooconfig.yaml was not imported, or changed:\n' +
      'promptfooconfig.yaml:1:1  no model for the checks by a model is named: openai/gpt-5 was chosen  (change `judge` in assay.config.yaml)\n',
  );
});

test('what is left out is listed with its place, in the order of the config', async () => {
  const { text, suite, config, problems } =
    await imported(`prompts: 'Translate {{text}} to {{ lang | title }}'
providers:
  - { id: openai:gpt-5, config: { temperature: 0, tools: [] } }
  - file://agent.py
tests:
  - vars: { text: hello }
    assert:
      - { type: select-best, value: shortest }
      - { type: javascript, value: context.provider === 'x' }
    provider: openai:gpt-5
sharing: true
`);
  expect(problems).toEqual([]);
  const [, ...lines] = text.split('\n\n')[1]?.trim().split('\n') ?? [];
  expect(lines.find((line) => line.includes('`select-best`'))).toMatch(
    /\(remove this check, and compare prompts with `assay compare RUN --by prompt`\)$/,
  );
  expect(lines.map((line) => line.replace(/ {2}\(.*\)$/, ''))).toEqual([
    'promptfooconfig.yaml:1:1  `{{ lang | title }}` is not imported: assay has only variables and some filters in braces',
    'promptfooconfig.yaml:3:51  `tools` is not imported',
    'promptfooconfig.yaml:4:5  the provider `file://agent.py` is not imported: the target `agent.py` is a placeholder with a fixed answer',
    'promptfooconfig.yaml:8:9  the check `select-best` is not imported',
    'promptfooconfig.yaml:9:29  this check reads `context.provider`, which assay does not have',
    'promptfooconfig.yaml:10:5  `provider` is not imported',
    'promptfooconfig.yaml:11:1  `sharing` is not imported',
  ]);
  expect([config, suite]).toEqual([
    {
      targets: {
        'gpt-5': { type: 'model', model: 'openai/gpt-5', temperature: 0 },
        'agent.py': { type: 'mock', response: 'This is a placeholder for file://agent.py.' },
      },
    },
    {
      execution: { targets: ['gpt-5', 'agent.py'] },
      input: 'Translate {{ vars.text }} to \\{{ lang | title }}',
      threshold: 1,
      tests: [
        {
          id: 'test-1',
          vars: { text: 'hello' },
          assert: [{ type: 'javascript', value: "context.provider === 'x'" }],
        },
      ],
    },
  ]);
});

test('checks keep their meaning: each must pass, with its own threshold', async () => {
  const { suite, problems } = await imported(`prompts: ['{{q}}']
providers: [anthropic:messages:claude-sonnet-4-5]
defaultTest:
  options: { provider: openai:gpt-4o, transform: output.trim() }
  assert: [{ type: latency, threshold: 3000 }, { type: cost, threshold: 0.01 }]
tests:
  - description: Greets in French
    vars: { q: [hi, hello] }
    assert:
      - { type: not-icontains-any, value: [hi, hello], weight: 2, metric: words }
      - { type: g-eval, value: 'is French, as {{q}} asks', threshold: 0.7 }
      - { type: contains-json, value: { type: object } }
      - { type: javascript, value: context.vars.q.length / 9, transform: JSON.parse(output).text }
      - { type: javascript, value: output.length / 9, threshold: 0.5, transform: JSON.parse(output).text }
      - { type: equals, value: salut, transform: JSON.parse(output).text }
      - { type: assert-set, assert: [{ type: regex, value: ^B }] }
scenarios:
  - config: [{ vars: { q: a } }, { vars: { q: b } }]
    tests: [{ assert: [{ type: equals, value: x }] }]
`);
  expect(problems).toEqual([]);
  const graded = {
    type: 'g_eval',
    criteria: 'is French, as {{ vars.q }} asks',
    threshold: 0.7,
    judge: { model: 'openai/gpt-4o' },
  };
  const withScore = (value: string, threshold = 0.000_001) => ({
    type: 'composite',
    name: 'javascript',
    aggregator: { type: 'threshold', value: 1 },
    assert: [{ threshold, clamp: true, type: 'javascript', value }],
  });
  const assert = [
    {
      type: 'contains_any',
      values: ['hi', 'hello'],
      ignore_case: true,
      negate: true,
      weight: 2,
      metric: 'words',
    },
    { type: 'composite', name: 'g_eval', aggregator: { type: 'threshold', value: 1 }, assert: [graded] },
    { type: 'is_json', fenced: true, schema: { type: 'object' } },
    withScore('((output) => (context.vars.q.length / 9))(JSON.parse(output).text)'),
    withScore('((output) => (output.length / 9))(JSON.parse(output).text)', 0.5),
    withScore('((output) => String(output) === "salut")(JSON.parse(output).text)'),
    { type: 'composite', aggregator: 'all', assert: [{ type: 'regex', value: '^B' }] },
  ];
  const description = 'Greets in French';
  expect(suite).toEqual({
    input: '{{ vars.q }}',
    threshold: 1,
    assert: [
      { type: 'latency', threshold: 3000 },
      { type: 'cost', budget: 0.01 },
    ],
    tests: [
      { id: 'greets-in-french', vars: { q: 'hi' }, description, assert },
      { id: 'greets-in-french-2', vars: { q: 'hello' }, description, assert },
      { id: 'test-3', vars: { q: 'a' }, assert: [{ type: 'equals', value: 'x' }] },
      { id: 'test-4', vars: { q: 'b' }, assert: [{ type: 'equals', value: 'x' }] },
    ],
  });
});

test('a chat is the messages of its test, and a file of tests is read', async () => {
  const { suite, problems } = await imported(
    'prompts: file://chat.json\nproviders: [{ id: exec:node agent.mjs, label: mine }]\ntests: file://more/*.yaml\n',
    {
      'chat.json': '[{"role":"system","content":"You translate."},{"role":"user","content":"{{text}}"}]',
      'more/a.yaml': '- { vars: { text: file://more/long.txt }, threshold: 0.5 }\n',
      'more/long.txt': 'a long text\n',
    },
  );
  expect(problems).toEqual([]);
  expect(suite).toEqual({
    input: [
      { role: 'system', content: 'You translate.' },
      { role: 'user', content: '{{ vars.text }}' },
    ],
    threshold: 1,
    tests: [
      {
        id: 'test-1',
        vars: { text: 'a long text' },
        threshold: 0.5,
        assert: [{ type: 'javascript', value: 'true' }],
      },
    ],
  });
});

test.each([
  ['missing.yaml', undefined, 'missing-file'],
  ['config.js', 'module.exports = {}', 'unknown-format'],
  ['config.yaml', 'a: [', 'yaml-syntax'],
  ['config.yaml', '- a', 'unknown-format'],
])('%s with %j is refused, and nothing is written', async (file, content, code) => {
  const folder = folderWith(content === undefined ? {} : { [file]: content });
  const importing = importPromptfoo({ file, folder: undefined, mode: 'keep' }, surroundingsIn(folder));
  await expect(importing).rejects.toMatchObject({ problems: [{ code }] });
});

test('filters of prompts stay, and a variable with a default may be absent', async () => {
  const { suite, problems, text } = await imported(`prompts: |
  {{ name | trim | upper | safe }} in {{city|default('Rome')}}: {{ tags | dump }} {{ other }}
providers: [openai:gpt-5]
tests: [{ vars: { name: Ada, tags: { a: 1 } } }]
`);
  expect([problems, noted(text)]).toEqual([[], []]);
  expect(suite).toMatchObject({
    input:
      "{{ vars.name | trim | upper }} in {{ vars.city |default('Rome') }}: {{ vars.tags | json }} {{ vars.other }}\n",
    vars: { other: '' },
  });
});

test('files that exist are kept', async () => {
  const folder = folderWith({
    'promptfooconfig.yaml': CAPITALS,
    ...FILES,
    'assay.config.yaml': 'targets: {}\n',
  });
  const request = { file: 'promptfooconfig.yaml', folder: undefined, mode: 'keep' } as const;
  await expect(importPromptfoo(request, surroundingsIn(folder))).rejects.toMatchObject({
    code: 'files-there',
  });
  expect(readFileSync(join(folder, 'assay.config.yaml'), 'utf8')).toBe('targets: {}\n');
});

test('variables in `prefix` and `suffix` are renamed', async () => {
  const { suite, problems } = await imported(`prompts: ['{{q}}']
providers: [openai:gpt-5]
defaultTest: { options: { prefix: 'Hello {{name}}, ' } }
tests: [{ vars: { q: hi, name: Ada }, options: { suffix: ' by {{ name }}' } }]
`);
  expect(problems).toEqual([]);
  expect(suite).toMatchObject({
    vars: { __prefix: 'Hello {{ vars.name }}, ' },
    tests: [{ vars: { q: 'hi', name: 'Ada', __suffix: ' by {{ vars.name }}' } }],
  });
});
