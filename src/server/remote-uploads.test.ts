import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeEach, expect, test } from 'vitest';

import { onServedStores } from '../../test/support/served-store.ts';
import { FACTS, redactor, write } from '../../test/support/written-runs.ts';
import { remoteUploads } from '../api/remote-uploads.ts';
import { uploadRun } from '../app/upload-run.ts';
import type { Emitted } from '../core/run.ts';
import { manifestOf, note } from '../storage/run-directory/fixtures/runs.ts';
import { runDirectories } from '../storage/run-directory/store.ts';
import { folderOfTest } from '../../test/support/test-folders.ts';

onServedStores('uploading to a server', ({ url, ask }) => {
  let folder: string;
  beforeEach(() => {
    folder = folderOfTest('assay-remote-uploads-');
  });
  const directories = () => runDirectories(folder, folder);
  const written = async (facts: readonly Emitted[]): Promise<string> => {
    const run = await directories().create({
      startedAt: Date.UTC(2026, 0, 1),
      redactor,
      manifest: (id) => manifestOf({ id, state: 'running' }),
    });
    await write(run, facts);
    await run.save({ ...run.manifest, state: 'completed' });
    await run.release();
    return run.manifest.id;
  };
  const upload = (id: string) =>
    uploadRun(directories().open(id), remoteUploads(`${url()}/api/v1`), { line: 'nightly' });

  test('sends a run and its bytes, and then nothing again', async () => {
    const id = await written(FACTS);
    expect(await upload(id)).toEqual({ run: id, isNew: true, newEvents: FACTS.length, sent: 2, notes: [] });
    expect(await upload(id)).toMatchObject({ isNew: false, newEvents: 0, sent: 0 });
    const { body } = await ask('GET', `/runs/${id}/trials/1/transcript`);
    expect(body.data[0]).toMatchObject({ parts: [{ text: expect.stringMatching(/^x{70000}$/) }] });
  });

  test('gives the refusal of the server, also while a large log is sent', async () => {
    const many = Array.from({ length: 4000 }, (_, index) => note(`${index}${'y'.repeat(500)}`));
    const id = await written([...FACTS, ...many]);
    await upload(id);
    const file = join(directories().open(id).place, 'events.jsonl');
    writeFileSync(file, readFileSync(file, 'utf8').replace('first try', 'First try'));
    await expect(upload(id)).rejects.toMatchObject({ status: 409, problem: { code: 'run-differs' } });
  });

  test('gives the error of a directory that cannot be read', async () => {
    const id = await written(FACTS);
    const file = join(directories().open(id).place, 'events.jsonl');
    writeFileSync(file, `${readFileSync(file, 'utf8')}nonsense\n`);
    await expect(upload(id)).rejects.toMatchObject({ code: 'run-unreadable' });
    expect((await ask('GET', '/runs')).body.data).toEqual([]);
  });
});
