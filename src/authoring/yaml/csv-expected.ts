import { given } from '../../lib/given.ts';
import { fault, type Fault } from './fault.ts';
import { passedCheck } from './passed-check.ts';
import { RefusedCheck, shortCheck, type CheckEntry } from './short-check.ts';

/** Columns with checks, as promptfoo writes them. */
const isExpectedColumn = (column: string): boolean => /^__expected[1-9]?\d*$/.test(column);

/** All columns from which `expectedKeys` makes keys. */
export const isCheckColumn = (column: string): boolean =>
  isExpectedColumn(column) ||
  thresholdOf(column) !== undefined ||
  column === '__metric' ||
  column === '__threshold';

/** The column whose check gets its threshold from this one: `__config:__expected2:threshold`. */
function thresholdOf(column: string): string | undefined {
  const [, expected] = /^__config:(__expected[1-9]?\d*):threshold$/.exec(column) ?? [];
  return expected;
}

export interface ExpectedKeys {
  /** Keys of the test: `assert` and `threshold`. */
  readonly keys: Readonly<Record<string, unknown>>;
  /** The column of each entry of `assert`. */
  readonly columns: readonly string[];
  readonly faults: readonly Fault[];
}

type Cell = readonly [column: string, cell: string];

/** The keys of a test that the columns with checks of its row mean. */
export function expectedKeys(cells: readonly Cell[]): ExpectedKeys {
  const filled = cells.map(([column, cell]): Cell => [column, cell.trim()]).filter(([, cell]) => cell !== '');
  const metric = filled.find(([column]) => column === '__metric')?.[1];
  const faults: Fault[] = [];
  const columns: string[] = [];
  const assert: CheckEntry[] = [];
  const numberIn = ([column, cell]: Cell): number | undefined => {
    const value = Number(cell);
    if (value >= 0 && (value <= 1 || thresholdOf(column) !== undefined)) return value;
    faults.push(noNumber(column, cell));
    return undefined;
  };
  for (const [column, cell] of filled.filter(([each]) => isExpectedColumn(each))) {
    const own = filled.find(([each]) => isSame(thresholdOf(each), column));
    const entry = entryOf(cell, own && numberIn(own));
    if (entry instanceof RefusedCheck) faults.push(refusedIn(column, cell, entry));
    else {
      columns.push(column);
      assert.push(passedCheck(entry, { metric }));
    }
  }
  const threshold = filled.find(([column]) => column === '__threshold');
  const needed = threshold && numberIn(threshold);
  return {
    keys: { ...(assert.length === 0 ? {} : { assert }), ...given({ threshold: needed }) },
    columns,
    faults,
  };
}

/** Without a number, the first of these columns is meant. */
function isSame(named: string | undefined, column: string): boolean {
  return named?.replace(/d$/, 'd1') === column.replace(/d$/, 'd1');
}

/** A text that names no check must be the answer. */
function entryOf(cell: string, threshold: number | undefined): CheckEntry | RefusedCheck {
  const named = shortCheck(cell, threshold);
  if (named !== undefined) return named;
  if (threshold !== undefined) return new RefusedCheck('remove the threshold: an exact answer has none');
  return { type: 'equals', value: cell };
}

function refusedIn(column: string, cell: string, { hint, why }: RefusedCheck): Fault {
  const shown = cell.length > 40 ? `${cell.slice(0, 40)}...` : cell;
  const rest = { path: [column], hint };
  return why === 'unknown'
    ? fault(
        'invalid-value',
        `column \`${column}\`: no such check in a CSV file: ${JSON.stringify(shown)}`,
        rest,
      )
    : fault('invalid-value', `column \`${column}\`: invalid check ${JSON.stringify(shown)}`, rest);
}

function noNumber(column: string, cell: string): Fault {
  const rest = { path: [column] };
  const shown = JSON.stringify(cell);
  return thresholdOf(column) === undefined
    ? fault('invalid-value', `column \`__threshold\`: expected a number from 0 to 1, got ${shown}`, rest)
    : fault('invalid-value', `column \`${column}\`: expected a number, got ${shown}`, rest);
}
