import type { RunReader, Screen, SinkServices } from '../core/log.ts';
import type { Fact, Frozen, Manifest, Row } from '../core/run.ts';
import { isObject } from '../lib/json.ts';
import { runFold } from '../core/run-view.ts';
import { parseTrialKey, trialKey } from '../core/trial.ts';
import { readSummary } from '../sinks/summary.ts';
import { partialText } from '../sinks/partial-text.ts';
import { printEnd, SHOWN_ROWS } from '../sinks/terminal/end.ts';
import { printGates } from '../sinks/terminal/gates.ts';
import { stripLine } from '../lib/text/terminal-text.ts';
import { paletteFor } from '../sinks/terminal/palette.ts';
import { trialBlock } from '../sinks/terminal/trial-block.ts';
import { trialPage } from '../sinks/terminal/trial-page.ts';
import { findRun, nameOfRun, type RunReference } from '../storage/run-directory/find.ts';
import { labelDigest } from './run/frozen-copies.ts';
import { readFrozen } from '../storage/run-directory/frozen.ts';
import { acquireLock } from '../storage/run-directory/lock.ts';
import { readManifest } from '../storage/run-directory/manifest.ts';
import { lastRows, openRunReader } from '../storage/run-directory/reader.ts';
import { unpassedRows } from '../storage/run-directory/row-lines.ts';
import { rewriteRows } from '../storage/run-directory/rewrite-rows.ts';
import { judgeRates, type JudgeRates } from './calibration/judge-rates.ts';
import { findTrial } from './show/find-trial.ts';
import { outputDirectory } from './project/output-directory.ts';
import { presentState } from './show/present-state.ts';
import { openResults } from './run/reporters.ts';
import type { Surroundings } from './run-options.ts';
import { trialLine } from './show/trial-line.ts';

export interface ShowRequest {
  /** Directory, id, beginning of an id, or `latest`; `#target` narrows. */
  readonly run: string;
  readonly out?: string;
  /** Key of one trial, or a case id that only one trial has. */
  readonly trial?: string;
  /** Only what failed or errored. */
  readonly failed: boolean;
  /** Write results.jsonl and results.json again first. */
  readonly rebuild: boolean;
  readonly form: 'text' | 'json';
  readonly verbosity: 'quiet' | 'normal' | 'verbose';
}

export interface ShowPlace {
  readonly screen: Screen;
  readonly surroundings: Surroundings;
}

/** Shows a stored run, some of its trials, or one trial whole. */
export async function showRun(request: ShowRequest, place: ShowPlace): Promise<void> {
  const runs = await outputDirectory(request.out, place.surroundings);
  const found = findRun(request.run, runs, place.surroundings.cwd);
  if (request.rebuild) await rebuild(found, place);
  if (request.trial !== undefined) return showTrial(found, request.trial, { request, place });
  if (request.form === 'json') return showRows(found, request, place);
  if (request.failed) return showFailed(found, request, place);
  if (request.verbosity === 'verbose') await showEach(found, request, place);
  const manifest = readManifest(found.paths);
  const state = presentState(found.paths, manifest);
  const elapsedMs = await elapsedUntilNow(found, manifest);
  const judges = judgeRates();
  const summary = await readSummary(tellingJudges(readerOf(found), judges), SHOWN_ROWS);
  const { reason } = manifest;
  const view = () => ({ ...summary.view, state, ...(reason === undefined ? {} : { reason }) });
  printEnd(sinkServices({ ...found, view }, request, place), summary, elapsedMs);
  const { projectRoot, digests, gates, baseline, noEvidence, partial } = manifest;
  if (gates !== undefined) printGates(place.screen, gates);
  if (baseline !== undefined)
    place.screen.write(
      `\nAgainst the baseline ${stripLine(baseline.base)}: ${stripLine(baseline.sentence)}\n`,
    );
  if (partial !== undefined) place.screen.write(`\n${stripLine(partialText(partial))}\n`);
  if (noEvidence !== undefined) place.screen.write(`\n${stripLine(noEvidence)}\n`);
  const spent = summary.view.total.costUsd.judge;
  if (spent.known + spent.unknown === 0) return;
  for (const line of judges.lines(projectRoot, digests)) place.screen.write(`${line}\n`);
}

/** Rows are read once, for the judges too. */
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

/** Only the rows of the target that was named. */
function readerOf({ paths, target }: RunReference): RunReader {
  const reader = openRunReader(paths);
  if (target === undefined) return reader;
  return {
    ...reader,
    manifest: async () => {
      const manifest = await reader.manifest();
      return { ...manifest, targets: manifest.targets.filter(({ name }) => name === target) };
    },
    async *rows() {
      for await (const row of reader.rows()) if (row.target === target) yield row;
    },
    async *runEvents() {
      for await (const event of reader.runEvents?.() ?? []) {
        if (event.trial !== undefined && parseTrialKey(event.trial)?.target !== target) continue;
        yield { ...event, fact: planOf(event.fact, target) };
      }
    },
  };
}

