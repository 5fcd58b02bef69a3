import { isAbsolute, join, relative, resolve } from 'node:path';

import type { SinkServices } from '../plugin.ts';
import type { Row } from '../../core/run.ts';
import type { RunView } from '../../reading/run-view.ts';
import { trialKey } from '../../core/trial.ts';
import { failedTitle, outcomesOf, outcomesText, outcomeText } from '../../reading/outcomes.ts';
import { cachedCountText } from '../../reading/cached.ts';
import { plural } from '../../lib/text/plural.ts';
import { caseText, breakdownText, durationText, moreNotesText } from '../../reading/phrases.ts';
import { steeredText } from '../../reading/steering.ts';
import { notShown, REPETITIONS_NOTE, sameErrorText, type Summary } from '../../reading/summary.ts';
import { paletteFor, type Palette } from './palette.ts';
import { placeText } from './progress.ts';
import { rateText, tableNotes, targetTable } from './table.ts';
import { clean, shellWord } from './text.ts';
import { trialBlock } from './trial-block.ts';

const MAX_BLOCKS = 20;
const MAX_EXPECTED = 10;

/** What the last lines of a run need. */
interface Ending extends Summary {
  readonly services: SinkServices;
  readonly palette: Palette;
  /** The run as seen in the events of this process. */
  readonly seen: RunView;
  readonly elapsedMs: number;
}

/** Number of rows of each kind that the end of a run shows. */
export const SHOWN_ROWS = MAX_BLOCKS;

/** `elapsedMs`: used when the manifest has no end time yet. */
export function printEnd(services: SinkServices, summary: Summary, elapsedMs: number): void {
  const palette = paletteFor(services.screen.colour);
  const { startedAt, endedAt } = summary.manifest;
  const whole = endedAt === undefined ? elapsedMs : Date.parse(endedAt) - Date.parse(startedAt);
  const ending = { ...summary, services, palette, seen: services.view(), elapsedMs: whole };
  const lines = services.verbosity === 'quiet' ? verdictLines(ending) : everything(ending);
  services.screen.write(`${lines.join('\n')}\n`);
}

function everything(ending: Ending): readonly string[] {
  const { palette, view } = ending;
  const columns = widthOf(ending);
  const table = targetTable({ ...ending, targets: view.targets }, columns, palette);
  const notes = [...tableNotes(view.targets, ending.rates), ...(ending.repeated ? [REPETITIONS_NOTE] : [])];
  return [
    ...trialBlocks(ending, columns),
    ...expectedLines(ending),
    '',
    ...table,
    ...notes.map((note) => palette.faint(note)),
    '',
    ...stateLines(ending),
    ...noteLines(ending),
    ...cachedLines(ending),
    ...steeredLines(ending),
    ...runNoteLines(ending),
    ...sinkErrorLines(ending),
    ...nextLines(ending),
  ];
}

function trialBlocks(ending: Ending, columns: number): readonly string[] {
  const { palette, view } = ending;
  const { byStatus } = view.total;
  const style = { palette, columns, run: runWord(ending) };
  const failed = ending.failed.slice(0, MAX_BLOCKS);
  const errored = ending.errored.slice(0, MAX_BLOCKS - failed.length);
  const more = notShown(ending, [...failed, ...errored]);
  return [
    ...(failed.length === 0 ? [] : ['', palette.strong(failedTitle(view.total))]),
    ...failed.flatMap((row) => ['', ...trialBlock(row, style)]),
    ...(byStatus.errored === 0
      ? []
      : [
          '',
          palette.strong(
            `${plural(byStatus.errored, 'trial')} errored: not measured, so neither passed nor failed`,
          ),
        ]),
    ...(byStatus.errored === 0
      ? []
      : [palette.faint(`by stage/kind: ${breakdownText(view.total.erroredBy)}`)]),
    ...errored.flatMap((row) => ['', ...trialBlock(row, style), ...sameErrorLines(row, ending)]),
    ...(more > 0
      ? ['', `and ${more} more: ${palette.command(`assay show ${shellWord(style.run)} --failed`)}`]
      : []),
  ];
}

