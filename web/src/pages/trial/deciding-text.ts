import type { Row } from '../../../../src/core/run.ts';
import { gradeTitle } from '../../parts/grade-title.ts';

/** That required parts failed a trial, whatever its score; undefined where the score decided. */
export function decidingText({
  fallenGates,
  grades,
}: Pick<Row, 'fallenGates' | 'grades'>): string | undefined {
  const [first, ...others] = fallenGates;
  if (first === undefined) return undefined;
  if (others.length > 0) return `failed by ${fallenGates.length} required parts, whatever the score`;
  const grade = grades.find(({ name }) => name === first);
  return `failed by a required part, whatever the score: ${grade === undefined ? first : gradeTitle(grade)}`;
}
