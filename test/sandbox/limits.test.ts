import { spawnSync } from 'node:child_process';
import { chmodSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { CONTAINER } from '../contracts/container.ts';
import { manifestOf, newestRun, openProject, rowOf, type Project } from '../e2e/support/project.ts';

const SANDBOXES = { process: { level: 'process' }, namespace: { level: 'namespace' }, container: CONTAINER };

type Level = keyof typeof SANDBOXES;

/** Two cases: `greedy` uses what it can, `modest` only answers. */
function projectOf(level: Level, greedy: string, limits: object): Project {
  const agent = `case $1 in greedy) ${greedy};; esac; echo done`;
  const assert = [{ type: 'contains', value: 'done' }];
  return openProject({
    'template/a.txt': 'a',
    'a.eval.yaml': {
      workspace: { template: './template' },
      tests: ['greedy', 'modest'].map((id) => ({ id, input: id, assert })),
    },
    'assay.config.json': {
      targets: {
        agent: {
          type: 'cli',
          command: ['sh', '-c', agent, 'sh', '{PROMPT}'],
          sandbox: { ...SANDBOXES[level], ...limits },
        },
      },
      run: { concurrency: 2 },
    },
  });
}

async function nothingLeft(project: Project): Promise<void> {
  const owner = manifestOf(newestRun(project)).leftovers?.token ?? 'nobody';
  const args = ['ps', '--all', '--filter', `label=assay.owner=${owner}`, '--format', '{{.Names}}'];
  expect(spawnSync('podman', args, { encoding: 'utf8' }).stdout).toBe('');
  expect(await project.orphans()).toEqual([]);
  expect(project.litter()).toEqual([]);
}

test('an agent that needs more memory than it may have is errored with that reason, and no other', async () => {
  // 200 MB, in a variable of the shell.
  const greedy = 'x=$(head -c 200000000 /dev/zero | tr "\\0" a); echo "${#x}"';
  await using project = projectOf('container', greedy, { memoryMb: 64 });
  expect(await project.assay('run')).toMatchObject({ code: 3 });
  const { error, unenforced } = rowOf(newestRun(project), 'greedy');
  expect(error).toMatchObject({
    stage: 'target',
    kind: 'sandbox',
    code: 'memory-limit',
    message:
      'the program ended with exit code 137, probably because it needed more memory than `memoryMb: 64` allows',
  });
  expect(unenforced).toBeUndefined();
  expect(rowOf(newestRun(project), 'modest').verdict).toBe('passed');
  await nothingLeft(project);
});

test('an agent that starts many processes gets no more than it may have', async () => {
  // At most 100 processes, which end by themselves, so that this machine is safe without the limit too.
  const greedy = 'i=0; while test $i -lt 100; do sleep 60 & i=$((i + 1)); done; echo "started $i"';
  await using project = projectOf('container', greedy, { processes: 20 });
  expect(await project.assay('run')).toMatchObject({ code: 3 });
  const { error } = rowOf(newestRun(project), 'greedy');
  expect(error).toMatchObject({ kind: 'runner-crash' });
  expect(error?.message).toContain('fork');
  expect(rowOf(newestRun(project), 'modest').verdict).toBe('passed');
  await nothingLeft(project);
});

test('folders for temporary files are no larger than the limit for files', async () => {
  const greedy = 'head -c 5000000 /dev/zero > /tmp/big || echo "no space left"';
  await using project = projectOf('container', greedy, { diskMb: 2 });
  expect(await project.assay('run')).toMatchObject({ code: 0 });
  expect(rowOf(newestRun(project), 'greedy').output).toContain('no space left');
});

describe.each(['process', 'namespace', 'container'] as const)('%s', (level) => {
  test('an agent that leaves more files than it may have is errored, and no other', async () => {
    await using project = projectOf(level, 'head -c 5000000 /dev/zero > big', { diskMb: 2 });
    expect(await project.assay('run')).toMatchObject({ code: 3 });
    const { error, unenforced } = rowOf(newestRun(project), 'greedy');
    expect(error).toMatchObject({
      kind: 'sandbox',
      message: 'the workspace cannot be copied for grading: the workspace has more than 2 MB of files',
    });
    expect(unenforced).toBeUndefined();
    expect(rowOf(newestRun(project), 'modest').verdict).toBe('passed');
    await nothingLeft(project);
  });
});

test.each(['process', 'namespace'] as const)(
  'a %s enforces no other limit, and run, row and page of the trial say so',
  async (level) => {
    await using project = projectOf(level, ':', { memoryMb: 64, cpus: 0.5, processes: 20, diskMb: 2 });
    const { code, stdout } = await project.assay('run');
    expect(code).toBe(0);
    expect(stdout).toContain(
      `targets.agent: the level \`${level}\` does not enforce \`memoryMb\`, \`cpus\`, \`processes\``,
    );
    const row = rowOf(newestRun(project), 'modest');
    expect(row.unenforced).toEqual(['memoryMb', 'cpus', 'processes']);
    const shown = await project.assay('show', '--trial', 'modest');
    expect(shown.stdout).toContain('limits that could not be enforced: memoryMb, cpus, processes');
  },
);

test('without a workspace, nothing measures the files of an agent', async () => {
  await using project = openProject({
    'a.eval.yaml': { tests: [{ id: 'one', input: 'x', assert: [{ type: 'contains', value: 'done' }] }] },
    'assay.config.json': {
      targets: { agent: { type: 'cli', command: ['echo', 'done'], sandbox: { diskMb: 2 } } },
    },
  });
  expect(await project.assay('run')).toMatchObject({ code: 0 });
  expect(rowOf(newestRun(project), 'one').unenforced).toEqual(['diskMb']);
});

test('a limit that the engine cannot enforce is on the row, and the others hold', async () => {
  const greedy =
    'read -r limit < /sys/fs/cgroup/pids/pids.max || read -r limit < /sys/fs/cgroup/pids.max; echo "$limit"';
  await using project = projectOf('container', greedy, { memoryMb: 64, processes: 20 });
  // An engine that refuses limits of memory, as on a machine without their control groups.
  project.write({
    'bin/podman': `#!/bin/sh
case " $* " in *" --memory "*) echo 'Error: the memory controller is not available' >&2; exit 125;; esac
PATH=$REST exec podman "$@"
`,
  });
  chmodSync(project.path('bin/podman'), 0o755);
  const REST = process.env['PATH'] ?? '';
  const ended = await project.start(['run'], { PATH: `${project.path('bin')}:${REST}`, REST }).ended;
  expect(ended).toMatchObject({ code: 0 });
  const { output, unenforced } = rowOf(newestRun(project), 'greedy');
  expect({ output, unenforced }).toEqual({ output: '20\ndone', unenforced: ['memoryMb'] });
  await nothingLeft(project);
});

test.each([
  ['memoryMb', '2g', 'expected a number'],
  ['memoryMb', 1, '8'],
  ['cpus', 0, '0.01'],
  ['processes', 1.5, 'a whole number'],
  ['diskMb', -1, '1'],
])('the config refuses %s: %j, and says where', async (key, value, said) => {
  await using project = projectOf('container', ':', { [key]: value });
  const { code, stderr } = await project.assay('run');
  expect(code).toBe(2);
  expect(stderr).toMatch(new RegExp(`assay\\.config\\.json:\\d+:\\d+ .*${key}.*${said}`));
});
