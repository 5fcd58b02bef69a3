import { AssayError } from '../core/errors.ts';
import type { RunReader, Screen } from '../core/log.ts';
import type { SinkServices } from '../sinks/plugin.ts';
import { isUnderWay, type Row, type RunEvent } from '../core/run.ts';
import type { Manifest } from '../core/manifest.ts';
import { given } from '../lib/given.ts';
import { plural } from '../lib/text/plural.ts';
import { createRedactor } from '../lib/redact/redact.ts';
import { runFold } from '../reading/run-view.ts';
import type { Tally } from '../reading/tally.ts';
import { trialKey } from '../core/trial.ts';
import { readSummary } from '../reading/summary.ts';
import { printClosing } from '../sinks/terminal/closing.ts';
import { printEnd, SHOWN_ROWS } from '../sinks/terminal/end.ts';
import { paletteFor } from '../sinks/terminal/palette.ts';
import { trialBlock } from '../sinks/terminal/trial-block.ts';
import { trialPage } from '../sinks/terminal/trial-page.ts';
import { nameOfRun, readerOf, rowsOf, type ClaimedRun, type RunReference } from '../core/run-store.ts';
import { judgeRates, type JudgeRates } from './calibration/judge-rates.ts';
import { findTrial } from './show/find-trial.ts';
import { frozenOf } from './show/frozen-of.ts';
import { isFiltered, rowFilter, type RowFilter } from './show/row-filter.ts';
import { showGraders } from './show/show-graders.ts';
import { showMatrix, type MatrixForm } from './show/show-matrix.ts';
import { openRuns } from './runs.ts';
import { json } from '../sinks/json.ts';
import type { Surroundings } from './surroundings.ts';
import { trialLine } from './show/trial-line.ts';
import { printableLine } from '../lib/text/printable-json.ts';

export interface ShowRequest {
  /** Run directory, run id or its first characters, or `latest`. `#target` selects a target. */
  readonly run: string;
  readonly out?: string;
  /** Key of a trial, or the case id of its only trial. */
  readonly trial?: string;
  readonly only: RowFilter;
  /** Show cases against targets, in this form. */
  readonly matrix?: MatrixForm;
  /** Show how often each grader passed. */
  readonly graders?: boolean;
  /** Rebuild results.jsonl and results.json first. */
  readonly rebuild: boolean;
  readonly form: 'text' | 'json';
  readonly verbosity: 'quiet' | 'normal' | 'verbose';
}

export interface ShowPlace {
  readonly screen: Screen;
  readonly surroundings: Surroundings;
}

/** Shows a stored run, some of its trials, or one trial in detail. */
export async function showRun(request: ShowRequest, place: ShowPlace): Promise<void> {
  const runs = await openRuns(request.out, place.surroundings);
  const found = await runs.find(request.run);
  if (request.rebuild) {
    if (found.run.isWithoutFiles === true) throw notRebuilt(found.run.name);
    await rebuild(await runs.claim(found.run), place);
  }
  if (request.trial !== undefined) return showTrial(found, request.trial, { request, place });
  const manifest = await found.run.manifest();
  const wanted = { found, takes: rowFilter(request.only, manifest), request, place };
  const { screen, surroundings } = place;
  if (request.matrix !== undefined) {
    const shown = { form: request.matrix, place: { screen, cwd: surroundings.cwd } };
    return showMatrix(rowsWanted(wanted), manifest, shown);
  }
  if (request.graders === true)
    return showGraders(rowsWanted(wanted), manifest, { form: request.form, screen });
  if (request.form === 'json') return showRows(wanted);
  if (request.only.failed) return showFailed(wanted);
  const isEach = request.verbosity === 'verbose' || isFiltered(request.only);
  const shown = isEach ? await showEach(wanted) : 0;
  if (isFiltered(request.only))
    return place.screen.write(`${shown} of ${plural(manifest.trials, 'trial')}\n`);
  const state = await found.run.state();
  const elapsedMs = await elapsedUntilNow(found, manifest);
  const judges = judgeRates();
  const summary = await readSummary(tellingJudges(readerOf(found), judges), SHOWN_ROWS);
  const { reason } = manifest;
  const view = () => ({ ...summary.view, state, ...given({ reason }) });
  printEnd(sinkServices({ ...found, view, ...manifest }, request, place), summary, elapsedMs);
  const { projectRoot, digests } = manifest;
  const spent = summary.view.total.costUsd.judge;
  const isJudged = spent.known + spent.unknown > 0;
  printClosing(place.screen, { manifest, judges: isJudged ? judges.lines(projectRoot, digests) : [] });
}

/** Reads rows only once, and also passes them to the judge rates. */
function tellingJudges(reader: RunReader, judges: JudgeRates): RunReader {
  return {
    ...reader,
    async *rows() {
      for await (const row of reader.rows()) {
        judges.add(row);
        yield row;
      }
    },
  };
}

