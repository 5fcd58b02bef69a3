import { expect, test } from 'vitest';

import { agentBody, configIn, storedVersion } from './agent-fields.ts';

test('the prompt of a version is edited as a text, and the rest as JSON', () => {
  const config = { type: 'model', system: 'Be kind.\nBe short.', model: 'a/b' };
  const { now, version } = storedVersion({ config, version: 3 });
  expect([now, version, configIn(now)]).toEqual([
    {
      'config.system': 'Be kind.\nBe short.',
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
