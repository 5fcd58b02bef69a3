import type { Row } from '../../core/run.ts';
import { trialKey } from '../../core/trial.ts';
import { seededRandom } from '../../lib/random.ts';

export interface TrialChoice {
  readonly expectation: string;
  readonly limit: number;
  readonly seed: number;
  /** Keys of trials that are labelled already. */
  readonly done: ReadonlySet<string>;
}

/**
 * Draws trials to label, in random order. As far as there are some, half of them have a failed grade: a random sample of
 * a good agent would hold too few failures to measure how a judge handles them.
 */
export async function chooseTrials(
  rows: AsyncIterable<Row>,
  { expectation, limit, seed, done }: TrialChoice,
): Promise<readonly Row[]> {
  const next = seededRandom(seed);
  const drawn = { passed: reservoir(limit, next), failed: reservoir(limit, next) };
  for await (const row of rows) {
    const grade = row.grades.find(({ name }) => name === expectation);
    if (grade === undefined || grade.score === null || done.has(trialKey(row))) continue;
    drawn[grade.passed ? 'passed' : 'failed'].add(row);
  }
  const [passed, failed] = [drawn.passed.rows, drawn.failed.rows];
  const ofFailed = Math.min(failed.length, Math.max(Math.floor(limit / 2), limit - passed.length));
  const chosen = [...failed.slice(0, ofFailed), ...passed.slice(0, limit - ofFailed)];
  return chosen
    .map((row) => ({ row, place: next() }))
    .sort((left, right) => left.place - right.place)
    .map(({ row }) => row);
}

/** Keeps at most `limit` of the added rows, each with the same chance. */
function reservoir(limit: number, next: () => number) {
  const rows: Row[] = [];
  let seen = 0;
  return {
    rows: rows as readonly Row[],
    add(row: Row): void {
      seen += 1;
      if (rows.length < limit) return void rows.push(row);
      const place = Math.floor(next() * seen);
      if (place < limit) rows[place] = row;
    },
  };
}
