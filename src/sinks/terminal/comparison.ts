import type { ComparedCase, MovedCase, RunComparison, TargetComparison } from '../../core/run-comparison.ts';
import type { Screen } from '../../core/log.ts';
import type { Interval } from '../../lib/wilson.ts';
import { plural } from '../../lib/text/plural.ts';
import { durationText, scoreText } from '../../reading/phrases.ts';
import { paletteFor, type Palette } from './palette.ts';
import { clean } from './text.ts';

const SHOWN_DIFFERENCES = 8;
const SHOWN_CASES = 5;

/** Prints the sentence, the differences between the targets, then the numbers. Lists all cases only on request. */
export function printComparison(screen: Screen, comparison: RunComparison, detail: 'short' | 'all'): void {
  const palette = paletteFor(screen.colour);
  const { comparisons, unpaired } = comparison;
  const several = comparisons.length !== 1;
  const lines = [
    ...(several ? [painted(comparison, palette)] : []),
    ...comparisons.flatMap((target) => targetLines(target, { comparison, palette, detail, several })),
    ...unpairedLines('base', unpaired.base),
    ...unpairedLines('candidate', unpaired.candidate),
  ];
  const hidden = detail === 'short' && comparisons.some((target) => hasMore(target, comparison));
  const more = hidden ? [palette.faint('  --verbose lists every case, --json has everything')] : [];
  screen.write(`${[...lines, ...more].join('\n')}\n`);
}

interface Style {
  readonly comparison: RunComparison;
  readonly palette: Palette;
  readonly detail: 'short' | 'all';
  readonly several: boolean;
}

const NO_DIFFERENCE =
  '  differs     nothing in the config of the target; assay does not look inside the program that it runs';

function targetLines(target: TargetComparison, style: Style): readonly string[] {
  const { comparison, palette, detail, several } = style;
  const head = painted(target, palette);
  const { means, result, ratios } = target;
  const value = valueTexts(comparison);
  const shown = detail === 'all' ? target.differs : target.differs.slice(0, SHOWN_DIFFERENCES);
  const left = target.differs.length - shown.length;
  return [
    ...(several ? ['', palette.strong(clean(target.targets.candidate, 60)), head] : [head]),
    ...(target.differs.length === 0 ? [NO_DIFFERENCE] : []),
    ...shown.map(
      ({ what, base, candidate }) => `  differs     ${clean(what, 80)}: ${side(base)} -> ${side(candidate)}`,
    ),
    ...(left > 0 ? [`              and ${left} more`] : []),
    ...(means === null || result === null
      ? []
      : [
          `  ${comparison.options.on.padEnd(10)}  ${value(means.base)} -> ${value(means.candidate)}, difference ${signed(result.difference)} ${range(result.interval)} over ${plural(result.pairs, 'case')}, ${result.informative} of them differ`,
        ]),
    ...gateLines(target),
    ...(ratios === null ? [] : ratioLines(ratios)),
    ...lists(target, comparison).flatMap((list) => listLines(list, detail)),
    ...(detail === 'all' && result !== null ? [palette.faint(`  ${methodText(result)}`)] : []),
  ];
}

function painted(
  { verdict, sentence }: { readonly verdict: string; readonly sentence: string },
  palette: Palette,
): string {
  const text = clean(sentence, 2000);
  const paint =
    verdict === 'regressed'
      ? palette.status.failed
      : verdict === 'improved' || verdict === 'equivalent'
        ? palette.status.passed
        : palette.status.errored;
  return text.startsWith(verdict) ? paint(verdict) + text.slice(verdict.length) : text;
}

const SHOWN_GATES = 8;

function gateLines({ newlyFallen }: Pick<TargetComparison, 'newlyFallen'>): readonly string[] {
  if (newlyFallen.length === 0) return [];
  const more = newlyFallen.length - SHOWN_GATES;
  const names = newlyFallen.slice(0, SHOWN_GATES).map((name) => clean(name, 80));
  return [`  failed required graders  ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`];
}

function methodText({ p, draws, unequal }: NonNullable<TargetComparison['result']>): string {
  const shown = `p = ${Number(p.toPrecision(4))}`;
  if (unequal > 0) {
    const how = draws === 'all' ? 'all arrangements' : `${draws} random arrangements`;
    const redrawn = `permuting the sides of trials in ${plural(unequal, 'case')} with unequal repetitions`;
    return `${shown}, by ${redrawn}: ${how}; 95 % interval from the same draws`;
  }
  const how = draws === 'all' ? 'all sign patterns' : `${draws} random sign patterns`;
  return `${shown}, by sign-flip: ${how}; 95 % interval, paired`;
}

const ratioNames = { costUsd: 'cost', tokens: 'tokens', latencyMs: 'latency' } as const;