function sameErrorLines(row: Row, { sameError }: Ending): readonly string[] {
  const text = sameErrorText(sameError.get(row));
  return text === undefined ? [] : [`    ${clean(text, 600)}`];
}

function expectedLines({ expectedFailed, view, palette }: Ending): readonly string[] {
  const count = view.total.byStatus['expected-failed'];
  if (count === 0) return [];
  const shown = expectedFailed.slice(0, MAX_EXPECTED);
  const more = count - shown.length;
  return [
    '',
    palette.strong(`${plural(count, 'trial')} failed as expected`),
    ...shown.map((row) => `    ${clean(caseText(row), 120)}  ${palette.faint(placeText(row))}`),
    ...(more > 0 ? [`    and ${more} more`] : []),
  ];
}

/** The line with the outcome of the run. */
function stateLines(ending: Ending): readonly string[] {
  const { manifest, palette, seen, view, elapsedMs } = ending;
  const parts = outcomesOf(view.total)
    .filter(({ count }) => count > 0)
    .map((outcome) => palette.status[outcome.look](outcomeText(outcome)));
  const state = stateOf(ending);
  const trials = `${plural(view.ended, 'trial')} in ${durationText(elapsedMs)}`;
  const left = manifest.trials - view.ended;
  const reason = seen.reason === undefined ? '' : ` (${clean(seen.reason, 120)})`;
  const unfinished = `The run was ${state}${reason}: ${left} of ${manifest.trials} trials have no outcome yet.`;
  const allGraded = `The graded run was ${state} before its end: trials without an outcome could not be graded.`;
  return [
    `${parts.length === 0 ? 'no trial has an outcome' : parts.join(', ')}: ${trials}`,
    ...(state === 'interrupted' || state === 'stopped'
      ? [palette.status.errored(left > 0 ? unfinished : allGraded)]
      : []),
    ...(state === 'running' && left > 0
      ? [`The run is still running: ${left} of ${manifest.trials} trials have no outcome yet.`]
      : []),
  ];
}

/** Notes of trials that are not shown as a block. */
function noteLines(ending: Ending): readonly string[] {
  const { count, first } = ending.withNotes;
  if (first === undefined) return [];
  const { palette } = ending;
  const more = count > 1 ? `, the first of ${count}` : '';
  const note = clean((first.notes ?? []).join('; '), 300);
  return [
    palette.status.errored(`${plural(count, 'warning')}: ${clean(caseText(first), 120)}${more}: ${note}`),
    ...showLines(first, ending),
  ];
}

function cachedLines({ cached, palette }: Ending): readonly string[] {
  const text = cachedCountText(cached);
  return text === undefined ? [] : [palette.faint(text)];
}

function steeredLines(ending: Ending): readonly string[] {
  const { first } = ending.steered;
  const text = steeredText(ending.steered);
  if (first === undefined || text === undefined) return [];
  return [ending.palette.status.errored(clean(text, 500)), ...showLines(first, ending)];
}

function showLines(row: Row, ending: Ending): readonly string[] {
  const key = shellWord(trialKey(row));
  if (key.length > 500) return [];
  return [`  ${ending.palette.command(`assay show ${shellWord(runWord(ending))} --trial ${key}`)}`];
}

/** Warnings about the whole run. */
function runNoteLines({ seen, palette }: Ending): readonly string[] {
  if (seen.notes === undefined) return [];
  const more = moreNotesText(seen.notes);
  return [
    ...seen.notes.first.map((note) => palette.status.errored(`Warning: ${clean(note, 500)}`)),
    ...(more === undefined ? [] : [palette.status.errored(more)]),
  ];
}

