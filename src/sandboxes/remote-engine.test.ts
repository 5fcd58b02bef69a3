import { expect, test } from 'vitest';

import { enginesOf } from './engine.ts';
import { fakeEngine } from './fake-engine.fixture.ts';
import { remoteFault } from './remote-engine.ts';

const SSH = 'ssh://me@build.example.com/run/podman.sock';

test.each([
  ['podman', { CONTAINER_HOST: SSH }, []],
  ['podman', { CONTAINER_HOST: 'tcp://10.0.0.1:8080' }, []],
  ['podman', {}, ['--url', SSH]],
  ['podman', {}, [`--url=${SSH}`]],
  ['podman', { CONTAINER_CONNECTION: 'farm' }, []],
  ['podman', {}, ['--connection', 'farm']],
  ['docker', { DOCKER_HOST: SSH }, []],
  ['docker', { DOCKER_HOST: '10.0.0.1:2375' }, []],
  ['docker', {}, ['-H', 'tcp://10.0.0.1:2375']],
  ['docker', { SAID_CONTEXT: SSH }, []],
] as const)('%s with %j and %j makes containers on another machine', async (kind, env, engineArgs) => {
  expect(await faultOf(kind, env, engineArgs)).toMatchObject({
    why: expect.stringMatching(
      /^\w+ makes its containers on another machine \((?:ssh|tcp|10)[^)]*\), which does not have the files of the agent$/,
    ),
    hint: expect.stringContaining('unset'),
  });
});

test.each([
  ['podman', {}, []],
  ['podman', { CONTAINER_HOST: 'unix:///run/podman/podman.sock' }, []],
  ['podman', { CONTAINER_HOST: 'ssh://core@127.0.0.1:50000/run/podman.sock' }, []],
  ['podman', { CONTAINER_CONNECTION: 'machine' }, []],
  ['podman', {}, ['--runtime', 'runc']],
  ['docker', {}, []],
  ['docker', { DOCKER_HOST: 'unix:///var/run/docker.sock' }, []],
  ['docker', { DOCKER_HOST: 'tcp://localhost:2375' }, []],
  ['docker', { SAID_CONTEXT: 'unix:///var/run/docker.sock' }, []],
] as const)('%s with %j and %j makes containers here', async (kind, env, engineArgs) => {
  expect(await faultOf(kind, env, engineArgs)).toBeUndefined();
});

async function faultOf(
  kind: 'podman' | 'docker',
  env: Readonly<Record<string, string>>,
  engineArgs: readonly string[],
) {
  using fake = fakeEngine(kind);
  const { place } = fake;
  const operatorEnvironment = { ...place.operatorEnvironment, ...env };
  const [engine] = await enginesOf({ engine: kind, engineArgs }, { ...place, operatorEnvironment });
  if (engine === undefined) throw new Error(`no ${kind}`);
  return await remoteFault(engine, undefined);
}
