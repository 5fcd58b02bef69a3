import { remoteUploads } from '../api/remote-uploads.ts';
import { AssayError } from '../core/errors.ts';
import { wholeRun, type StoredRun } from '../core/run-store.ts';
import type { TakenUpload, UploadStore } from '../core/run-upload.ts';
import { plural } from '../lib/text/plural.ts';
import { stripLine } from '../lib/text/terminal-text.ts';
import { printableLine } from '../lib/text/printable-json.ts';
import { openOwnStore } from './database.ts';
import { outputDirectory } from './project/output-directory.ts';
import { runsIn } from './runs.ts';
import { askingServer, fetchWith } from './server-client.ts';
import { storePlace } from './store-place.ts';
import type { Surroundings } from './surroundings.ts';
import { runFiles } from './upload/run-files.ts';
import { uploadLines, type UploadChoice } from './upload/upload-lines.ts';

export interface UploadRequest extends UploadChoice {
  /** Run directories, run ids or their first characters, or `latest`. */
  readonly runs: readonly string[];
  readonly out?: string | undefined;
}

/** What became of one run. */
export interface UploadedRun extends Omit<TakenUpload, 'missing'> {
  /** Files and texts whose bytes were sent. */
  readonly sent: number;
  /** What was not uploaded, and why. */
  readonly notes: readonly string[];
}

/** Uploads run directories. What the store has of them is not sent again. */
export async function uploadRuns(
  { runs, out, ...choice }: UploadRequest,
  surroundings: Surroundings,
): Promise<readonly UploadedRun[]> {
  const { cwd, runs: given } = surroundings;
  const directories = given ?? runsIn(await outputDirectory(out, surroundings), { cwd });
  // All are found before the first one is sent.
  const found: StoredRun[] = [];
  for (const run of runs) found.push(wholeRun(await directories.find(run), 'upload'));
  return await withUploads(surroundings, async (uploads) => {
    const uploaded: UploadedRun[] = [];
    for (const run of found) uploaded.push(await uploadRun(run, uploads, choice));
    return uploaded;
  });
}

/** To the server of this project, if there is one, else into the database. */
async function withUploads<T>(
  surroundings: Surroundings,
  work: (uploads: UploadStore) => Promise<T>,
): Promise<T> {
  const place = await storePlace(surroundings);
  if ('server' in place) {
    const { server } = place;
    return await askingServer(server, () => work(remoteUploads(`${server.url}/api/v1`, fetchWith(server))));
  }
  const store = await openOwnStore(surroundings);
  try {
    return await work(store.uploads);
  } finally {
    await store.close();
  }
}

export async function uploadRun(
  run: StoredRun,
  uploads: UploadStore,
  choice: UploadChoice,
): Promise<UploadedRun> {
  const files = runFiles(run);
  const { missing, ...taken } = await uploads.take(uploadLines(run, files, choice));
  let sent = 0;
  for (const sha256 of missing) {
    const file = await files.open(sha256);
    if (file === undefined) files.notes.push(`the text ${sha256} is missing in the run directory`);
    else if (await isSent(uploads, { sha256, content: file.content }, files.notes)) sent += 1;
  }
  return { ...taken, sent, notes: files.notes };
}

/** A text of the log that is too large is also reported. */
async function isSent(
  uploads: UploadStore,
  { sha256, content }: { readonly sha256: string; readonly content: () => AsyncIterable<Uint8Array> },
  notes: string[],
): Promise<boolean> {
  try {
    await uploads.keep(sha256, content);
    return true;
  } catch (error) {
    const isOfFile =
      error instanceof AssayError && (error.code === 'bytes-too-large' || error.code === 'bytes-differ');
    if (!isOfFile) throw error;
    notes.push(`the bytes ${sha256} were not uploaded: ${error.message}`);
    return false;
  }
}

/** What `assay upload` prints. */
export function uploadText(uploaded: readonly UploadedRun[]): string {
  return uploaded
    .flatMap(({ run, isNew, newEvents, sent, notes }) => {
      const files = sent === 0 ? '' : `, ${plural(sent, 'file')}`;
      const what =
        isNew || newEvents + sent > 0 ? `${plural(newEvents, 'new event')}${files}` : 'nothing new';
      return [`uploaded ${run}: ${what}`, ...notes.map((note) => `  ${stripLine(note)}`)];
    })
    .map((line) => `${line}\n`)
    .join('');
}

export function uploadJson(uploaded: readonly UploadedRun[]): string {
  return printableLine(
    uploaded.map(({ run, isNew, newEvents, sent, notes }) => ({
      run,
      is_new: isNew,
      new_events: newEvents,
      sent,
      notes,
    })),
  );
}