function sinkErrorLines({ seen, palette }: Ending): readonly string[] {
  return seen.sinkErrors.map(({ sink, message }) =>
    palette.status.errored(`The ${clean(sink, 40)} report could not be written: ${clean(message)}`),
  );
}

function nextLines(ending: Ending): readonly string[] {
  const { palette, view, manifest, services } = ending;
  const run = shellWord(runWord(ending));
  const { failed, errored } = view.total.byStatus;
  const planned = manifest.kind === 'run' && manifest.mergedFrom === undefined;
  const unfinished = planned && /interrupted|stopped/.test(stateOf(ending)) && view.ended < manifest.trials;
  const workers = manifest.command.includes('--workers') ? ' --workers' : '';
  const more = `${workers}${manifest.reason === 'budget' ? ' --max-cost USD' : ''}`;
  const next = [
    ...(unfinished ? [[`assay resume ${run}${more}`, 'runs the remaining trials']] : []),
    ...(failed + errored > 0 ? [[`assay show ${run} --failed`, 'shows what failed or errored']] : []),
    ...(planned && errored > 0
      ? [[`assay resume ${run}${workers} --retry errored`, 'runs the errored trials again']]
      : []),
    ...(services.dashboard === undefined
      ? []
      : [[`assay upload ${run}`, `shows this run in the dashboard at ${clean(services.dashboard, 100)}`]]),
  ];
  const width = Math.max(...next.map(([command = '']) => command.length), 0);
  return [
    `Results: ${resultsOf(ending)}`,
    ...reportLines(ending),
    ...next.map(
      ([command = '', what = '']) => `  ${palette.command(command.padEnd(width))}  ${palette.faint(what)}`,
    ),
  ];
}

/** Every run has a results.json, so it is listed only if it was requested at another path. */
function reportLines(ending: Ending): readonly string[] {
  const { reports = [], runDirectory } = ending.services;
  return [...reports]
    .filter(([path]) => path !== join(runDirectory, 'results.json'))
    .map(([path, type]) => `  ${clean(type, 40)}: ${asTyped(path, ending)}`);
}

function verdictLines(ending: Ending): readonly string[] {
  return [
    ...ending.view.targets.map((target) => {
      const rate = target.counts.passed + target.counts.failed === 0 ? '' : 'pass rate ';
      return `${clean(target.target, 40)}: ${rate}${rateText(target, ending.rates)}; ${outcomesText(target, ['failed', 'errored'])}`;
    }),
    ...stateLines(ending).slice(1),
    ...sinkErrorLines(ending),
  ];
}

function stateOf({ seen, manifest }: Ending): RunView['state'] {
  return seen.state === 'running' ? manifest.state : seen.state;
}

function widthOf({ services: { screen } }: Ending): number {
  return screen.isTty ? screen.columns : Math.max(screen.columns, 160);
}

function resultsOf(ending: Ending): string {
  const { storedAs } = ending.services;
  return storedAs === undefined ? placeOf(ending) : `${clean(storedAs, 80)} in the store`;
}

/** The run directory, relative to the directory in which the run was started. */
function placeOf(ending: Ending): string {
  return asTyped(ending.services.runDirectory, ending);
}

function asTyped(absolute: string, ending: Ending): string {
  const path = relative(startedIn(ending), absolute);
  return clean(isOutside(path) ? absolute : path, 500);
}

/** The run id if it can be found from the current project, else the run directory. */
function runWord(ending: Ending): string {
  const { services, manifest } = ending;
  if (services.storedAs !== undefined) return manifest.id;
  const usual = join(services.projectRoot, '.assay', 'runs', manifest.id);
  const isFound =
    services.runDirectory === usual && !isOutside(relative(services.projectRoot, startedIn(ending)));
  return isFound ? manifest.id : placeOf(ending);
}

function startedIn({ services, manifest }: Ending): string {
  return resolve(services.projectRoot, manifest.cwd);
}

function isOutside(path: string): boolean {
  return path.startsWith('..') || isAbsolute(path);
}
