import type { RunView, TargetView } from '../../reading/run-view.ts';
import { passRate } from '../../reading/totals.ts';
import { columnsOf, cutToColumns, padToColumns } from '../../lib/text/terminal-text.ts';
import { outcomesOf, UNJUDGED, unjudgedNote } from '../../reading/outcomes.ts';
import { costsText, durationText, percentText, shareText } from '../../reading/phrases.ts';
import type { Palette } from './palette.ts';
import { clean } from './text.ts';

const MAX_TARGETS = 10;
const BAR = 16;

/** One line per target and one for the run, each narrower than the screen. */
export function liveLines(
  view: RunView,
  elapsedMs: number,
  screen: { columns: number; palette: Palette },
): string[] {
  const shown = view.targets.slice(0, MAX_TARGETS);
  const width = Math.min(24, Math.max(...shown.map(({ target }) => columnsOf(clean(target, 24))), 0));
  const more = view.targets.length - shown.length;
  const run = [`${view.ended}/${view.planned} trials`, ...timeParts(view, elapsedMs)];
  return [
    ...shown.map((target) => targetLine(target, width, screen)),
    ...(more > 0 ? [screen.palette.faint(`and ${more} more targets`)] : []),
    screen.palette.faint(cutToColumns(run.join(', '), screen.columns - 1)),
  ];
}

/** The whole run as one line of plain text. */
export function plainLine(view: RunView, elapsedMs: number): string {
  const several = view.targets.length > 1;
  const parts = several
    ? view.targets.slice(0, MAX_TARGETS).map((target) => `${clean(target.target, 24)} ${doneText(target)}`)
    : [];
  const cost = costsText(view.total.costUsd);
  return [
    `${view.ended}/${view.planned} trials`,
    ...tallyParts(view.total).map(({ text }) => text),
    `${view.inFlight} running`,
    ...(cost === undefined ? [] : [`cost ${cost}`]),
    ...timeParts(view, elapsedMs),
    ...parts,
  ].join(' | ');
}

interface Piece {
  readonly text: string;
  readonly painted: string;
}

/** Drops pieces that do not fit, starting with the last. */
function targetLine(
  target: TargetView,
  width: number,
  screen: { columns: number; palette: Palette },
): string {
  const { palette } = screen;
  const plain = (text: string): Piece => ({ text, painted: text });
  const cost = costsText(target.costUsd);
  const rate = passRate(target.counts);
  const pieces: Piece[] = [
    plain(padToColumns(clean(target.target, 24), width)),
    ...(target.planned === undefined ? [] : [bar(target, palette)]),
    plain(doneText(target)),
    ...tallyParts(target).map(({ text, status }) => ({ text, painted: palette.status[status](text) })),
    ...(rate.measured === 0 ? [] : [plain(`${shareText(rate)} = ${percentText(rate.value)}`)]),
    ...(target.inFlight === 0 ? [] : [plain(`${target.inFlight} running`)]),
    ...(cost === undefined ? [] : [plain(`cost ${cost}`)]),
  ];
  let used = 0;
  const kept: string[] = [];
  for (const { text, painted } of pieces) {
    used += columnsOf(text) + (kept.length === 0 ? 0 : 2);
    if (used >= screen.columns) break;
    kept.push(painted);
  }
  return kept.join('  ');
}

function bar(target: TargetView, palette: Palette): Piece {
  const done = target.counts.total;
  const filled = Math.min(BAR, Math.floor((BAR * done) / Math.max(1, target.planned ?? 0)));
  const text = '█'.repeat(filled) + '░'.repeat(BAR - filled);
  return { text, painted: palette.faint(text) };
}

function doneText(target: TargetView): string {
  return target.planned === undefined
    ? `${target.counts.total} done`
    : `${target.counts.total}/${target.planned}`;
}

/** The counts of outcomes. The last one says if verdicts leave out expected outcomes. */
function tallyParts(tally: Pick<TargetView, 'byStatus' | 'skippedBy' | 'outcomes'>) {
  const parts = outcomesOf(tally)
    .filter(({ count }) => count > 0)
    .map(({ look, count, title }) => ({ status: look, text: `${count} ${title}` }));
  const unjudged = unjudgedNote(tally) === undefined ? '' : `, ${UNJUDGED}`;
  return parts.map((part, place) =>
    place === parts.length - 1 ? { ...part, text: part.text + unjudged } : part,
  );
}

function timeParts(view: RunView, elapsedMs: number): readonly string[] {
  const left = view.planned - view.ended;
  const elapsed = elapsedMs < 1000 ? [] : [durationText(Math.round(elapsedMs / 1000) * 1000)];
  if (view.ended < 3 || left <= 0 || elapsedMs < 1000) return elapsed;
  const remaining = Math.max(1000, Math.round((elapsedMs / view.ended) * (left / 1000)) * 1000);
  return [...elapsed, `about ${durationText(remaining)} left`];
}
