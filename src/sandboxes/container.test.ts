import { expect, test } from 'vitest';

import { containerFault } from './check-container.ts';
import { imageNow } from './choose-engine.ts';
import { containerSandbox } from './container.ts';
import { fakeEngine } from './fake-engine.fixture.ts';
import { tryContainer } from './try-container.ts';

const SETTINGS = { level: 'container', image: 'some:1', engine: 'podman', network: 'none' } as const;
const START = { command: ['agent'], cwd: '/', env: {} };
const NEVER = new AbortController().signal;

test('a name that gets another image counts from the next run on, and not in the middle of one', async () => {
  using engine = fakeEngine('podman');
  engine.setImage('sha-of-first');
  const { place } = engine;
  const images: (string | undefined)[] = [];
  const enter = async (sandbox: ReturnType<typeof containerSandbox>): Promise<void> => {
    await using entered = await sandbox.enter(START, { writable: [] });
    const { command } = entered.start;
    if (!('shell' in command)) images.push(command[command.indexOf('--entrypoint') + 2]);
  };
  await imageNow(SETTINGS, place);
  const first = containerSandbox(SETTINGS, place);
  await enter(first);
  engine.setImage('sha-of-second');
  expect(await imageNow(SETTINGS, place)).toMatchObject({ id: 'sha-of-second' });
  await enter(first);
  await enter(containerSandbox(SETTINGS, place));
  expect(images).toEqual(['sha-of-first', 'sha-of-first', 'sha-of-second']);
});

test('a trial costs two calls of the engine: the program is started by the first, and removed by the second', async () => {
  using engine = fakeEngine('podman');
  engine.setImage('sha');
  await using sandbox = containerSandbox(SETTINGS, engine.place);
  for (const _ of [1, 2]) {
    await using entered = await sandbox.enter(START, { writable: [] });
    expect(entered.start.command).toEqual(expect.arrayContaining(['run', '--interactive', 'agent']));
  }
  expect(engine.calls()).toEqual(['image', 'rm', 'rm']);
});

test('a machine that cannot open the network of a container is told before anything runs', async () => {
  using engine = fakeEngine('podman', ['init']);
  engine.setImage('sha');
  // Without bubblewrap, podman has to make the network.
  const { directory } = engine.place;
  const place = { directory, operatorEnvironment: { PATH: directory } };
  const settings = { ...SETTINGS, network: ['127.0.0.1:9'] };
  expect(await containerFault({ settings, place, isServer: false }, NEVER)).toMatchObject({
    why: expect.stringContaining('no init here'),
  });
  expect(await containerFault({ settings: SETTINGS, place, isServer: false }, NEVER)).toBeUndefined();
});

test('docker is tried too, without a network that it cannot make', async () => {
  using engine = fakeEngine('docker', ['run']);
  engine.setImage('sha');
  expect(await tryContainer({ engine: 'docker' }, engine.place, NEVER)).toMatchObject({
    why: 'docker cannot start a container: Error: no run here',
  });
});

test('a container that cannot be removed is an error: its program may still be at work', async () => {
  using engine = fakeEngine('podman', ['rm']);
  engine.setImage('sha');
  const entered = await containerSandbox(SETTINGS, engine.place).enter(START, { writable: [] });
  await expect(entered[Symbol.asyncDispose]()).rejects.toMatchObject({
    kind: 'sandbox',
    message: 'the container of the program could not be removed: no rm here',
  });
});

test('a container that ends while podman stops it is removed by a second call', async () => {
  using engine = fakeEngine('podman');
  engine.setImage('sha');
  const entered = await containerSandbox(SETTINGS, engine.place).enter(START, { writable: [] });
  engine.failOnce('rm', 'it could not be stopped: sending SIGKILL: container state improper: stopped');
  await entered[Symbol.asyncDispose]();
  expect(engine.calls()).toEqual(['image', 'rm', 'rm']);
});

test.each([
  [{}, 'a limit of this machine for processes is reached'],
  [{ processes: 20 }, 'the limit `processes: 20` is reached'],
])('a shell without a second process is an error of the sandbox, with %j', async (limits, reached) => {
  using engine = fakeEngine('podman');
  engine.setImage('sha');
  engine.setLimit('pids.max 20');
  await using entered = await containerSandbox({ ...SETTINGS, ...limits }, engine.place).enter(START, {
    writable: [],
  });
  const { command } = entered.start;
  const wordAfter = (word: string, at: number) =>
    'shell' in command ? '' : (command[command.indexOf(word) + at] ?? '');
  const failureFor = async (shell: string) => {
    const stderr = Buffer.from(`${shell}: 1: Cannot fork\n`);
    return await entered.failureOf({ exitCode: 2, stderr, read: { stdout: 0, stderr: stderr.length } });
  };
  expect(await failureFor(wordAfter('--name', 1))).toBeUndefined();
  expect(await failureFor(wordAfter('/bin/sh', 3))).toMatchObject({
    kind: 'sandbox',
    detail: 'process-limit',
    message: `the sandbox could not be started: ${reached}`,
  });
});
