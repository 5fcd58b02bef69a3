import type { Grade } from '../../core/grade.ts';
import type { Row } from '../../core/run.ts';
import { readManifest } from './manifest.ts';
import type { RunPaths } from './paths.ts';
import { readLines } from './read-lines.ts';
import { lastRows } from './reader.ts';

/** A row without what its graders said and what the agent answered, and the digests of its graders, each once. */
export type RowOutcome = Omit<Row, 'grades' | 'output'> & { readonly graders: readonly number[] };

/** One a trial. Much faster than whole rows, of which most is text. `trustRows`: this process has written them. */
export async function* outcomeRows(
  paths: RunPaths,
  options: { readonly trustRows?: boolean } = {},
): AsyncGenerator<readonly RowOutcome[]> {
  if (options.trustRows !== true && readManifest(paths).state === 'running') {
    for await (const row of lastRows(paths.events)) yield [outcomeOfRow(row)];
    return;
  }
  for await (const lines of readLines(paths.rows))
    yield lines.filter((line) => line !== '').map(outcomeOfLine);
}

function outcomeOfRow(row: Row): RowOutcome {
  return { ...row, graders: gradersOf(row.grades) };
}

/**
 * A line holds each of these texts at most once outside of strings, where a quote always has a backslash before it,
 * and the grades stand right before the output. A line written otherwise is read whole.
 */
export function outcomeOfLine(line: string): RowOutcome {
  const from = line.indexOf(GRADES);
  const to = line.lastIndexOf(OUTPUT);
  const end = line.indexOf(AFTER_OUTPUT, to);
  if (from < 0 || to < from || end < 0) return outcomeOfRow(JSON.parse(line) as Row);
  const rest = JSON.parse(line.slice(0, from) + line.slice(end)) as Omit<Row, 'grades' | 'output'>;
  return { ...rest, graders: gradersIn(line.slice(from + GRADES.length - 1, to + 1)) };
}

const GRADES = ',"grades":[';
const OUTPUT = '],"output":';
const AFTER_OUTPUT = ',"durationMs":';

/** Members and details may hold digests that are not those of an expectation. */
function gradersIn(grades: string): readonly number[] {
  if (grades.includes('"members":') || grades.includes('"details":')) {
    return gradersOf(JSON.parse(grades) as Grade[]);
  }
  return once([...grades.matchAll(/"digest":(\d+)/g)].map(([, number]) => Number(number)));
}

function gradersOf(grades: readonly Grade[]): readonly number[] {
  return once(grades.flatMap(({ digest }) => (digest === undefined ? [] : [digest])));
}

/** Parts of one expectation carry its digest. */
function once(numbers: readonly number[]): readonly number[] {
  return numbers.length < 2 ? numbers : [...new Set(numbers)];
}
