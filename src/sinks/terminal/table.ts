import { meanOf, passRate } from '../../reading/totals.ts';
import type { TargetView } from '../../reading/run-view.ts';
import { columnsOf, padToColumns } from '../../lib/text/terminal-text.ts';
import { outcomeCount, outcomesOf, outcomeTitles, rateNote, unjudgedNote } from '../../reading/outcomes.ts';
import {
  boundsText,
  costText,
  durationText,
  intervalText,
  latencyText,
  ratioText,
  scaleOfRun,
  scoreText,
  shareText,
} from '../../reading/phrases.ts';
import { doubtText, spendingText } from '../../reading/conversation-words.ts';
import { caseRateTexts } from '../../reading/case-rate-texts.ts';
import { shownRate, shownScore } from '../../reading/shown-rate.ts';
import type { Summary } from '../../reading/summary.ts';
import type { Palette } from './palette.ts';
import { clean } from './text.ts';

interface Column {
  readonly title: string;
  readonly align: 'left' | 'right';
  text(target: TargetView): string;
  paint?(text: string, target: TargetView): string;
}

export interface TargetRates {
  readonly targets: readonly TargetView[];
  readonly rates: Summary['rates'];
  readonly latency: Summary['latency'];
  readonly manifest: Pick<Summary['manifest'], 'settings'>;
}

/** One line per target, or one block per target on a narrow screen. */
export function targetTable(
  { targets, ...rest }: TargetRates,
  width: number,
  palette: Palette,
): readonly string[] {
  const columns = columnsFor({ targets, ...rest }, palette);
  const widths = columns.map(({ title, text }) =>
    Math.max(columnsOf(title), ...targets.map((target) => columnsOf(text(target)))),
  );
  const total = widths.reduce((sum, each) => sum + each + 2, -2);
  if (total > width) return targets.flatMap((target) => blockOf(target, columns, palette));
  const cell = (text: string, index: number) => {
    const room = widths[index] ?? 0;
    return columns[index]?.align === 'right'
      ? ' '.repeat(room - columnsOf(text)) + text
      : padToColumns(text, room);
  };
  return [
    palette.faint(
      columns
        .map(({ title }, index) => cell(title, index))
        .join('  ')
        .trimEnd(),
    ),
    ...targets.map((target) =>
      columns
        .map((column, index) => painted(column, target, cell(column.text(target), index)))
        .join('  ')
        .trimEnd(),
    ),
  ];
}

/** Notes below the table: trials that were not measured, and trials with several attempts. */
export function tableNotes(targets: readonly TargetView[], rates: Summary['rates']): readonly string[] {
  const name = (target: TargetView) => (targets.length > 1 ? `${clean(target.target, 40)}: ` : '');
  return targets.flatMap((target) => {
    const bounds = boundsText(shownRate(target, rates), target.counts.errored);
    const first = passRate(target.firstAttempt);
    const retried =
      `${target.retried} of ${target.counts.total} trials took more than one attempt; ` +
      `first attempts alone: ${shareText(first)} passed, ${target.firstAttempt.errored} errored`;
    const rate = rateNote(target);
    const unjudged = unjudgedNote(target);
    const spending = spendingText(target);
    const ofCases = rates.get(target.target);
    const doubt = doubtText(target);
    return [
      ...(rate === undefined ? [] : [name(target) + rate]),
      ...(unjudged === undefined ? [] : [name(target) + unjudged]),
      ...(bounds === undefined ? [] : [name(target) + bounds]),
      ...(target.retried === 0 ? [] : [name(target) + retried]),
      ...(ofCases === undefined ? [] : caseRateTexts(ofCases).map((text) => name(target) + text)),
      ...(doubt === undefined ? [] : [name(target) + doubt]),
      ...(spending === undefined ? [] : [name(target) + spending]),
    ];
  });
}

function columnsFor({ targets, rates, latency, manifest }: TargetRates, palette: Palette): readonly Column[] {
  const scale = scaleOfRun(manifest);
  const count = (title: string): Column => ({
    title,
    align: 'right',
    text: (target) => String(outcomeCount(target, title)),
    paint: (text, target) => {
      const outcome = outcomesOf(target).find((each) => each.title === title);
      return outcome === undefined || outcome.count === 0
        ? palette.faint(text)
        : palette.status[outcome.look](text);
    },
  });
  const hasCost = targets.some(({ costUsd }) => costUsd.agent.known > 0);
  return [
    { title: 'target', align: 'left', text: ({ target }) => clean(target, 40), paint: palette.strong },
    ...outcomeTitles(targets).map(count),
    { title: 'pass rate [95 %]', align: 'left', text: (target) => rateText(target, rates) },
    { title: 'avg score', align: 'right', text: (target) => scoreText(shownScore(target, rates), scale) },
    { title: 'avg time', align: 'right', text: ({ durationMs }) => timeText(meanOf(durationMs)) },
    {
      title: 'latency p50 / p95',
      align: 'left',
      text: ({ target }) => latencyText(latency.get(target)),
    },
    ...(hasCost
      ? [
          {
            title: 'agent cost',
            align: 'left' as const,
            text: ({ costUsd }: TargetView) => costText(costUsd.agent),
          },
        ]
      : []),
  ];
}

/** `18/20 = 90 % [69.9, 97.2]`. */
export function rateText(target: TargetView, rates: Summary['rates']): string {
  const rate = shownRate(target, rates);
  if (rate.measured === 0) return 'nothing measured';
  return `${ratioText(rate)} ${intervalText(rate.interval)}`;
}

function timeText(ms: number | null): string {
  return ms === null ? '-' : durationText(ms);
}

function blockOf(target: TargetView, columns: readonly Column[], palette: Palette): readonly string[] {
  const [first, ...others] = columns;
  const width = Math.max(...others.map(({ title }) => columnsOf(title)));
  return [
    ...(first === undefined ? [] : [painted(first, target, first.text(target))]),
    ...others.map(
      (column) =>
        `  ${palette.faint(padToColumns(column.title, width))}  ${painted(column, target, column.text(target))}`,
    ),
  ];
}

function painted(column: Column, target: TargetView, text: string): string {
  return column.paint?.(text, target) ?? text;
}
