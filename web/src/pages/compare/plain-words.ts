import type { ComparedValue, RunComparison, TargetComparison } from '../../../../src/core/run-comparison.ts';

type Compared = Pick<TargetComparison, 'verdict' | 'result' | 'worse' | 'better'>;

/** What a comparison of one target says, in everyday words and without numbers of statistics. */
export function plainWords({ verdict, result, worse, better }: Compared): string {
  const counts = `${casesText(better.length)} better, ${casesText(worse.length)} worse`;
  switch (verdict) {
    case 'improved':
      return `Improved: ${counts}. Chance alone hardly explains this.`;
    case 'regressed':
      return `Regressed: ${counts}. Chance alone hardly explains this.`;
    case 'equivalent':
      return `Equivalent, no difference that matters: ${counts}.`;
    case 'invalid':
      return 'Invalid: these two sides cannot be compared.';
    case 'inconclusive':
      return inconclusiveWords(counts, { worse, better, result });
    default:
      return verdict satisfies never;
  }
}

function inconclusiveWords(counts: string, { worse, better, result }: Omit<Compared, 'verdict'>): string {
  const compared = `of ${casesText(result?.pairs ?? 0)} compared`;
  if (worse.length === 0 && better.length === 0)
    return `Inconclusive: no case changed, ${compared}. A small difference is still possible.`;
  return `${direction({ worse, better })}: ${counts}, ${compared}. That can be chance.`;
}

function direction({ worse, better }: Pick<Compared, 'worse' | 'better'>): string {
  if (worse.length === 0) return 'Better, but inconclusive';
  return better.length === 0 ? 'Worse, but inconclusive' : 'Inconclusive';
}

function casesText(count: number): string {
  return count === 1 ? '1 case' : `${count} cases`;
}

/** What needs a word in a comparison: its units, and the numbers of its sentence. */
export function explainedWords({
  sentence,
  options,
  comparisons,
  scoredIn,
}: Pick<RunComparison, 'sentence' | 'options' | 'comparisons' | 'scoredIn'>): readonly string[] {
  const [first, ...others] = comparisons;
  const pairs = others.length === 0 ? first?.result?.pairs : undefined;
  const isNeeded = /\bwith about\b|\bwould tell\b/.test(sentence) && pairs !== undefined;
  return [
    ...(comparisons.some(({ result }) => result !== null) ? [pointsWord(options.on, scoredIn)] : []),
    ...(/\bp [=<]/.test(sentence) ? [P_WORD] : []),
    ...(isNeeded
      ? [
          `The last number of cases is how many would be needed; ${pairs === 1 ? '1 was' : `${pairs} were`} compared.`,
        ]
      : []),
  ];
}

const P_WORD =
  '“p” is how often chance alone would give such a difference: below 0.05, a single comparison counts as real.';

function pointsWord(on: ComparedValue, scoredIn: RunComparison['scoredIn']): string {
  if (on === 'score' && scoredIn === 'percent') return 'Scores go from 0 to 100: from 50 to 60 is 10 points.';
  return on === 'passed'
    ? 'A “point” is 1 of 100: from 50 % to 60 % passed is 10 points.'
    : 'A “point” is 1 hundredth of the score: from 0.5 to 0.6 is 10 points.';
}
