import type { RunSummaries } from '../app/view/run-summaries.ts';
import { writtenReport } from '../app/view/written-report.ts';
import type { StoredRun } from '../core/run-store.ts';
import type { Row } from '../core/run.ts';
import { csvHead, csvLine } from './csv.ts';
import { download } from './download.ts';
import type { Call, Handlers } from './operation.ts';
import { trialResource } from './trial-resource.ts';

type Format = Call<'exportRun'>['query']['format'];

const FORMATS: Readonly<Record<Format, { readonly type: string; readonly extension: string }>> = {
  jsonl: { type: 'application/x-ndjson', extension: 'jsonl' },
  csv: { type: 'text/csv; charset=utf-8', extension: 'csv' },
  junit: { type: 'application/xml', extension: 'xml' },
  markdown: { type: 'text/markdown; charset=utf-8', extension: 'md' },
  html: { type: 'text/html; charset=utf-8', extension: 'html' },
};

/** Downloads of a run as files, and of texts that were too large for their lines. */
export function exportHandlers(runs: RunSummaries): Pick<Handlers, 'exportRun'> {
  return {
    exportRun: async ({ path, query: { format } }) => {
      const run = await runs.run(path.run);
      const { type, extension } = FORMATS[format];
      const name = `${run.name}.${extension}`;
      if (format === 'jsonl' || format === 'csv') {
        return download({ name, type, content: encoded(format, await begun(run)) });
      }
      return download({ name, type, ...(await writtenReport(run, format)) });
    },
  };
}

/** Reads the first row early, so that an unreadable run is refused before anything is sent. Ending it ends the rows. */
async function begun(run: StoredRun): Promise<AsyncIterable<Row>> {
  const rows = run.rows()[Symbol.asyncIterator]();
  const held = [await rows.next()];
  const iterator: AsyncIterator<Row> = {
    next: async () => held.shift() ?? rows.next(),
    return: async (value) => {
      await rows.return?.();
      return { done: true, value };
    },
  };
  return { [Symbol.asyncIterator]: () => iterator };
}

const CHUNK = 1 << 16;

async function* encoded(format: 'jsonl' | 'csv', rows: AsyncIterable<Row>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  const lineOf = format === 'csv' ? (row: Row) => csvLine(trialResource(row)) : jsonLine;
  let text = format === 'csv' ? csvHead : '';
  for await (const row of rows) {
    text += lineOf(row);
    if (text.length < CHUNK) continue;
    yield encoder.encode(text);
    text = '';
  }
  yield encoder.encode(text);
}

function jsonLine(row: Row): string {
  return `${JSON.stringify(row)}\n`;
}