/** Duration of an unfinished run until the end of its last trial, in milliseconds. */
async function elapsedUntilNow({ run }: RunReference, { startedAt, endedAt }: Manifest): Promise<number> {
  let last = Date.parse(endedAt ?? startedAt);
  if (endedAt === undefined) {
    for await (const row of run.rows()) last = Math.max(last, Date.parse(row.endedAt));
  }
  return last - Date.parse(startedAt);
}

/** The trials that a request asks for. */
interface Wanted {
  readonly found: RunReference;
  readonly takes: (row: Row) => boolean;
  readonly request: ShowRequest;
  readonly place: ShowPlace;
}

async function* rowsWanted({ found, takes, request: { only } }: Wanted): AsyncGenerator<Row> {
  // The verdicts of expected failures are read from all rows.
  const isUnpassed = only.failed && only.graders.length === 0 && only.verdicts.length === 0;
  for await (const row of isUnpassed ? found.run.unpassed() : rowsOf(found)) {
    if ((found.target === undefined || row.target === found.target) && takes(row)) yield row;
  }
}

/** Shows a line for each trial and gives their number. */
async function showEach(wanted: Wanted): Promise<number> {
  const { screen } = wanted.place;
  const palette = paletteFor(screen.colour);
  let shown = 0;
  for await (const row of rowsWanted(wanted)) {
    shown += 1;
    screen.write(`${trialLine(row, palette)}\n`);
  }
  return shown;
}

async function rebuild(claimed: ClaimedRun, place: ShowPlace): Promise<void> {
  try {
    const fold = runFold();
    await claimed.keepRows((row) => {
      fold.add(row);
      return true;
    });
    const shown = { run: claimed.stored, view: fold.view, ...(await claimed.stored.head()) };
    await json.create(sinkServices(shown, { verbosity: 'quiet' }, place)).close?.();
    await tellAnew(claimed, fold.ended());
  } finally {
    await claimed.release();
  }
}

/** Updates the totals in run.json, which are valid only for the rows and log that they were computed from. */
async function tellAnew(claimed: ClaimedRun, { byStatus, costUsd }: Tally): Promise<void> {
  const { stored: run } = claimed;
  const manifest = await run.manifest();
  if (isUnderWay(manifest.state)) return;
  const events: RunEvent[] = [];
  for await (const event of run.runEvents?.() ?? []) events.push(event);
  // This text is already sanitised.
  const opened = await claimed.open(manifest, createRedactor({ environment: {} }));
  await opened.finish(manifest, { byStatus, costUsd, events });
}

async function showTrial(
  found: RunReference,
  name: string,
  { request, place }: { request: ShowRequest; place: ShowPlace },
): Promise<void> {
  const row = await findTrial(found.run, name, nameOfRun(found));
  const key = trialKey(row);
  const transcript = (await found.run.transcripts(new Set([key]))).get(key) ?? [];
  const { screen } = place;
  if (request.form === 'json') {
    const { digests } = await found.run.manifest();
    const frozen = await frozenOf(found.run, row, digests);
    const whole = { row, transcript, ...(frozen.length === 0 ? {} : { frozen }) };
    return screen.write(printableLine(whole));
  }
  const style = { palette: paletteFor(screen.colour), columns: widthOf(screen), run: request.run };
  screen.write(`${trialPage(row, transcript, style).join('\n')}\n`);
}

async function showRows(wanted: Wanted): Promise<void> {
  for await (const row of rowsWanted(wanted)) wanted.place.screen.write(printableLine(row));
}

async function showFailed(wanted: Wanted): Promise<void> {
  const { request, place } = wanted;
  const { screen } = place;
  const style = { palette: paletteFor(screen.colour), columns: widthOf(screen), run: request.run };
  let shown = 0;
  for await (const row of rowsWanted(wanted)) {
    shown += 1;
    screen.write(`${trialBlock(row, style).join('\n')}\n\n`);
  }
  if (shown > 0) return;
  screen.write(
    isFiltered(request.only) ? 'no such trial failed or errored\n' : 'no trial failed or errored\n',
  );
}

function sinkServices(
  { projectRoot, view, ...found }: RunReference & Pick<SinkServices, 'view' | 'projectRoot'>,
  { verbosity }: Pick<ShowRequest, 'verbosity'>,
  { screen, surroundings }: ShowPlace,
): SinkServices {
  return {
    reader: readerOf(found),
    screen,
    runDirectory: found.run.place,
    ...(found.run.isWithoutFiles === true ? { storedAs: found.run.reference } : {}),
    projectRoot,
    view,
    verbosity,
    ci: true,
    now: surroundings.now,
  };
}

function notRebuilt(run: string): AssayError {
  return new AssayError('usage', `--rebuild needs a run directory, and ${run} is a run of the store`, {
    stage: 'plan',
    hint: 'use assay db rebuild for runs of the store',
  });
}

function widthOf(screen: Screen): number {
  return Math.min(Math.max(screen.columns, 60), 120);
}
