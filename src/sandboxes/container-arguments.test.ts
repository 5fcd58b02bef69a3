import { expect, test } from 'vitest';

import { createArguments } from './container-arguments.ts';
import type { Engine } from './engine.ts';

const CONTAINER = {
  verb: 'run',
  name: 'n',
  forkSign: 'no-fork-9',
  image: 'i',
  imagePath: '/bin',
  bound: [],
  network: 'none',
  mountsAgent: false,
  limits: [],
  diskMb: undefined,
} as const;

const OPERATOR = { PATH: '/usr/bin', HTTP_PROXY: 'http://operator', NAME_OF_OPERATOR: 'secret' };

/** What a variable of the target becomes. */
function passed(kind: Engine['kind'], env: Readonly<Record<string, string>>) {
  const engine: Engine = { kind, command: [kind], env: OPERATOR };
  const made = createArguments(engine, { ...CONTAINER, start: { command: ['agent'], cwd: '/', env } });
  const variables = made.args.flatMap((word, at) => (made.args[at - 1] === '--env' ? [word] : []));
  return { variables, env: made.env };
}

test('a value is in the environment of the engine, so that no list of processes shows it', () => {
  expect(passed('podman', { API_KEY: 'a b\nc' })).toEqual({
    variables: ['API_KEY'],
    env: { ...OPERATOR, API_KEY: 'a b\nc' },
  });
});

test.each([
  'STORAGE_DRIVER',
  'STORAGE_OPTS',
  '_CONTAINERS_ROOTLESS_UID',
  'CNI_PATH',
  'NOTIFY_SOCKET',
  'SSH_AUTH_SOCK',
])('%s would change the engine, so the engine does not get it', (name) => {
  expect(passed('podman', { [name]: 'x' })).toEqual({ variables: [`${name}=x`], env: OPERATOR });
});

test('a name with a star is no pattern for the variables of the operator', () => {
  expect(passed('podman', { 'NAME*': 'x' })).toEqual({
    variables: ['ASSAY_VARIABLE_0'],
    env: { ...OPERATOR, ASSAY_VARIABLE_0: 'x' },
  });
});

test('a container of docker gets proxies from its target, and not from the config of docker', () => {
  const { variables, env } = passed('docker', { HTTPS_PROXY: 'http://mine' });
  const hidden = ['HTTP_PROXY', 'http_proxy', 'https_proxy', 'FTP_PROXY', 'ftp_proxy'];
  expect(variables).toEqual([
    ...hidden,
    'NO_PROXY',
    'no_proxy',
    'ALL_PROXY',
    'all_proxy',
    'HTTPS_PROXY=http://mine',
  ]);
  const { HTTP_PROXY: _, ...others } = OPERATOR;
  expect(env).toEqual(others);
});