function ratioLines(ratios: NonNullable<TargetComparison['ratios']>): readonly string[] {
  const kinds = ['costUsd', 'tokens', 'latencyMs'] as const;
  return kinds.flatMap((kind) => {
    const found = ratios[kind];
    if (found === null || found.ratio === null) return [];
    const { base, candidate, ratio, interval, cases } = found;
    const bounds =
      interval === null
        ? ''
        : ` [${Number(interval.lower.toFixed(2))}, ${Number(interval.upper.toFixed(2))}]`;
    const medians = `median ${amount(base, kind)} -> ${amount(candidate, kind)}`;
    return [
      `  ${ratioNames[kind].padEnd(10)}  x ${Number(ratio.toFixed(2))}${bounds}, ${medians} over ${plural(cases, 'case')}`,
    ];
  });
}

function amount(value: number, kind: keyof typeof ratioNames): string {
  if (kind === 'latencyMs') return durationText(value);
  const shown = Number(value.toPrecision(3));
  return kind === 'costUsd' ? `$${shown}` : String(shown);
}

/** A list of cases. Only the shown ones are turned into text. */
interface CaseList {
  readonly title: string;
  readonly length: number;
  textAt(index: number): string;
}

function lists(
  target: TargetComparison,
  comparison: Pick<RunComparison, 'caseNames' | 'options' | 'scoredIn'>,
): readonly CaseList[] {
  const { caseNames: names = {} } = comparison;
  const value = valueTexts(comparison);
  const nameText = ({ suite, caseId }: ComparedCase): string =>
    Object.hasOwn(names, caseId)
      ? clean(`${names[caseId]} (${caseId})`, 160)
      : `${clean(suite, 80)}:${clean(caseId, 120)}`;
  const movedIn = (text: (shown: number) => string) => (moved: MovedCase) =>
    `${nameText(moved)} ${text(moved.base)} -> ${text(moved.candidate)}`;
  const list = <Item>(title: string, items: readonly Item[], text: (item: Item) => string): CaseList => ({
    title,
    length: items.length,
    textAt: (index) => text(items[index] as Item),
  });
  return [
    list('worse', target.worse, movedIn(value)),
    list('better', target.better, movedIn(value)),
    list('passed less', unlessSame(target.passedLess, target.worse), movedIn(number)),
    list('passed more', unlessSame(target.passedMore, target.better), movedIn(number)),
    list('not measured', target.notMeasured, (each) => `${nameText(each)} (${each.side})`),
    list('only in base', target.onlyInBase, nameText),
    list('only in candidate', target.onlyInCandidate, nameText),
    list('changed', target.changed, (each) => `${nameText(each)} (${each.what.join(', ')})`),
  ];
}

function listLines({ title, length, textAt }: CaseList, detail: Style['detail']): readonly string[] {
  if (length === 0) return [];
  const shown = Array.from({ length: detail === 'all' ? length : Math.min(length, SHOWN_CASES) }, (_, i) =>
    textAt(i),
  );
  if (detail === 'all') return [`  ${title} (${length})`, ...shown.map((text) => `    ${text}`)];
  const rest = length > shown.length ? `, and ${length - shown.length} more` : '';
  return [`  ${title.padEnd(10)}  ${shown.join(', ')}${rest}`];
}

function unpairedLines(where: 'base' | 'candidate', names: readonly string[]): readonly string[] {
  return names.length === 0
    ? []
    : [`targets only in the ${where}: ${names.map((name) => clean(name, 60)).join(', ')}`];
}

function hasMore(target: TargetComparison, comparison: RunComparison): boolean {
  return (
    target.differs.length > SHOWN_DIFFERENCES ||
    lists(target, comparison).some(({ length }) => length > SHOWN_CASES)
  );
}

/** If all scores are 0 or 1, cases with a worse score are those that no longer pass, and are already listed. */
function unlessSame(flipped: readonly MovedCase[], moved: readonly MovedCase[]): readonly MovedCase[] {
  const isSame = flipped.length === moved.length && flipped.every((each, i) => isSameMove(each, moved[i]));
  return isSame ? [] : flipped;
}

function isSameMove(one: MovedCase, other: MovedCase | undefined): boolean {
  return (
    one.caseId === other?.caseId &&
    one.suite === other.suite &&
    one.base === other.base &&
    one.candidate === other.candidate
  );
}

function side(value: string | null): string {
  return value === null ? 'nothing' : clean(value, 120);
}

/** How the compared values are shown: scores of stored cases in percent, shares as fractions. */
function valueTexts({ options, scoredIn }: Pick<RunComparison, 'options' | 'scoredIn'>) {
  return (value: number) => scoreText(value, options.on === 'score' ? scoredIn : 'fraction');
}

function number(value: number): string {
  return String(Number(value.toFixed(3)));
}

function signed(value: number): string {
  return `${value > 0 ? '+' : ''}${number(value)}`;
}

function range({ lower, upper }: Interval): string {
  return `[${signed(lower)}, ${signed(upper)}]`;
}
