import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { findProgram } from '../../src/lib/process/find-program.ts';
import { CONTAINER } from '../contracts/container.ts';
import { manifestOf, newestRun, openProject, rowOf, rowsOf, type Project } from '../e2e/support/project.ts';

const oneCase = { tests: [{ id: 'one', input: 'hello', assert: [{ type: 'contains', value: 'done' }] }] };

interface Options {
  readonly sandbox?: object;
  readonly files?: Readonly<Record<string, unknown>>;
}

function projectOf(script: string, { sandbox = {}, files = {} }: Options = {}): Project {
  const agent = { type: 'cli', command: ['sh', '-c', script], sandbox: { ...CONTAINER, ...sandbox } };
  return openProject({ 'a.eval.yaml': oneCase, 'assay.config.json': { targets: { agent } }, ...files });
}

/** The names of the containers of the newest run. */
function containers(project: Project): string {
  const owner = manifestOf(newestRun(project)).leftovers?.token ?? 'nobody';
  return podman('ps', '--all', '--filter', `label=assay.owner=${owner}`, '--format', '{{.Names}}');
}

function podman(...args: readonly string[]): string {
  return spawnSync('podman', args, { encoding: 'utf8' }).stdout.trim();
}

test('an agent in a container finds the image and its workspace, and its level is on run and row', async () => {
  await using project = projectOf('ls /; ls "$P" 2>&1; ls -A; touch /usr/x 2>&1; echo done', {
    files: { 'canary.txt': 'x' },
  });
  const config = JSON.parse(project.read('assay.config.json')) as { targets: { agent: object } };
  config.targets.agent = { ...config.targets.agent, env: { P: project.directory } };
  project.write({ 'assay.config.json': config });
  const ended = await project.assay('run', '--require-isolation', 'namespace');
  expect(ended).toMatchObject({ code: 0 });
  const run = newestRun(project);
  expect(manifestOf(run).isolation).toBe('container');
  const { isolation, output } = rowOf(run, 'one');
  expect(isolation).toBe('container');
  expect(output).not.toContain('canary');
  expect(output).toContain(`${project.directory}: No such file or directory`);
  expect(output).toContain('Read-only file system');
  expect(project.litter()).toEqual([]);
  expect(containers(project)).toBe('');
});

test('programs in a container have the mark of their attempt', async () => {
  await using project = projectOf('echo "mark: $ASSAY_ATTEMPT"; echo done');
  expect(await project.assay('run')).toMatchObject({ code: 0 });
  expect(rowOf(newestRun(project), 'one').output).toMatch(/^mark: [\da-f]{12}-\S+\ndone$/);
});

test('values of variables arrive, and are not in the arguments of the engine', async () => {
  await using project = projectOf('echo "$SECRET_WORD" | rev; echo done');
  const config = JSON.parse(project.read('assay.config.json')) as { targets: { agent: object } };
  config.targets.agent = { ...config.targets.agent, env: { SECRET_WORD: 'a b\nc' } };
  project.write({ 'assay.config.json': config });
  expect(await project.assay('run')).toMatchObject({ code: 0 });
  expect(rowOf(newestRun(project), 'one').output).toBe('b a\nc\ndone');
});

test('a program that the image does not have is an error of the sandbox', async () => {
  await using project = projectOf('');
  const agent = { type: 'cli', command: ['no-such-agent'], sandbox: CONTAINER };
  project.write({ 'assay.config.json': { targets: { agent } } });
  expect(await project.assay('run')).toMatchObject({ code: 3 });
  const { error } = rowOf(newestRun(project), 'one');
  expect(error?.kind).toBe('sandbox');
  expect(error?.message).toContain('no-such-agent');
  expect(containers(project)).toBe('');
});

test('a program that ends as the engine would has failed by itself', async () => {
  await using project = projectOf('echo "Error: unable to start container" >&2; exit 125');
  expect(await project.assay('run')).toMatchObject({ code: 3 });
  expect(rowOf(newestRun(project), 'one').error).toMatchObject({ kind: 'runner-crash' });
});

test.each([
  ['no image is named', { image: undefined }, 'no image is named', 'set `sandbox.image`'],
  [
    'an image is missing',
    { image: 'localhost/none:1' },
    'podman has no image localhost/none:1',
    'podman pull localhost/none:1',
  ],
  ['docker has no service', { engine: 'docker', network: 'none' }, 'docker', 'docker'],
])('nothing runs when %s', async (_, sandbox, why, hint) => {
  await using project = projectOf('echo done', { sandbox });
  const { code, stderr } = await project.start(['run'], { DOCKER_HOST: 'unix:///nothing.sock' }).ended;
  expect(code).toBe(2);
  expect(stderr).toContain('sandbox level container, which this machine cannot run');
  expect(stderr).toContain(why);
  expect(stderr).toContain(hint);
  expect(existsSync(project.path('.assay/runs')) ? project.runs() : []).toEqual([]);
});

