import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { randomBytes, randomUUID } from 'node:crypto';

import { expect, test } from 'vitest';

import { folderOfTest } from '../../../test/support/test-folders.ts';
import { given } from '../../lib/given.ts';
import { sealOf } from '../project/run-seal.ts';
import { clearLeft } from './clear-left.ts';

const folder = () => folderOfTest('clear-left-');

/** A process id that no process can have. */
const NO_PID = 2 ** 30;

interface Told {
  readonly pid: number;
  readonly isAlive: boolean;
  readonly pidSpace?: string | undefined;
  readonly seal?: string;
}

/** Whether the temporary folder of a worker is cleared, and whether the worker is forgotten. */
async function cleared({ pid, isAlive, pidSpace, seal }: Told) {
  const [place, root, id] = [folder(), folder(), randomUUID()];
  const token = randomBytes(6).toString('hex');
  const left = join(root, `assay-${token}-abcdef`);
  mkdirSync(left);
  const own = { token, folders: [root] };
  const sealed = { ...own, seal: seal ?? sealOf({ directory: place, id }, own) ?? '' };
  const leftovers = { ...sealed, ...given({ pidSpace }) };
  const forgotten: string[] = [];
  await clearLeft(
    { place },
    {
      left: async () => [{ id, pid, isAlive, leftovers }],
      forgetLeft: async (worker) => void forgotten.push(worker),
    },
    ofOurs,
  );
  return { isCleared: !existsSync(left), isForgotten: forgotten.includes(id) };
}

const BOTH = { isCleared: true, isForgotten: true };
const NEITHER = { isCleared: false, isForgotten: false };
/** Also where the system does not tell. */
const ofOurs = 'this boot pid:[4026531836]';
const ofOthers = 'another boot pid:[4026532000]';

test('a killed worker of this account is cleared and forgotten, one of another account is neither', async () => {
  expect(await cleared({ pid: NO_PID, isAlive: false, pidSpace: ofOurs })).toEqual(BOTH);
  expect(
    await cleared({ pid: NO_PID, isAlive: false, pidSpace: ofOurs, seal: 'of another account' }),
  ).toEqual(NEITHER);
});

test('a process id tells only of workers that see the same processes', async () => {
  const { pid, ppid } = process;
  expect(await cleared({ pid: NO_PID, isAlive: true, pidSpace: ofOurs })).toEqual(BOTH);
  expect(await cleared({ pid, isAlive: true, pidSpace: ofOurs })).toEqual(BOTH);
  expect(await cleared({ pid: ppid, isAlive: false, pidSpace: ofOurs })).toEqual(NEITHER);
  expect(await cleared({ pid, isAlive: true, pidSpace: ofOthers })).toEqual(NEITHER);
  expect(await cleared({ pid: NO_PID, isAlive: true, pidSpace: ofOthers })).toEqual(NEITHER);
  expect(await cleared({ pid: ppid, isAlive: false, pidSpace: ofOthers })).toEqual(BOTH);
});

test('where it is unknown which processes a worker saw, both its time and its process must have ended', async () => {
  expect(await cleared({ pid: NO_PID, isAlive: true })).toEqual(NEITHER);
  expect(await cleared({ pid: process.ppid, isAlive: false })).toEqual(NEITHER);
  expect(await cleared({ pid: NO_PID, isAlive: false })).toEqual(BOTH);
});
