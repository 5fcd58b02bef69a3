import { describe, expect, test } from 'vitest';

import { targets } from '../../targets/index.ts';
import { checkStoredAgent } from './stored-agent.ts';
import { storeRules, type StoreAccess } from './store-rules.ts';

const PLUGINS = new Map(targets.map((plugin) => [plugin.type, plugin]));

function checked(value: unknown, access: Partial<StoreAccess> = {}) {
  const rules = storeRules({ auth: 'none', environment: {}, ...access });
  return checkStoredAgent(value, { plugins: PLUGINS, targets: ['desk'], rules });
}

const told = (value: unknown, access?: Partial<StoreAccess>) =>
  checked(value, access).faults.map(({ code, path, message }) => `${path.join('.')}: ${code}: ${message}`);

const agent = (config: object, more: object = {}) => ({ name: 'mine', config, ...more });
const http = (more: object = {}) => agent({ type: 'http', url: 'https://agent.test/turn', ...more });

describe('an agent of the store', () => {
  test.each([
    ['http', { url: 'http://127.0.0.1:8080/turn', headers: { authorization: 'Bearer ${{ AGENT_KEY }}' } }],
    ['http', { url: 'http://127.0.0.1:8080/turn', prompt: 'Be kind to {{ vars.name }}.' }],
    [
      'openai-compatible',
      { baseUrl: 'https://${{ HOST }}/v1', model: 'm', apiKeyEnv: 'AGENT_KEY', system: 'Be brief.' },
    ],
    [
      'model',
      { model: 'openai/gpt-4o', tools: [{ name: 'find' }], timeoutMs: 9, price: { input: 1, output: 1 } },
    ],
  ])('of type %s is taken as a target of the config is', (type, keys) => {
    const written = { ...agent({ type, ...keys, judge: 'desk' }), description: 'd', note: 'n' };
    expect(checked(written)).toEqual({ agent: written, faults: [] });
  });

  test.each([[{ toString: null }], [['http']], [5]])(
    'of a type that is no text, such as %j, is refused',
    (type) => {
      expect(checked(agent({ type })).faults.map(({ code, path }) => [code, path.join('.')])).toEqual([
        ['wrong-type', 'config.type'],
      ]);
    },
  );

  test('tells all its problems at their paths', () => {
    const config = {
      type: 'http',
      ulr: 'http://x',
      server: { command: 'node x' },
      mocks: [],
      env: {},
      passEnv: [],
      maxParallel: 0,
    };
    expect(told({ name: 'a#b', confg: {}, config, note: 5 })).toEqual([
      'note: wrong-type: note: expected a text, got 5',
      'confg: unknown-key: unknown key `confg`',
      'name: agent-name: name: must not contain `#`',
      'config.server: not-in-store: `config` of a stored agent must not contain `server`',
      'config.mocks: not-in-store: `config` of a stored agent must not contain `mocks`',
      'config.env: not-in-store: `config` of a stored agent must not contain `env`',
      'config.passEnv: not-in-store: `config` of a stored agent must not contain `passEnv`',
      'config.maxParallel: invalid-value: config: maxParallel: must be at least 1',
      'config.url: missing-key: config: `url` is missing',
      'config.ulr: unknown-key: config: unknown key `ulr`',
    ]);
    expect(checked(http({ ulr: 1 })).faults.map(({ hint }) => hint)).toEqual(['did you mean `url`?']);
  });

  test.each([
    [null, ': wrong-type: expected a mapping, got nothing'],
    [{ config: http().config }, 'name: missing-key: `name` is missing'],
    [{ name: 'x' }, 'config: missing-key: `config` is missing'],
    [agent({}), 'config.type: missing-key: config: `type` is missing'],
    [
      agent({ type: 'htp', url: 'http://x' }),
      'config.type: unknown-target-type: config.type: unknown target type "htp"',
    ],
  ])('is refused as %j', (value, problem) => {
    expect(told(value)).toEqual([problem]);
  });

  test('is of a type that starts no program and reads no file', () => {
    const types = [...PLUGINS.values()].filter(({ stored }) => stored !== undefined);
    expect(types.map(({ type }) => type)).toEqual(['http', 'model', 'openai-compatible']);
    expect(told(agent({ type: 'cli', command: ['./x'] }))).toEqual([
      'config.type: not-in-store: config.type: agents of type "cli" cannot be stored',
    ]);
    expect(told(agent({ type: 'model', model: 'a/b', system: './prompt.md' }))).toEqual([
      'config.system: not-in-store: config.system: a stored agent cannot refer to a file such as ./prompt.md',
    ]);
    expect(told(http({ prompt: 'prompts/short.md' }))).toEqual([
      'config.prompt: not-in-store: config.prompt: a stored agent cannot refer to a file such as prompts/short.md',
    ]);
  });

  test('has a prompt that can be filled in', () => {
    expect(told(http({ prompt: 'Be kind to {{ vars.name' }))).toEqual([
      'config.prompt: prompt-file: config.prompt: the prompt: `{{ vars.name` is not followed by ` }}`',
    ]);
  });

  test.each([
    ['blank', '  ', 'is blank'],
    ['padded', ' a', 'begins or ends with a space'],
    ['with a version', 'a@2', 'must not contain `@`'],
    ['with a line break', 'a\nb', 'must not contain the control character U+000A'],
    ['with half a character', 'a\ud800', 'must not contain the control character U+D800'],
    ['that turns text around', 'a\u202eb', 'must not contain the control character U+202E'],
    ['that stands for a run', 'replay:x', '`replay:` stands for the answers of a stored run'],
    ['of a target', 'desk', 'the config has a target called "desk"'],
  ])('has no name %s', (_, name, problem) => {
    expect(told({ ...http(), name })).toEqual([`name: agent-name: name: ${problem}`]);
  });

  test('is judged by targets of the config only', () => {
    expect(told(http({ judge: 'replay:../run' }))).toEqual([
      'config.judge: unknown-target: config.judge: unknown target "replay:../run"',
    ]);
    expect(told(http({ judge: { target: 'dusk', metrics: [] } }))).toEqual([
      'config.judge.target: unknown-target: config.judge.target: unknown target "dusk"',
      'config.judge.metrics: misplaced-key: `metrics` applies to the whole run, not to the judge of one target',
    ]);
  });
});

