import type { Grade } from '../core/grade.ts';
import type { Row } from '../core/run.ts';
import { plural } from '../lib/text/plural.ts';
import { isObject } from '../lib/json.ts';

/** Most judges that are named for one trial. */
const MOST_NAMED = 5;

/** Which judges of a trial report an attempt to steer them; undefined if no judge does. */
export function steeringText({ grades }: Pick<Row, 'grades'>): string | undefined {
  const names = [...new Set(grades.flatMap(steered))];
  if (names.length === 0) return undefined;
  const more = names.length - MOST_NAMED;
  const shown = names.slice(0, MOST_NAMED).join(', ');
  return `judges report that the answer tries to influence their verdict: ${shown}${more > 0 ? ` and ${more} more` : ''}`;
}

/** The trials of a run whose judges report such an attempt. */
export interface SteeredTrials {
  readonly count: number;
  readonly first?: Row;
}

/** The same for a whole run, with its first trial. */
export function steeredText({ count, first }: SteeredTrials): string | undefined {
  if (first === undefined) return undefined;
  const which = count > 1 ? `${first.caseId}, the first of ${count}` : first.caseId;
  return `${plural(count, 'trial')}: ${steeringText(first) ?? ''} (${which})`;
}

function steered({ name, details, members = [] }: Grade): readonly string[] {
  const own = isObject(details) && details['injection'] === true ? [name] : [];
  return [...own, ...members.flatMap(steered)];
}
