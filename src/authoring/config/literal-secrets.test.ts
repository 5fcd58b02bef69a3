import { expect, test } from 'vitest';

import { literalSecrets } from './literal-secrets.ts';

test('values of env are secret where the name says so, at any depth', () => {
  const keys = {
    env: { API_KEY: 'one', my_password: 'two', MODE: 'plain', PORT_TOKEN: 8080, LATER_KEY: '${{ KEY }}' },
    servers: [{ env: { GITHUB_TOKEN: 'three' } }],
  };
  expect(literalSecrets(keys)).toEqual([
    { name: 'API_KEY', value: 'one' },
    { name: 'my_password', value: 'two' },
    { name: 'GITHUB_TOKEN', value: 'three' },
  ]);
});

test('headers of authorization, keys and cookies are secret, without scheme and cookie name', () => {
  const headers = {
    Authorization: 'Bearer abc.def',
    'proxy-authorization': 'plain-token',
    'X-Api-Key': 'four five',
    Cookie: 'sid=abc=1; theme=dark',
    accept: 'application/json',
    'x-auth': 'Bearer ${{ KEY }}',
  };
  expect(literalSecrets({ type: 'http', headers })).toEqual([
    { name: 'Authorization', value: 'abc.def' },
    { name: 'proxy-authorization', value: 'plain-token' },
    { name: 'X-Api-Key', value: 'four five' },
    { name: 'Cookie', value: 'abc=1' },
    { name: 'Cookie', value: 'dark' },
  ]);
});

test('values in files are secret if their names suggest a secret, in JSON and in lines', () => {
  const models = {
    providers: { own: { apiKey: 'key-in-a-file', baseUrl: 'http://localhost:1', maxTokens: 5 } },
    servers: [{ headers: { Authorization: 'Bearer abc.def.ghi' } }],
    taken: { apiKey: 'OWN_API_KEY', secret: '$OTHER_SECRET', later_key: '${{ KEY }}' },
    security: { auth: { selectedType: 'gemini-api-key' } },
  };
  const lines = [
    '# api_key = "in-a-comment"',
    'model = "m"',
    'authorization: Bearer yaml-token',
    'api_key = "key-in-toml" # and why',
    'env_key = "OWN_API_KEY"',
    'export MY_TOKEN=token-in-env',
    'password: "with # and \\" in it"',
    "headers = { Authorization = 'Bearer inline-token' }",
  ];
  const files = { '.pi/agent/models.json': JSON.stringify(models), '.codex/config.toml': lines.join('\n') };
  expect(literalSecrets({ type: 'pi', files })).toEqual([
    { name: 'apiKey', value: 'key-in-a-file' },
    { name: 'Authorization', value: 'abc.def.ghi' },
    { name: 'authorization', value: 'yaml-token' },
    { name: 'api_key', value: 'key-in-toml' },
    { name: 'MY_TOKEN', value: 'token-in-env' },
    { name: 'password', value: 'with # and " in it' },
    { name: 'Authorization', value: 'inline-token' },
  ]);
});
