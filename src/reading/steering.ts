import type { Grade } from '../core/grade.ts';
import type { Row } from '../core/run.ts';
import { plural } from '../lib/text/plural.ts';
import { isObject } from '../lib/json.ts';

/** Names of judges that are told of a trial at most. */
const MOST_NAMED = 5;

/** That judges of a trial report an attempt to steer them, and which; undefined when none does. */
export function steeringText({ grades }: Pick<Row, 'grades'>): string | undefined {
  const names = [...new Set(grades.flatMap(steered))];
  if (names.length === 0) return undefined;
  const more = names.length - MOST_NAMED;
  const shown = names.slice(0, MOST_NAMED).join(', ');
  return `judges report that the material tries to steer them: ${shown}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Trials of a run whose judges were to be steered. */
export interface SteeredTrials {
  readonly count: number;
  readonly first?: Row;
}

/** The same of a whole run, with its first trial. */
export function steeredText({ count, first }: SteeredTrials): string | undefined {
  if (first === undefined) return undefined;
  const which = count > 1 ? `${first.caseId}, the first of ${count}` : first.caseId;
  return `${plural(count, 'trial')}: ${steeringText(first) ?? ''} (${which})`;
}

function steered({ name, details, members = [] }: Grade): readonly string[] {
  const own = isObject(details) && details['injection'] === true ? [name] : [];
  return [...own, ...members.flatMap(steered)];
}
