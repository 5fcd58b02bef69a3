import { verdictFinding, type Finding } from '../core/grade.ts';
import { observed, quoted } from './excerpt.ts';

/** Something that must, or must not, be among the observed values. */
export interface ExpectedUse {
  readonly shown: string;
  readonly fits: (observed: string) => boolean;
}

/** Decides lists of values that must and must not be observed. */
export function decideUses(
  wanted: readonly ExpectedUse[],
  unwanted: readonly ExpectedUse[],
  { things, values }: { readonly things: string; readonly values: readonly string[] },
): Finding {
  const absent = wanted.filter(({ fits }) => !values.some(fits));
  const problems = absent.map(({ shown }) => `expected one of the ${things} to match ${shown}`);
  for (const { shown, fits } of unwanted) {
    const found = values.filter(fits);
    if (found.length > 0)
      problems.push(`expected none of the ${things} to match ${shown}, found ${observed(found, 3)}`);
  }
  if (problems.length === 0) return verdictFinding(true, `the ${things} are as expected`);
  return verdictFinding(false, `${problems.join('; ')}. Observed ${things}: ${observed(values)}`);
}

/** A text or `/pattern/`, for a reason. */
export function textShown(text: string): string {
  return text.startsWith('/') ? text : quoted(text, 80);
}
