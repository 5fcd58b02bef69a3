import { plural } from '../../../../src/lib/text/plural.ts';
import { fewestCases } from '../../parts/fewest-cases.ts';
import { usdText, type Plan } from './plan.ts';

/** Trials and cost of a plan, and whether it has too few cases to show a change. */
export function planInShort({
  trials,
  cases,
  estimate: { usd },
}: Pick<Plan, 'trials' | 'cases' | 'estimate'>): string {
  const cost = usd === null ? 'cost unknown' : `estimated cost ${usdText(usd)}`;
  const run = cases.filter(({ skip }) => skip === undefined);
  const targets = new Set(run.flatMap((each) => each.targets)).size;
  const fewest = fewestCases(targets);
  const runs = targets > 1 ? `two runs of ${targets} targets` : 'two runs';
  const few = ` Fewer than ${fewest} cases cannot show a change between ${runs}.`;
  return `${plural(trials, 'trial')}, ${cost}.${run.length < fewest ? few : ''}`;
}
