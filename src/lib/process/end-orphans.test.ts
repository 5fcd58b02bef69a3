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
    expect(await endOrphans(`LEFT_BY=${value}`)).toBe(1);
    expect(livingGroupOf(orphan)).toBeUndefined();
    expect(livingGroupOf(mine.pid ?? 0)).toBeGreaterThan(0);
  } finally {
    mine.kill('SIGKILL');
  }
});

test('Nobody carries an entry that was never given', async () => {
  expect(await endOrphans(`LEFT_BY=${randomUUID()}`)).toBe(0);
});
