import { createHash } from 'node:crypto';

import { MOST_UPLOADED_BYTES, type UploadedArtifact } from '../../core/run-upload.ts';
import type { OpenArtifact, StoredRun } from '../../core/run-store.ts';
import { trialKey } from '../../core/trial.ts';

/** Finds the bytes of a run that is uploaded. */
export interface RunFiles {
  /** The files that these trials left; those that are too large become notes. */
  artifacts(ended: ReadonlySet<string>): AsyncIterable<UploadedArtifact>;
  /** Undefined: the directory does not have them. */
  open(sha256: string): Promise<OpenArtifact | undefined>;
  /** What is not uploaded, for people. */
  readonly notes: string[];
}

/** The store of a run lists at most so many files of a trial. */
const MOST_FILES = 1000;

export function runFiles(run: StoredRun): RunFiles {
  const places = new Map<string, () => Promise<OpenArtifact | undefined>>();
  const notes: string[] = [];
  return {
    notes,
    async *artifacts(ended) {
      for await (const row of run.rows()) {
        const trial = trialKey(row);
        if (!ended.has(trial)) continue;
        const files = await run.artifacts(row);
        if (files.length === MOST_FILES)
          notes.push(`${trial}: only the first ${MOST_FILES} files were uploaded`);
        for (const { attempt, name, bytes } of files) {
          const open = () => run.artifact(row, { attempt, name });
          const file = bytes > MOST_UPLOADED_BYTES ? undefined : await open();
          if (file === undefined) {
            notes.push(`${trial}: attempt ${attempt}: ${name} was not uploaded: ${whyNot(bytes)}`);
            continue;
          }
          const sha256 = await sha256Of(file);
          places.set(sha256, open);
          yield { type: 'artifact', trial, attempt, name, sha256 };
        }
      }
    },
    open: async (sha256) => (await places.get(sha256)?.()) ?? (await run.attachment(sha256)),
  };
}

function whyNot(bytes: number): string {
  const megabytes = (size: number) => Math.ceil(size / (1 << 20));
  return bytes > MOST_UPLOADED_BYTES
    ? `it has ${megabytes(bytes)} MB, at most ${megabytes(MOST_UPLOADED_BYTES)} MB are kept`
    : 'it cannot be read';
}

async function sha256Of(file: OpenArtifact): Promise<string> {
  const hash = createHash('sha256');
  for await (const bytes of file.content()) hash.update(bytes);
  return hash.digest('hex');
}