test.each([
  ['podman', 'CONTAINER_HOST', { network: 'none' }],
  ['docker', 'DOCKER_HOST', { network: 'none' }],
])('nothing runs when %s makes its containers on another machine', async (engine, name, more) => {
  await using project = projectOf('echo done', { sandbox: { engine, ...more } });
  const { code, stderr } = await project.start(['run'], { [name]: 'ssh://me@build.example.com/x.sock' })
    .ended;
  expect(code).toBe(2);
  expect(stderr).toContain(
    `${engine} makes its containers on another machine (ssh://me@build.example.com/x.sock)`,
  );
  expect(stderr).toContain(`unset ${name}`);
});

test('what docker cannot do with the network is a mistake in the config', async () => {
  const server = {
    type: 'http',
    url: 'http://127.0.0.1:{PORT}/',
    server: { command: ['agent'] },
    sandbox: { ...CONTAINER, engine: 'docker', network: 'none' },
  };
  await using project = projectOf('echo done', { sandbox: { engine: 'docker' } });
  const config = JSON.parse(project.read('assay.config.json')) as { targets: object };
  project.write({
    'a.eval.yaml': { ...oneCase, execution: { targets: ['agent', 'server'] } },
    'assay.config.json': { targets: { ...config.targets, server } },
  });
  const { code, stdout } = await project.assay('validate');
  expect(code).toBe(2);
  expect(stdout).toContain('targets.agent: docker cannot limit connections to some addresses');
  expect(stdout).toContain(
    'targets.server: with docker and `network: none`, the `server` of the target cannot be reached',
  );
});

test('a run cannot be resumed while its engine is down, and the message says that', async () => {
  await using project = projectOf('echo done');
  expect(await project.assay('run')).toMatchObject({ code: 0 });
  project.write({ 'bin/podman': '#!/bin/sh\necho "Error: cannot connect to the storage" >&2\nexit 125\n' });
  const PATH = `${project.path('bin')}:${process.env['PATH'] ?? ''}`;
  for (const more of [[], ['--accept-changes']]) {
    const { code, stderr } = await project.start(['resume', 'latest', ...more], { PATH }).ended;
    expect(code).toBe(2);
    expect(stderr).toContain(
      'which this machine cannot run: podman does not work: cannot connect to the storage',
    );
  }
});

test('Ctrl-C ends a check of the sandbox that does not end, and nothing runs', async () => {
  await using project = projectOf('echo done', { sandbox: { image: 'localhost/none:1', pull: true } });
  const REST = process.env['PATH'] ?? '';
  const waits =
    '#!/bin/sh\nPATH=$REST\ncase $1 in pull) : > "$STARTED"; exec sleep 600;; esac\nexec podman "$@"\n';
  project.write({ 'bin/podman': waits });
  const STARTED = project.path('started');
  const running = project.start(['run'], { PATH: `${project.path('bin')}:${REST}`, REST, STARTED });
  await expect.poll(() => existsSync(STARTED)).toBe(true);
  running.kill('SIGINT');
  expect(await running.ended).toMatchObject({ code: 130 });
  expect(existsSync(project.path('.assay/runs')) ? project.runs() : []).toEqual([]);
  expect(await project.orphans()).toEqual([]);
});

test('a second Ctrl-C leaves no container', async () => {
  await using project = projectOf('trap "" TERM; setsid sleep 900 & echo running; sleep 900');
  const running = project.start(['run']);
  await expect.poll(() => (project.runs().length > 0 ? containers(project) : '')).not.toBe('');
  running.kill('SIGINT');
  await expect.poll(() => running.complaints()).toContain('Ctrl-C again');
  running.kill('SIGINT');
  await running.ended;
  await expect.poll(() => containers(project)).toBe('');
  expect(await project.orphans()).toEqual([]);
});

test('nothing runs in an image without a shell', async () => {
  await using project = projectOf('echo done', { sandbox: { image: 'localhost/assay-empty:1' } });
  project.write({ 'image/file': '' });
  spawnSync('tar', ['-cf', project.path('image.tar'), '-C', project.path('image'), '.']);
  podman('import', project.path('image.tar'), 'localhost/assay-empty:1');
  onTestFinished(() => void podman('rmi', 'localhost/assay-empty:1'));
  const { code, stderr } = await project.assay('run');
  expect(code).toBe(2);
  expect(stderr).toContain('the image localhost/assay-empty:1 has no shell (/bin/sh)');
});

