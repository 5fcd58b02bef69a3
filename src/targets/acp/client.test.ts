import { expect, test } from 'vitest';

import { isObject, type JsonObject } from '../../lib/json.ts';
import { turnWith } from '../coding-agent/turn.fixture.ts';
import { acpClient } from './client.ts';

const OPTION = { id: 'llm', category: 'model' };

/** What comes of an error in answer to the request that chooses a model. */
function refused(opening: JsonObject, error: JsonObject) {
  const client = acpClient({ ...turnWith(), config: { model: 'm' } });
  client.hear({ id: 0, result: { protocolVersion: 1 } });
  const { send: [choice] = [] } = client.hear({ id: 1, result: { sessionId: 's-1', ...opening } });
  const { failure } = client.hear({ id: 2, error });
  return { method: isObject(choice) ? choice['method'] : undefined, failure };
}

const BY_MODEL = { models: { currentModelId: 'x' } };
const BY_OPTION = { configOptions: [OPTION] };

test.each<[string, JsonObject, string]>([
  ['a request of its own', BY_MODEL, 'session/set_model'],
  ['an option', BY_OPTION, 'session/set_config_option'],
])('a model refused through %s is a rejected model', (_, opening, method) => {
  const message = 'Invalid value';
  expect(refused(opening, { code: -32_602, message })).toEqual({
    method,
    failure: { kind: 'model-rejected', message },
  });
});

test.each<[string, JsonObject, object]>([
  ['the network', { code: -32_603, message: 'fetch failed' }, { kind: 'target-unavailable' }],
  ['the provider', { code: 503, message: 'later' }, { kind: 'http-error', status: 503 }],
  ['a login', { code: -32_000, message: 'log in' }, { kind: 'http-error', rejectsCredentials: true }],
])('a failure for %s while the model is selected is reported as such', (_, error, failure) => {
  for (const opening of [BY_MODEL, BY_OPTION]) {
    expect(refused(opening, error).failure).toEqual({ ...failure, message: error['message'] });
  }
});

test('another refused option is not a failure of the model', () => {
  const client = acpClient({ ...turnWith(), config: { mode: 'yolo' } });
  client.hear({ id: 0, result: { protocolVersion: 1 } });
  client.hear({ id: 1, result: { sessionId: 's-1' } });
  expect(client.hear({ id: 2, error: { code: -32_602, message: 'no such mode' } })).toEqual({
    failure: { kind: 'runner-crash', message: 'no such mode' },
  });
});
