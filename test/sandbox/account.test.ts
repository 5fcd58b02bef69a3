import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

import { expect, onTestFinished, test } from 'vitest';

import { accountWithoutRoot } from './support/account.ts';
import { endProcessesOf, processesOf } from './support/end-processes-of.ts';

/** Only root can make an account. */
test.runIf(process.getuid?.() === 0)(
  'the processes of an account end before it is removed, and no others do',
  async () => {
    const other = spawn('sleep', ['600'], { stdio: 'ignore' });
    onTestFinished(() => void other.kill('SIGKILL'));
    await once(other, 'spawn');
    const account = accountWithoutRoot();
    const started = 'for i in 1 2 3; do setsid sleep 600 </dev/null >/dev/null 2>&1 & done; id -u';
    const uid = Number((await account.run(['sh', '-c', started])).stdout);
    const mayHave = processesOf(uid).length;
    await account[Symbol.asyncDispose]();
    expect([mayHave, processesOf(uid)]).toEqual([3, []]);
    expect(spawnSync('id', [account.name]).status).toBe(1);
    expect([other.exitCode, other.signalCode]).toEqual([null, null]);
  },
);

test('the processes of root are never ended', async () => {
  await expect(endProcessesOf(0)).rejects.toThrow('are not ended');
  await expect(endProcessesOf(Number.NaN)).rejects.toThrow('are not ended');
});