test('nothing runs without an engine, and the message says what to install', async () => {
  await using project = projectOf('echo done');
  const bin = project.path('bin');
  mkdirSync(bin);
  const place = { cwd: project.directory, env: { PATH: process.env['PATH'] ?? '' } };
  for (const name of ['sh', 'env', 'node', 'git'])
    symlinkSync((await findProgram(name, place)) ?? '', join(bin, name));
  const { code, stderr } = await project.start(['run'], { PATH: bin }).ended;
  expect(code).toBe(2);
  expect(stderr).toContain('podman is not installed');
  expect(stderr).toContain('apt-get install podman');
});

test('another image under the same name is another target', async () => {
  const name = 'localhost/assay-changing:1';
  podman('tag', CONTAINER.image, name);
  onTestFinished(() => void podman('rmi', name));
  await using project = projectOf('echo done', { sandbox: { image: name } });
  const digests = () => {
    const { targets, digests: list = [] } = manifestOf(newestRun(project));
    return targets.map(({ digest }) => list[Number(digest)]);
  };
  await project.assay('run');
  const before = digests();
  await project.assay('run');
  expect(digests()).toEqual(before);
  const made = podman('create', '--network', 'none', CONTAINER.image, 'true');
  podman('commit', '--change', 'LABEL a=b', made, name);
  podman('rm', made);
  await project.assay('run');
  expect(digests()).not.toEqual(before);
});

test('a hundred trials leave no container, no process, no mount and no file', async () => {
  await using project = projectOf(
    'cat > /dev/null; (setsid sleep 900 > /dev/null 2>&1 &) ; echo done; kill -9 -1',
  );
  project.write({ 'a.eval.yaml': { tests: oneCase.tests.map((each) => ({ ...each, repeat: 100 })) } });
  expect(await project.assay('run')).toMatchObject({ code: 0 });
  expect(containers(project)).toBe('');
  expect(await project.orphans()).toEqual([]);
  expect(project.litter()).toEqual([]);
  expect(readFileSync('/proc/self/mounts', 'utf8')).not.toContain(project.marker);
  expect(rowsOf(newestRun(project)).map(({ verdict }) => verdict)).toEqual(Array(100).fill('passed'));
});

test('no output is lost of programs that end before they have read their input', async () => {
  await using project = projectOf('echo done');
  project.write({ 'a.eval.yaml': { tests: oneCase.tests.map((each) => ({ ...each, repeat: 30 })) } });
  expect(await project.assay('run')).toMatchObject({ code: 0 });
  expect(rowsOf(newestRun(project)).map(({ output }) => output)).toEqual(Array(30).fill('done'));
});

test('docker gets no argument that only podman knows', async () => {
  await using project = projectOf('cat; echo done', { sandbox: { engine: 'docker', network: 'none' } });
  // It makes containers with podman, and refuses what the program of docker does not know.
  project.write({
    'bin/docker': `#!/bin/sh
for word; do case $word in
  --sig-proxy*|--userns*|--http-proxy*|--read-only-tmpfs*|--image-volume*|--time) echo "unknown flag: $word" >&2; exit 125;;
esac; done
PATH=$REST
case $1 in create|run) verb=$1; shift; exec podman $verb --ulimit nofile=1024:1024 --ulimit nproc=1024:1024 "$@";; esac
exec podman "$@"
`,
  });
  chmodSync(project.path('bin/docker'), 0o755);
  const REST = process.env['PATH'] ?? '';
  const ended = await project.start(['run'], { PATH: `${project.path('bin')}:${REST}`, REST }).ended;
  expect(ended).toMatchObject({ code: 0 });
  expect(rowOf(newestRun(project), 'one').output).toContain('done');
  expect(containers(project)).toBe('');
});

test('after assay was killed, the next run removes its containers', async () => {
  await using project = projectOf('setsid sleep 900 & echo running; sleep 900');
  const running = project.start(['run']);
  const names = () => podman('ps', '--filter', `label=assay.owner=${owner()}`, '--format', '{{.Names}}');
  const owner = () =>
    project.runs().length > 0 ? manifestOf(newestRun(project)).leftovers?.token : 'nobody';
  await expect.poll(names).not.toBe('');
  const before = owner();
  running.kill('SIGKILL');
  await running.ended;
  const agent = { type: 'cli', command: ['echo', 'done'], sandbox: CONTAINER };
  project.write({ 'assay.config.json': { targets: { agent } } });
  expect(await project.assay('run')).toMatchObject({ code: 0 });
  expect(podman('ps', '--all', '--filter', `label=assay.owner=${before}`, '--format', '{{.Names}}')).toBe('');
  expect(await project.orphans()).toEqual([]);
});
