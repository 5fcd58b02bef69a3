import { tmpdir } from 'node:os';

import { expect, test } from 'vitest';

import { namespaceSandbox } from './namespace.ts';

const sockets = () =>
  process.getActiveResourcesInfo().filter((name) => name === 'PipeWrap' || name === 'PipeServerWrap');

test('a sandbox that cannot be entered leaves no socket open', async () => {
  const sandbox = namespaceSandbox({ level: 'namespace' }, { directory: tmpdir(), operatorEnvironment: {} });
  const before = sockets();
  const entering = sandbox.enter(
    { command: ['true'], cwd: tmpdir(), env: {} },
    {
      get writable(): never {
        throw new Error('the workspace is gone');
      },
    },
  );
  await expect(entering).rejects.toThrow('the workspace is gone');
  expect(sockets()).toEqual(before);
});
