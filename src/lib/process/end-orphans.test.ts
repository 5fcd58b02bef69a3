import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { endOrphans } from './end-orphans.ts';
import { livingGroupOf } from './process-table.ts';

test('What a dead parent left running is killed, and what we ourselves started is not', async () => {
  const value = randomUUID();
  const env = { PATH: process.env['PATH'] ?? '', LEFT_BY: value };
  const mine = spawn('sleep', ['60'], { env, stdio: 'ignore' });
  const parent = spawn('sh', ['-c', 'setsid sleep 60 > /dev/null 2>&1 & echo $!'], { env, detached: true });
  const [line] = (await once(parent.stdout, 'data')) as [Buffer];
  const orphan = Number(line.toString());
  await once(parent, 'close');
  try {
    await expect.poll(() => readFileSync(`/proc/${orphan}/comm`, 'utf8')).toBe('sleep\n');
    expect(await endOrphans([{ text: `LEFT_BY=${value}` }])).toBe(1);
    expect(livingGroupOf(orphan)).toBeUndefined();
    expect(livingGroupOf(mine.pid ?? 0)).toBeGreaterThan(0);
  } finally {
    mine.kill('SIGKILL');
  }
});

test('A mark that is a beginning finds every value that begins so, and no other process', async () => {
  const token = randomUUID();
  const run = (value: string) =>
    spawn('sh', ['-c', 'setsid sleep 60 > /dev/null 2>&1 & echo $!'], {
      env: { PATH: process.env['PATH'] ?? '', LEFT_BY: value },
      detached: true,
    });
  const pids = await Promise.all(
    [`${token}-1`, `${token}-2`, `other-${token}-1`].map(async (value) => {
      const parent = run(value);
      const [line] = (await once(parent.stdout, 'data')) as [Buffer];
      await once(parent, 'close');
      const pid = Number(line.toString());
      await expect.poll(() => readFileSync(`/proc/${pid}/comm`, 'utf8')).toBe('sleep\n');
      return pid;
    }),
  );
  try {
    expect(await endOrphans([{ text: `LEFT_BY=${token}-`, isBeginning: true }])).toBe(2);
    expect(pids.map((pid) => livingGroupOf(pid) !== undefined)).toEqual([false, false, true]);
  } finally {
    process.kill(pids[2] ?? 0, 'SIGKILL');
  }
});

test('No process has an entry that was never given', async () => {
  expect(await endOrphans([{ text: `LEFT_BY=${randomUUID()}` }])).toBe(0);
});
