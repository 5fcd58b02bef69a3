import { cutOffUpload, readUploadLine, type UploadLine, type UploadStore } from '../core/run-upload.ts';
import { byteLines } from '../lib/text/byte-lines.ts';
import type { Handlers } from './operation.ts';
import { Refusal } from './refusal.ts';

/** Most bytes of a line: the manifest and the plan of 100,000 trials are some 20 MB each. */
const MOST_LINE_BYTES = 100_000_000;

/** Run directories that are sent by other machines. */
export function uploadHandlers(uploads: UploadStore): Pick<Handlers, 'uploadRun' | 'keepAttachment'> {
  return {
    uploadRun: async ({ upload, actor }) => {
      const taken = await uploads.take(linesIn(upload.content), actor.accountId);
      const { run, isNew, newEvents, missing } = taken;
      return { run, is_new: isNew, new_events: newEvents, missing };
    },
    keepAttachment: async ({ path: { sha256 }, upload }) => {
      await uploads.keep(sha256, () => arriving(upload.content));
      return { sha256 };
    },
  };
}

async function* linesIn(content: AsyncIterable<Uint8Array>): AsyncGenerator<UploadLine> {
  let lineNumber = 0;
  for await (const text of byteLines(arriving(content), MOST_LINE_BYTES)) {
    lineNumber += 1;
    yield readUploadLine(parsed(text, lineNumber), `line ${lineNumber}`);
  }
}

/** A lost connection is not an error of the server. */
async function* arriving(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* content;
  } catch (error) {
    throw error instanceof Refusal ? error : cutOffUpload();
  }
}

function parsed(text: string, lineNumber: number): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(400, {
      code: 'json-syntax',
      message: `line ${lineNumber} is not valid JSON`,
      hint: 'upload a run directory with `assay upload RUN`; if the directory was edited, restore it',
    });
  }
}
