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
