import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { clearLeftovers, ownLeftovers } from './leftovers.ts';
import { folderOfTest } from '../../../test/support/test-folders.ts';

const folder = () => folderOfTest('leftovers-');

/** A process and a folder that a forged manifest names. */
async function ofOthers(environment: Readonly<Record<string, string>>, token: string) {
  const place = folder();
  const precious = join(place, `release-${token}-abcdef`);
  mkdirSync(precious);
  // Without a living parent that runs Node, it looks like an orphan.
  const shell = spawn('sh', ['-c', 'sleep 60 >/dev/null 2>&1 & echo $!'], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [said] = (await once(shell.stdout, 'data')) as [Buffer];
  const pid = Number(String(said));
  await once(shell, 'close');
  onTestFinished(() => void process.kill(pid));
  return { place, precious, pid };
}

test("what a stranger's run names is neither ended nor removed", async () => {
  const token = randomBytes(6).toString('hex');
  const id = randomUUID();
  const { place, precious, pid } = await ofOthers({ ASSAY_ATTEMPT: `${token}-x`, ASSAY_RUN_ID: id }, token);
  const own = { directory: folder(), id };
  const sealed = ownLeftovers(own, place);
  for (const [run, forged] of [
    [own, undefined],
    [own, { token, folders: [place] }],
    [own, { token, folders: [place], seal: '' }],
    [own, { ...sealed, token }],
    [own, { ...sealed, folders: [place] }],
    [{ ...own, directory: folder() }, sealed],
    [{ ...own, id: 'another' }, sealed],
  ] as const) {
    await clearLeftovers(run, forged);
    expect([existsSync(precious), process.kill(pid, 0)]).toEqual([true, true]);
  }
});
