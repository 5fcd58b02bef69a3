import type { RunReader } from '../../core/log.ts';
import type { Row } from '../../core/run.ts';
import { trialKey } from '../../core/trial.ts';
import type { OutputFile } from '../output-file.ts';
import { plural } from '../../lib/text/plural.ts';
import { needsAttention } from '../../reading/phrases.ts';
import { notShown, readSummary, type Summary } from '../../reading/summary.ts';
import { beginPage, endPage } from './document.ts';
import { markup, nothing, type Markup } from './markup.ts';
import { overview } from './overview.ts';
import { style } from './style.ts';
import { trialSection } from './trial.ts';

/** Limits of the page. A longer page would slow the browser down; the run directory has everything. */
export interface PageLimits {
  readonly trials: number;
  readonly transcripts: number;
}

/** Number of trials whose transcripts are read together. */
const BATCH = 25;

/** Writes the page while it reads the run: first failed and errored trials, then the others. */
export async function writePage(reader: RunReader, file: OutputFile, limits: PageLimits): Promise<void> {
  const summary = await readSummary(reader, 0);
  await file.write(beginPage({ title: `assay run ${summary.manifest.id}`, style }).html);
  await file.write(overview(summary).html);
  const attention = notShown(summary, []);
  const { ended } = summary.view;
  if (attention > 0) {
    await file.write(markup`<h2>Failed and errored trials</h2>\n${limitNote(attention, limits)}`.html);
    await writeTrials({ reader, file, wanted: needsAttention, limits });
  }
  const left = {
    trials: Math.max(0, limits.trials - attention),
    transcripts: Math.max(0, limits.transcripts - attention),
  };
  if (ended > attention) {
    const title = attention > 0 ? 'All other trials' : 'Trials';
    await file.write(markup`<h2>${title}</h2>\n${limitNote(ended - attention, left)}`.html);
    await writeTrials({ reader, file, wanted: (row) => !needsAttention(row), limits: left });
  }
  await file.write(foot(summary).html);
}

interface TrialList {
  readonly reader: RunReader;
  readonly file: OutputFile;
  readonly wanted: (row: Row) => boolean;
  readonly limits: PageLimits;
}

async function writeTrials({ reader, file, wanted, limits }: TrialList): Promise<void> {
  await file.write('<div class="trials">\n');
  let shown = 0;
  let batch: Row[] = [];
  const flush = async () => {
    const rows = batch;
    batch = [];
    const told = rows.filter((_, index) => shown - rows.length + index < limits.transcripts);
    const transcripts = told.length === 0 ? new Map() : await reader.transcripts(new Set(told.map(trialKey)));
    for (const row of rows) await file.write(trialSection(row, transcripts.get(trialKey(row))).html);
  };
  for await (const row of reader.rows()) {
    if (shown >= limits.trials) break;
    if (!wanted(row)) continue;
    shown += 1;
    batch.push(row);
    if (batch.length === BATCH) await flush();
  }
  if (batch.length > 0) await flush();
  await file.write('</div>\n');
}

function limitNote(count: number, limits: PageLimits): Markup {
  const listed = Math.min(count, limits.trials);
  const told = Math.min(count, limits.transcripts);
  if (told === count) return nothing;
  const missing =
    listed === count
      ? ''
      : ` ${listed === 0 ? 'They are not listed here' : `The first ${listed} are listed`}; all are in results.jsonl.`;
  const transcripts = told === 0 ? 'without transcripts' : `transcripts for the first ${told} only`;
  return markup`<p class="note">${plural(count, 'trial')}, ${transcripts}; all transcripts are in events.jsonl.${missing}</p>\n`;
}

function foot({ manifest }: Summary): Markup {
  return markup`</main>
<footer>Errored trials were not measured. They count neither as passed nor as failed. Pass rate = passed / (passed + failed), with its Wilson interval. Written by assay ${manifest.versions['assay'] ?? ''}.</footer>
${endPage({})}`;
}
