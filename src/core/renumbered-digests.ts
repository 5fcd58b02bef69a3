import { given } from '../lib/given.ts';
import type { Grade } from './grade.ts';
import type { Row } from './run.ts';

/** A row whose digests have the numbers of another list. */
export function renumberedRow(row: Row, numberOf: (old: number) => number): Row {
  const { terms, mocks, userPrompt } = row.digests;
  const moved = (number: number | undefined) => (number === undefined ? undefined : numberOf(number));
  return {
    ...row,
    grades: row.grades.map((grade) => renumberedGrade(grade, numberOf)),
    digests: {
      case: numberOf(row.digests.case),
      target: numberOf(row.digests.target),
      ...given({ terms: moved(terms), mocks: moved(mocks), userPrompt: moved(userPrompt) }),
    },
  };
}

export function renumberedGrade(grade: Grade, numberOf: (old: number) => number): Grade {
  return grade.digest === undefined ? grade : { ...grade, digest: numberOf(grade.digest) };
}