/** What was planned, narrowed to a target. */
function planOf(fact: Fact, target: string): Fact {
  if ((fact.type !== 'run-start' && fact.type !== 'run-resume') || fact.plan === undefined) return fact;
  const trials = fact.plan.trialsByTarget?.[target] ?? 0;
  return { ...fact, plan: { ...fact.plan, trials, trialsByTarget: { [target]: trials } } };
}

/** Of a run without an end: until its last trial ended, milliseconds. */
async function elapsedUntilNow({ paths }: RunReference, { startedAt, endedAt }: Manifest): Promise<number> {
  let last = Date.parse(endedAt ?? startedAt);
  if (endedAt === undefined) {
    for await (const row of openRunReader(paths).rows()) last = Math.max(last, Date.parse(row.endedAt));
  }
  return last - Date.parse(startedAt);
}

async function showEach(found: RunReference, request: ShowRequest, { screen }: ShowPlace): Promise<void> {
  const palette = paletteFor(screen.colour);
  for await (const row of openRunReader(found.paths).rows()) {
    if (takes(found, request, row)) screen.write(`${trialLine(row, palette)}\n`);
  }
}

async function rebuild({ paths }: RunReference, place: ShowPlace): Promise<void> {
  const lock = acquireLock(paths.lock);
  try {
    await rewriteRows(paths.rows, lastRows(paths.events), () => true);
    const fold = runFold();
    for await (const row of openRunReader(paths).rows()) fold.add(row);
    const services = sinkServices({ paths, view: fold.view }, { verbosity: 'quiet' }, place);
    await openResults(services).close?.();
  } finally {
    lock.release();
  }
}

async function showTrial(
  found: RunReference,
  name: string,
  { request, place }: { request: ShowRequest; place: ShowPlace },
): Promise<void> {
  const row = await findTrial(found.paths, name, nameOfRun(found));
  const key = trialKey(row);
  const transcript = (await openRunReader(found.paths).transcripts(new Set([key]))).get(key) ?? [];
  const { screen } = place;
  if (request.form === 'json') {
    const frozen = await frozenOf(found, row);
    const whole = { row, transcript, ...(frozen.length === 0 ? {} : { frozen }) };
    return screen.write(`${JSON.stringify(whole)}\n`);
  }
  const style = { palette: paletteFor(screen.colour), columns: widthOf(screen), run: request.run };
  screen.write(`${trialPage(row, transcript, style).join('\n')}\n`);
}

/** The copies that a trial names by their digests. */
async function frozenOf({ paths }: RunReference, row: Row): Promise<readonly Frozen[]> {
  const { digests } = readManifest(paths);
  const { target: _, ...own } = row.digests;
  const named = [...Object.values(own), ...row.grades.flatMap(({ digest }) => digest ?? [])];
  const wanted = new Set([
    labelDigest(row.caseId),
    ...named.map((number) => digests[number]),
    ...row.grades.map(({ details }) => (isObject(details) ? details['promptDigest'] : undefined)),
  ]);
  const found: Frozen[] = [];
  for await (const copy of readFrozen(paths, wanted)) found.push(copy);
  return found;
}

async function showRows(found: RunReference, request: ShowRequest, { screen }: ShowPlace): Promise<void> {
  for await (const row of rowsFor(found, request)) {
    if (takes(found, request, row)) screen.write(`${JSON.stringify(row)}\n`);
  }
}

async function showFailed(found: RunReference, request: ShowRequest, { screen }: ShowPlace): Promise<void> {
  const style = { palette: paletteFor(screen.colour), columns: widthOf(screen), run: request.run };
  let shown = 0;
  for await (const row of rowsFor(found, request)) {
    if (!takes(found, request, row)) continue;
    shown += 1;
    screen.write(`${trialBlock(row, style).join('\n')}\n\n`);
  }
  if (shown === 0) screen.write('nothing failed and nothing errored\n');
}

function rowsFor({ paths }: RunReference, { failed }: ShowRequest): AsyncIterable<Row> {
  return failed ? unpassedRows(paths) : openRunReader(paths).rows();
}

function takes({ target }: RunReference, { failed }: ShowRequest, row: Row): boolean {
  if (target !== undefined && row.target !== target) return false;
  return !failed || (!row.passed && row.verdict !== 'skipped');
}

function sinkServices(
  { paths, target, view }: RunReference & Pick<SinkServices, 'view'>,
  { verbosity }: Pick<ShowRequest, 'verbosity'>,
  { screen, surroundings }: ShowPlace,
): SinkServices {
  return {
    reader: readerOf({ paths, ...(target === undefined ? {} : { target }) }),
    screen,
    runDirectory: paths.directory,
    projectRoot: readManifest(paths).projectRoot,
    view,
    seesAll: false,
    verbosity,
    ci: true,
    now: surroundings.now,
  };
}

function widthOf(screen: Screen): number {
  return Math.min(Math.max(screen.columns, 60), 120);
}
