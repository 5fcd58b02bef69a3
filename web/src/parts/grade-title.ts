import type { Grade } from '../../../src/core/grade.ts';
import { isObject } from '../../../src/lib/json.ts';

type Titled = Pick<Grade, 'name' | 'outcome' | 'details'>;

/** What a grade is about, for people: the expected outcome, the name of a metric for people, else its name. */
export function gradeTitle({ name, outcome, details }: Titled): string {
  if (outcome !== undefined) return outcome;
  const shown = isObject(details) ? details['display_name'] : undefined;
  return typeof shown === 'string' ? shown : name;
}
