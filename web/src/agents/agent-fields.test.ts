import { expect, test } from 'vitest';

import { agentBody, configIn, newAgentOf, storedVersion } from './agent-fields.ts';

test('the prompt of a version is edited as a text, and the rest as JSON', () => {
  const config = { type: 'model', system: 'Be kind.\nBe short.', model: 'a/b' };
  const { now, version } = storedVersion({ config, version: 3 });
  expect([now, version, configIn(now)]).toEqual([
    {
      'config.system': 'Be kind.\nBe short.',
      promptKey: '',
      config: '{\n  "type": "model",\n  "model": "a/b"\n}',
      note: '',
    },
    '3',
    config,
  ]);
});

test('a prompt that is not a text stays in the JSON, and an empty one is no key', () => {
  const config = { type: 'model', system: { file: 'x' } };
  expect(configIn(storedVersion({ config, version: 1 }).now)).toEqual(config);
  expect(configIn({ config: '{"type": "http"}', 'config.system': '' })).toEqual({ type: 'http' });
});

test('empty texts are left out, and a config that is no object goes to the server', () => {
  const texts = { name: 'desk', description: '', note: '', config: '[1]', 'config.system': 'x' };
  expect(agentBody(texts)).toEqual({ name: 'desk', config: [1] });
});

test('the prompt of an HTTP agent is the key `prompt`, and a key that is in use stays', () => {
  const http = { type: 'http', url: 'http://127.0.0.1:1' };
  expect(configIn({ config: JSON.stringify(http), 'config.system': 'Be kind.' })).toEqual({
    ...http,
    prompt: 'Be kind.',
  });
  const model = { type: 'model', model: 'a/b', prompt: 'Be kind.' };
  const { now } = storedVersion({ config: model, version: 1 });
  expect([now['config.system'], configIn(now)]).toEqual(['Be kind.', model]);
  expect(configIn(storedVersion({ config: http, version: 1 }).now)).toEqual(http);
});

test('an agent that is made of a target of the config has its config and another name', () => {
  const config = { type: 'http', url: 'http://127.0.0.1:1', prompt: 'Be kind.' };
  expect(agentBody(newAgentOf('desk', config).now)).toEqual({ name: 'desk-agent', config });
});
