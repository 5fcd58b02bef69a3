import { isObject } from '../../lib/json.ts';
import { RefusedCheck, shortCheck } from './short-check.ts';
import { fault, type Fault, type Path } from './fault.ts';
import { testGrammar, type SuiteKeys } from './grammar.ts';
import { parseYaml } from './parse-yaml.ts';
import { passedCheck } from './passed-check.ts';
import type { Report } from './report.ts';
import type { Fragment, RawTest } from './source.ts';

/** The columns that `assert_column` of a suite names; empty if it is malformed. */
export function columnsOf(written: unknown): readonly string[] {
  const columns: readonly unknown[] = Array.isArray(written) ? written : [written];
  return columns.filter((column) => typeof column === 'string' && column.trim() !== '') as readonly string[];
}

export function columnFaults({ assert_column: written }: SuiteKeys): readonly Fault[] {
  return columnsOf(written).flatMap((column, index) => {
    if (!Object.hasOwn(testGrammar.shape, column)) return [];
    const path = Array.isArray(written) ? ['assert_column', index] : ['assert_column'];
    const message = `assert_column: \`${column}\` is a key of tests, so it cannot hold graders`;
    return [fault('conflict', message, { path, hint: 'rename the column, for example to `check`' })];
  });
}

/** A test with the graders of its columns added to `assert`. Mistakes are shown where the grader is written. */
export function withColumnChecks(raw: RawTest, columns: readonly string[], report: Report): RawTest {
  const { value, fragment, path } = raw;
  if (columns.length === 0 || !isObject(value)) return raw;
  const own: readonly unknown[] = Array.isArray(value['assert']) ? value['assert'] : [];
  const entries: unknown[] = [];
  const places: Path[] = [];
  for (const column of columns) {
    if (!Object.hasOwn(value, column)) continue;
    const cell = value[column];
    for (const { entry, at } of entriesIn(cell)) {
      if (entry instanceof WrongCell)
        report.add(fragment, wrongCell(column, cell, { hint: entry.hint, path: [...path, column, ...at] }));
      else {
        entries.push(entry);
        places.push([column, ...at]);
      }
    }
  }
  const rest = Object.fromEntries(Object.entries(value).filter(([key]) => !columns.includes(key)));
  if (entries.length === 0) return { ...raw, value: rest };
  const place = movedPlaces({ test: path, own: own.length, places }, fragment);
  return {
    ...raw,
    value: { ...rest, assert: [...own, ...entries] },
    fragment: { ...fragment, written: place },
  };
}

/** Where the value of a path is written: added graders are in their columns. */
function movedPlaces(
  { test, own, places }: { readonly test: Path; readonly own: number; readonly places: readonly Path[] },
  fragment: Fragment,
): (path: Path) => Path {
  return (path) => {
    const [key, index, ...below] = path.slice(test.length);
    const place = key === 'assert' && typeof index === 'number' ? places[index - own] : undefined;
    const moved = place === undefined ? path : [...test, ...place, ...below];
    return fragment.written?.(moved) ?? moved;
  };
}

/** A cell that holds no grader. */
class WrongCell {
  readonly hint: string;
  constructor(hint: string) {
    this.hint = hint;
  }
}

interface CellEntry {
  readonly entry: unknown;
  readonly at: Path;
}

/** A cell: a grader as a mapping, a list of graders, or a text such as `contains: Riga`. Empty cells have none. */
function entriesIn(cell: unknown): readonly CellEntry[] {
  if (cell === null || cell === undefined) return [];
  if (Array.isArray(cell))
    return cell.flatMap((item: unknown, index) => entriesIn(item).map((each) => ({ ...each, at: [index] })));
  if (isObject(cell)) return [{ entry: cell, at: [] }];
  if (typeof cell !== 'string') return [{ entry: new WrongCell(FORMS), at: [] }];
  const text = cell.trim();
  if (text === '') return [];
  if (/^[[{]/.test(text)) {
    const parsed = parseYaml(text, 'no-aliases');
    if ('failure' in parsed)
      return [{ entry: new WrongCell(`the cell cannot be parsed: ${parsed.failure.reason}`), at: [] }];
    return entriesIn(parsed.value).map(({ entry }) => ({ entry, at: [] }));
  }
  const check = shortCheck(text.replace(/^[a-z_]+(?=[:(]|$)/, (type) => type.replaceAll('_', '-')));
  if (check === undefined) return [{ entry: new WrongCell(FORMS), at: [] }];
  const entry = check instanceof RefusedCheck ? new WrongCell(check.hint) : passedCheck(check, {});
  return [{ entry, at: [] }];
}

const FORMS =
  'write a grader such as `contains: Riga`, `llm-rubric: Is polite.` or { type: contains, value: Riga }';

function wrongCell(
  column: string,
  cell: unknown,
  { hint, path }: { readonly hint: string; readonly path: Path },
): Fault {
  const text = typeof cell === 'string' ? cell : JSON.stringify(cell);
  const shown = text.length > 40 ? `${text.slice(0, 40)}...` : text;
  return fault('invalid-value', `column \`${column}\`: invalid grader ${JSON.stringify(shown)}`, {
    path,
    hint,
  });
}
