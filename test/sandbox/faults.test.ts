import { spawnSync } from 'node:child_process';

import { describe, expect, test } from 'vitest';

import { CONTAINER } from '../contracts/container.ts';
import { processesWith } from '../e2e/support/leftovers.ts';
import { manifestOf, newestRun, openProject, rowOf, type Project } from '../e2e/support/project.ts';

const SANDBOXES = {
  process: { level: 'process' },
  namespace: { level: 'namespace' },
  container: CONTAINER,
} as const;

/** A project with one agent, of whose workspace a program of the same level reads what it leaves. */
function projectOf(level: keyof typeof SANDBOXES, agent: string, run: string): Project {
  const project = openProject({
    'canary.txt': 'purple-otter',
    'template/given.txt': '',
    'a.eval.yaml': {
      workspace: { template: './template' },
      tests: [{ id: 'one', input: 'go', assert: [{ type: 'command', run: ['/bin/sh', '-c', run] }] }],
    },
  });
  const command = ['/bin/sh', '-c', agent];
  const env = { P: project.directory };
  project.write({
    'assay.config.json': {
      targets: { agent: { type: 'cli', command, env, sandbox: SANDBOXES[level] } },
      run: { retryInfrastructure: 0 },
    },
  });
  return project;
}

function containersOf(project: Project): string {
  const owner = manifestOf(newestRun(project)).leftovers?.token ?? 'nobody';
  const args = ['ps', '--all', '--filter', `label=assay.owner=${owner}`, '--format', '{{.Names}}'];
  return spawnSync('podman', args, { encoding: 'utf8' }).stdout.trim();
}

describe.each(['namespace', 'container'] as const)('%s', (level) => {
  test('an agent that brings a sandbox of its own finds no more in it, and goes on', async () => {
    const looks =
      'id -u; cat "$P/canary.txt"; mkdir /tmp/m && mount --bind / /tmp/m && cat "/tmp/m$P/canary.txt"';
    const agent = `unshare --user --map-root-user --mount --pid --fork sh -c '${looks}' > seen 2>&1
      test -s seen && echo "tried, done"`;
    await using project = projectOf(level, agent, 'test -s seen && ! grep purple-otter seen');
    const { code, stdout } = await project.assay('run');
    expect({ code, said: code === 0 ? '' : stdout }).toEqual({ code: 0, said: '' });
    expect(rowOf(newestRun(project), 'one')).toMatchObject({ output: 'tried, done', isolation: level });
    expect(await project.orphans()).toEqual([]);
    expect(project.litter()).toEqual([]);
  });
});

test.each(['process', 'namespace', 'container'] as const)(
  'at the level %s, files whose names are no UTF-8 are graded and leave nothing',
  async (level) => {
    const name = '"$(printf "a\\377\\376")"';
    await using project = projectOf(level, `echo inside > ${name}; echo done`, `grep inside ${name}`);
    const { code, stdout } = await project.assay('run');
    expect({ code, said: code === 0 ? '' : stdout }).toEqual({ code: 0, said: '' });
    expect(project.litter()).toEqual([]);
  },
);

test('when the engine is killed in the middle, the trial is errored, and its container is removed', async () => {
  await using project = projectOf('container', 'setsid sleep 900 & echo running; sleep 900', 'true');
  const running = project.start(['run']);
  const engines = () =>
    processesWith(project.marker).filter(({ command }) => /^\S*podman (?:run|start) /.test(command));
  const inside = () => processesWith(project.marker).some(({ command }) => command === 'sleep 900');
  await expect.poll(inside).toBe(true);
  expect(engines()).toHaveLength(1);
  for (const { pid } of engines()) process.kill(pid, 'SIGKILL');
  expect(await running.ended).toMatchObject({ code: 3 });
  expect(rowOf(newestRun(project), 'one')).toMatchObject({
    verdict: 'errored',
    error: { kind: 'runner-crash' },
  });
  expect(containersOf(project)).toBe('');
  expect(await project.orphans()).toEqual([]);
  expect(project.litter()).toEqual([]);
});
