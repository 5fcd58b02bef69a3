import { MOST_UPLOADED_BYTES } from '../../core/run-upload.ts';
import { keptBytes, takenUpload } from '../resources/upload.ts';
import { write, type Route } from '../route.ts';

/** A log is read line by line, so that its size does not affect memory. */
const MOST_STREAM_BYTES = 100_000_000_000;

/** Run directories of other machines. */
export const uploadRoutes = {
  uploadRun: write({
    method: 'POST',
    path: '/runs/upload',
    summary: 'Store the new part of a run directory, sent as JSON Lines; `assay upload` uses this route',
    upload: { types: ['application/x-ndjson'], maxBytes: MOST_STREAM_BYTES },
    answer: takenUpload,
  }),
  keepAttachment: write({
    method: 'PUT',
    path: '/attachments/{sha256}',
    summary: 'Send a file that an upload still needs',
    upload: { types: ['application/octet-stream'], maxBytes: MOST_UPLOADED_BYTES },
    answer: keptBytes,
  }),
} as const satisfies Readonly<Record<string, Route>>;
