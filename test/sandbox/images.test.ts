import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync } from 'node:fs';

import { expect, onTestFinished, test } from 'vitest';

import { CONTAINER } from '../contracts/container.ts';
import { findProgram } from '../../src/lib/process/find-program.ts';
import { manifestOf, newestRun, openProject, rowOf, type Project } from '../e2e/support/project.ts';

const { level, engine } = CONTAINER;

/** Of images of this file only. */
const LABEL = `assay.test=images-${process.pid}`;

const FROM = `FROM scratch\nLABEL ${LABEL}\n`;

async function projectOf(sandbox: object): Promise<Project> {
  const agent = { type: 'cli', command: ['/bin/sh', '-c', 'read -r x < /note; echo "$x"'] };
  const project = openProject({
    'a.eval.yaml': {
      tests: [{ id: 'one', input: 'hello', assert: [{ type: 'contains', value: 'done' }] }],
    },
    'image/Dockerfile': `${FROM}COPY busybox /bin/sh\nCOPY note /note\n`,
    'image/note': 'done\n',
    'assay.config.json': { targets: { agent: { ...agent, sandbox: { level, engine, ...sandbox } } } },
  });
  const place = { cwd: '/', env: { PATH: process.env['PATH'] ?? '' } };
  copyFileSync((await findProgram('busybox', place)) ?? '', project.path('image/busybox'));
  chmodSync(project.path('image/busybox'), 0o755);
  return project;
}

function podman(...args: readonly string[]): string {
  return spawnSync('podman', args, { encoding: 'utf8' }).stdout.trim();
}

/** Removes the images that a test has built. */
function removeBuilt(): void {
  onTestFinished(() => {
    const made = podman('images', '--all', '--quiet', '--filter', `label=${LABEL}`).split('\n');
    podman('rmi', '--force', ...made.filter((id) => id !== ''));
    expect(podman('images', '--all', '--quiet', '--filter', `label=${LABEL}`)).toBe('');
  });
}

/** A project whose podman does something else for one of its commands. */
async function runWith(project: Project, command: string, does: string) {
  const REST = process.env['PATH'] ?? '';
  project.write({
    'bin/podman': `#!/bin/sh\nPATH=$REST\ncase $1 in ${command}) ${does};; esac\nexec podman "$@"\n`,
  });
  chmodSync(project.path('bin/podman'), 0o755);
  return await project.start(['run'], { PATH: `${project.path('bin')}:${REST}`, REST }).ended;
}

function digestsOf(project: Project): readonly unknown[] {
  const { targets, digests = [] } = manifestOf(newestRun(project));
  return targets.map(({ digest }) => digests[Number(digest)]);
}

test('an image is built from a Dockerfile once a run, and its content is in the digest of the target', async () => {
  removeBuilt();
  await using project = await projectOf({ build: './image/Dockerfile' });
  const log = project.path('builds');
  expect(await runWith(project, 'build', `echo build >> '${log}'`)).toMatchObject({ code: 0 });
  expect(project.read('builds')).toBe('build\n');
  expect(rowOf(newestRun(project), 'one').output).toBe('done');
  const before = digestsOf(project);
  expect(await project.assay('run')).toMatchObject({ code: 0 });
  expect(digestsOf(project)).toEqual(before);
  project.write({ 'image/note': 'done again\n' });
  expect(await project.assay('run')).toMatchObject({ code: 0 });
  expect(digestsOf(project)).not.toEqual(before);
});

test.each([['validate'], ['run', '--dry']])('no image is built by assay %s %s', async (...command) => {
  removeBuilt();
  await using project = await projectOf({ build: './image/Dockerfile' });
  expect(await project.assay(...command)).toMatchObject({ code: 0 });
  expect(podman('images', '--all', '--quiet', '--filter', `label=${LABEL}`)).toBe('');
});

test('a Dockerfile with a mistake is an error with the words of the engine', async () => {
  removeBuilt();
  await using project = await projectOf({ build: './image/Dockerfile' });
  project.write({ 'image/Dockerfile': `${FROM}COPY nothing /nothing\n` });
  const { code, stderr } = await project.assay('run');
  expect(code).toBe(2);
  expect(stderr).toContain('podman could not build ./image/Dockerfile');
  expect(stderr).toContain('nothing');
  expect(stderr).toContain('podman build --file ./image/Dockerfile ./image');
});

test.each([
  [{ build: './none' }, 'the Dockerfile ./none does not exist'],
  [{ build: './image/Dockerfile', image: 'a:1' }, '`image` and `build` of the sandbox are both set'],
])('the config refuses %j', async (sandbox, said) => {
  await using project = await projectOf(sandbox);
  const { code, stderr } = await project.assay('run');
  expect(podman('images', '--all', '--quiet', '--filter', `label=${LABEL}`)).toBe('');
  expect(code).toBe(2);
  expect(stderr).toMatch(/assay\.config\.json:\d+:\d+ /);
  expect(stderr).toContain(`targets.agent: ${said}`);
});

test('an image that the machine does not have is fetched with `pull: true`', async () => {
  const image = 'localhost/assay-fetched:1';
  onTestFinished(() => void podman('rmi', image));
  await using project = await projectOf({ image, pull: true });
  const agent = { type: 'cli', command: ['echo', 'done'], sandbox: { level, engine, image, pull: true } };
  project.write({ 'assay.config.json': { targets: { agent } } });
  const does = `exec podman tag ${CONTAINER.image} ${image}`;
  expect(await runWith(project, 'pull', does)).toMatchObject({ code: 0 });
  expect(rowOf(newestRun(project), 'one').output).toBe('done');
});

test('an image that cannot be fetched is an error before anything runs', async () => {
  // Nothing listens on this port.
  await using project = await projectOf({ image: '127.0.0.1:1/none:1', pull: true });
  const { code, stderr } = await project.assay('run');
  expect(code).toBe(2);
  expect(stderr).toContain('podman could not fetch 127.0.0.1:1/none:1');
  expect(stderr).toContain('connection refused');
  expect(stderr).toContain('podman login');
});