describe('a secret', () => {
  test.each([
    [
      'a token in a header',
      http({ headers: { authorization: 'Bearer abc' } }),
      'config.headers.authorization',
    ],
    ['a key in a header', http({ headers: { 'x-api-key': 'abc' } }), 'config.headers.x-api-key'],
    ['a cookie', http({ headers: { cookie: 'session=1' } }), 'config.headers.cookie'],
    ['a password in a URL', http({ url: 'https://ann:pass@x.test' }), 'config.url'],
    ['a key in a query', http({ url: 'https://x.test/?api_key=abc' }), 'config.url'],
    [
      'a key instead of the name of its variable',
      agent({
        type: 'openai-compatible',
        baseUrl: 'https://x.test',
        model: 'm',
        apiKeyEnv: 'sk-abcdefghij0123456789',
      }),
      'config.apiKeyEnv',
    ],
    [
      'a key in a prompt',
      agent({ type: 'model', model: 'a/b', system: 'Use ghp_012345678901234567890123456789' }),
      'config.system',
    ],
  ])('is refused as %s', (_, value, path) => {
    const [first, ...rest] = checked(value).faults;
    expect([first?.code, first?.path.join('.'), rest]).toEqual(['literal-secret', path, []]);
  });

  test('is not seen in headers and URLs that refer to variables, nor in other headers', () => {
    const headers = { authorization: 'Basic ${{ LOGIN }}', 'x-team': 'ann', accept: 'a/b' };
    expect(
      told(http({ headers, url: 'https://${{ USER_NAME }}:${{ USER_PASSWORD }}@x.test/?key=${{ KEY }}' })),
    ).toEqual([]);
  });
});

describe('a variable', () => {
  const config = { type: 'openai-compatible', baseUrl: 'https://${{ HOST }}', model: 'm', apiKeyEnv: 'KEY' };

  test.each(['DATABASE_URL', 'ASSAY_TOKEN', 'assay_agent_env'])(
    'of the server is never given: %s',
    (name) => {
      const listed = { auth: 'token', environment: { ASSAY_AGENT_ENV: name } } as const;
      for (const access of [{}, listed]) {
        expect(told(http({ headers: { 'x-a': `\${{ ${name} }}` } }), access)).toEqual([
          `config.headers.x-a: variable-not-allowed: config.headers.x-a: agents may not use the environment variable ${name}`,
        ]);
      }
      expect(told(agent({ ...config, apiKeyEnv: name }))).toHaveLength(1);
      expect(checked(agent({ ...config, apiKeyEnv: name })).faults.map(({ hint }) => hint)).toEqual([
        'use another variable; agents never get DATABASE_URL or a variable whose name begins with ASSAY_',
      ]);
    },
  );

  test('is given under token auth only when it is listed', () => {
    const access = (names?: string) =>
      ({ auth: 'token', environment: names === undefined ? {} : { ASSAY_AGENT_ENV: names } }) as const;
    expect(told(agent(config))).toEqual([]);
    expect(told(agent(config), access('HOST, KEY'))).toEqual([]);
    expect(told(agent(config), access('KEYS HOST'))).toEqual([
      'config.apiKeyEnv: variable-not-allowed: config.apiKeyEnv: agents may not use the environment variable KEY',
    ]);
    expect(told(agent(config), access())).toHaveLength(2);
  });
});

describe('an address', () => {
  const token = (hosts: string) => ({ auth: 'token', environment: { ASSAY_AGENT_HOSTS: hosts } }) as const;

  test.each([
    'http://169.254.169.254/x',
    'http://2852039166',
    'http://[::ffff:169.254.169.254]',
    'http://[fe80::1]:8080',
  ])('of the network itself is refused at once: %s', (url) => {
    const [first, ...rest] = checked(http({ url }), token('169.254.169.254')).faults;
    expect([first?.code, first?.path, rest]).toEqual(['address-forbidden', ['config', 'url'], []]);
  });

  test('of this machine is refused under token auth unless it is listed', () => {
    const url = 'http://127.0.0.1:8080/turn';
    expect(told(http({ url }))).toEqual([]);
    expect(told(http({ url }), token('other 127.0.0.1:8080'))).toEqual([]);
    expect(told(http({ url }), token('127.0.0.1:80'))).toEqual([
      'config.url: address-forbidden: config.url: connections to the private address 127.0.0.1 are not allowed',
    ]);
    expect(told(http({ url: 'http://localhost' }), token(''))).toEqual([]);
  });

  test('has a scheme that is asked over HTTP', () => {
    expect(told(http({ url: 'file:///etc/passwd' }))).toEqual([
      'config.url: invalid-value: config: url: must be a URL that starts with http:// or https://',
    ]);
  });
});
