import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';

import { expect, test } from 'vitest';

import { openProject } from '../e2e/support/project.ts';

function podman(...args: readonly string[]): string {
  return spawnSync('podman', args, { encoding: 'utf8' }).stdout.trim();
}

/** The images that a process has made. */
function imagesOf(pid: number): readonly string[] {
  const ids = podman('images', '--quiet', '--filter', 'label=assay.process').split('\n').filter(Boolean);
  return ids.filter((id) =>
    podman('image', 'inspect', '--format', '{{index .Config.Labels "assay.process"}}', id).includes(
      ` ${pid} `,
    ),
  );
}

test('a stopped doctor leaves nothing, and the next one removes what a killed one has left', async () => {
  const REST = process.env['PATH'] ?? '';
  await using project = openProject({
    // It never starts a container.
    'bin/podman':
      '#!/bin/sh\nPATH=$REST\ncase $1 in run) : > "$STARTED"; exec sleep 600;; esac\nexec podman "$@"\n',
  });
  const STARTED = project.path('started');
  const doctor = async () => {
    rmSync(STARTED, { force: true });
    const env = { PATH: `${project.path('bin')}:${REST}`, REST, STARTED };
    const running = project.start(['doctor', '--sandbox'], env);
    await expect.poll(() => existsSync(STARTED)).toBe(true);
    expect(imagesOf(running.pid)).toHaveLength(1);
    return running;
  };
  const killed = await doctor();
  killed.kill('SIGKILL');
  await killed.ended;
  expect(imagesOf(killed.pid)).toHaveLength(1);
  const stopped = await doctor();
  expect(imagesOf(killed.pid)).toEqual([]);
  stopped.kill('SIGINT');
  expect(await stopped.ended).toMatchObject({ code: 130 });
  expect(imagesOf(stopped.pid)).toEqual([]);
});
