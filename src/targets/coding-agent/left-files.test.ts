import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { temporaryFolder } from '../../../test/contracts/target.ts';
import { readLeft } from './left-files.ts';

test('the last matching file is read, and missing files are omitted', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, '2026/11'), { recursive: true });
  writeFileSync(join(folder, '2026/11/rollout-1-id.jsonl'), 'old');
  writeFileSync(join(folder, '2026/11/rollout-2-id.jsonl'), 'new');
  writeFileSync(join(folder, '2026/11/rollout-3-other.jsonl'), 'other');
  const fits = (path: string) => path.startsWith('2026/') && path.endsWith('-id.jsonl');
  expect(
    await readLeft([
      { name: 'session.jsonl', folder, fits },
      { name: 'usage.json', folder, fits: () => false },
      { name: 'nowhere.json', folder: join(folder, 'none'), fits: () => true },
    ]),
  ).toEqual({ 'session.jsonl': 'new' });
});

test('a file that is there and cannot be read is an error of the collection', async () => {
  const folder = join(temporaryFolder(), 'sessions');
  writeFileSync(folder, 'no folder');
  const reading = readLeft([{ name: 'session.jsonl', folder, fits: () => true }]);
  await expect(reading).rejects.toMatchObject({
    stage: 'target',
    kind: 'normalization',
    detail: 'collection',
  });
  await expect(reading).rejects.toThrow(`session.jsonl: cannot read the files of the agent in ${folder}: `);
});

test('a file that is too large is not read', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'rollout.jsonl'), '');
  truncateSync(join(folder, 'rollout.jsonl'), 2 ** 26 + 1);
  const reading = readLeft([{ name: 'session.jsonl', folder, fits: () => true }]);
  await expect(reading).rejects.toMatchObject({ kind: 'normalization', detail: 'collection' });
  await expect(reading).rejects.toThrow(
    `session.jsonl: cannot read the files of the agent in ${folder}: rollout.jsonl is larger than 64 MB`,
  );
});
