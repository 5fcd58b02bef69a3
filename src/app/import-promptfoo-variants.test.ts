import { expect, test } from 'vitest';

import { imported, noted } from '../../test/support/imported-promptfoo.ts';

const CHAT = (system: string, question = '{{q}}') =>
  JSON.stringify([
    { role: 'system', content: system },
    { role: 'user', content: question },
  ]);

test('chats with the same question are variants of their system prompt', async () => {
  const { config, suite, text, problems } = await imported(
    `prompts: [file://brief.json, file://long.json]
providers: [openai:gpt-5, openai:gpt-5-mini]
tests: [{ vars: { q: hi } }]
`,
    { 'brief.json': CHAT('Be brief.'), 'long.json': CHAT('Explain.') },
  );
  expect([problems, noted(text)]).toEqual([[], []]);
  expect(config).toEqual({
    targets: { model: { type: 'model', model: 'openai/gpt-5' } },
    variants: {
      base: 'model',
      over: {
        prompt: { brief: 'Be brief.', long: 'Explain.' },
        model: ['openai/gpt-5', 'openai/gpt-5-mini'],
      },
    },
  });
  expect(suite).toMatchObject({ input: '{{ vars.q }}' });
});

test('a chat beside texts is a row of variants, and a chat with another question is listed', async () => {
  const { config, suite, text, problems } = await imported(
    `prompts: [file://chat.json, file://other.json, file://one.json, { label: plain, raw: 'Answer {{q}}' }]
providers: [openai:gpt-5]
tests: [{ vars: { q: hi } }]
`,
    {
      'chat.json': CHAT('Be brief.'),
      'other.json': CHAT('Be brief.', 'Say: {{q}}'),
      'one.json': JSON.stringify([{ role: 'user', content: 'Please: {{q}}' }]),
    },
  );
  expect([problems, noted(text)]).toEqual([
    [],
    [
      'promptfooconfig.yaml:1:1  the prompt `other` is not imported: its chat differs from the others in more than the system prompt',
    ],
  ]);
  expect(config).toEqual({
    targets: { 'gpt-5': { type: 'model', model: 'openai/gpt-5' } },
    variants: {
      base: 'gpt-5',
      over: {
        prompt: { chat: 'Be brief.', one: 'Please: {{ vars.q }}', plain: 'Answer {{ vars.q }}' },
        promptRole: { user: 'user', system: 'system' },
      },
      include: [
        { prompt: 'chat', promptRole: 'system' },
        { prompt: 'one', promptRole: 'user' },
        { prompt: 'plain', promptRole: 'user' },
      ],
    },
  });
  expect(suite).toMatchObject({ input: '{{ vars.q }}' });
});

test('several prompts of one program are variants that it gets as its messages', async () => {
  const { config, suite, text, problems } = await imported(
    `providers: [{ id: exec:node agent.mjs, label: mine }]
prompts: [{ label: short, raw: 'Brief {{q}}' }, { label: long, raw: 'Long {{q}}' }]
tests: [{ vars: { q: hi } }]
`,
  );
  expect(problems).toEqual([]);
  expect(config).toEqual({
    targets: { mine: { type: 'cli', command: 'node agent.mjs {PROMPT}', promptRole: 'user' } },
    variants: {
      base: 'mine',
      over: { prompt: { short: 'Brief {{ vars.q }}', long: 'Long {{ vars.q }}' } },
    },
  });
  expect(suite).toMatchObject({ input: '{{ vars.q }}' });
  expect(noted(text)).toEqual([]);
});

test('models with different settings are rows of variants, so that prompts stay comparable', async () => {
  const { config, text, problems } = await imported(
    `prompts: [{ label: short, raw: 'Brief {{q}}' }, { label: long, raw: 'Long {{q | safe}}' }]
providers:
  - { id: openai:gpt-5, config: { temperature: 0 } }
  - { id: openai:gpt-5-mini, config: { temperature: 1 } }
tests: [{ vars: { q: hi } }]
`,
  );
  expect([problems, noted(text)]).toEqual([[], []]);
  expect(config).toEqual({
    targets: { model: { type: 'model', model: 'openai/gpt-5', temperature: 0, promptRole: 'user' } },
    variants: {
      base: 'model',
      over: {
        prompt: { short: 'Brief {{ vars.q }}', long: 'Long {{ vars.q }}' },
        model: ['openai/gpt-5', 'openai/gpt-5-mini'],
        temperature: { '0': 0, '1': 1 },
      },
      include: [
        { model: 'gpt-5', temperature: '0' },
        { model: 'gpt-5-mini', temperature: '1' },
      ],
    },
  });
});

test('models are variants beside other providers', async () => {
  const { config, suite, problems } = await imported(
    `prompts: [{ label: short, raw: 'Brief {{q}}' }, { label: long, raw: 'Long {{q}}' }]
providers: [openai:gpt-5, openai:gpt-5-mini, { id: 'https://shop.example/ask', label: shop }]
tests: [{ vars: { q: hi } }]
`,
  );
  expect(problems).toEqual([]);
  const prompts = { short: 'Brief {{ vars.q }}', long: 'Long {{ vars.q }}' };
  const shop = { type: 'module', module: './shop.agent.mjs', promptRole: 'user' };
  expect(config).toEqual({
    targets: {
      model: { type: 'model', model: 'openai/gpt-5', promptRole: 'user' },
      'shop-short': { ...shop, prompt: prompts.short },
      'shop-long': { ...shop, prompt: prompts.long },
    },
    variants: {
      base: 'model',
      over: { prompt: prompts, model: ['openai/gpt-5', 'openai/gpt-5-mini'] },
    },
  });
  expect(suite).toMatchObject({ execution: { targets: ['model', 'shop-short', 'shop-long'] } });
});

test('it is listed that prompts of providers with different settings are not compared together', async () => {
  const { config, text, problems } = await imported(
    `prompts: [{ label: short, raw: 'Brief {{q}}' }, { label: long, raw: 'Long {{q}}' }]
providers:
  - { id: openai:gpt-5, config: { temperature: 0 } }
  - openai:gpt-5-mini
tests: [{ vars: { q: hi } }]
`,
  );
  expect(problems).toEqual([]);
  expect(Object.keys((config as { targets: object }).targets)).toEqual([
    'gpt-5-short',
    'gpt-5-long',
    'gpt-5-mini-short',
    'gpt-5-mini-long',
  ]);
  expect(noted(text)).toEqual([
    'promptfooconfig.yaml:1:1  each prompt with `gpt-5`, `gpt-5-mini` is a target of its own: `compare --by prompt` cannot compare these targets',
  ]);
});

test('texts around prompts are imported without a note about agents that use no model', async () => {
  const { text, problems } = await imported(
    `prompts: ['Name {{q}}', 'Say {{q}}']
providers: [openai:gpt-5, { id: exec:node agent.mjs, label: mine }]
tests: file://a.csv
`,
    { 'a.csv': 'q,__expected,__prefix\nhi,contains: x,Please\n' },
  );
  expect(problems).toEqual([]);
  expect(noted(text).filter((note) => !note.includes('target of its own'))).toEqual([]);
});
