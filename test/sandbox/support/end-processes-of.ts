import { readdirSync, readFileSync } from 'node:fs';

import { until } from '../../e2e/support/until.ts';

/** Far more than a test starts: more of them are a mistake, and are left alone. */
const MOST_PROCESSES = 500;

/** Ends the processes of an account of this machine, one by one, and waits until they are gone. Never those of root. */
export async function endProcessesOf(uid: number): Promise<void> {
  if (!(uid > 0)) throw new Error(`the processes of the account ${uid} are not ended`);
  let ended = 0;
  await until(`the end of the processes of account ${uid}`, () => {
    const left = processesOf(uid);
    ended += left.length;
    if (ended > MOST_PROCESSES) throw new Error(`account ${uid} has more than ${MOST_PROCESSES} processes`);
    for (const pid of left) kill(pid);
    return left.length === 0;
  });
}

/** The processes that run with the rights of an account. Zombies do not count. */
export function processesOf(uid: number): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) > 1)
    .filter((name) => {
      const status = statusOf(name);
      return status.includes(`\nUid:\t${uid}\t`) && !/\nState:\t[ZX]/.test(status);
    })
    .map(Number);
}

function statusOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    // It has ended in the meantime.
    return '';
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended in the meantime.
  }
}
