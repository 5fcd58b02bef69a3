import { nearest } from '../../lib/text/suggest.ts';
import { cellPlace, type RowStart } from './cell-place.ts';
import { expectedKeys, isCheckColumn } from './csv-expected.ts';
import { fault, type Fault } from './fault.ts';
import { foreignColumn } from './foreign-keys.ts';
import { suiteKeysGrammar, testGrammar } from './grammar.ts';
import { MOST_LEVELS } from '../../lib/text/json-depth.ts';
import { TOO_DEEP } from './json-fault.ts';
import type { Fragment, Place, RawTest, SourceFile } from './source.ts';

/** How the tables of a suite are read. */
export interface TableReading {
  /** Columns with graders, as `assert_column` of the suite names them. */
  readonly assertColumns: readonly string[];
  /** Whether the suite asks the question of all tests. Then a table may have only variables. */
  readonly asksItself: boolean;
  /** Whether that question reads the variable `input`. */
  readonly readsInput: boolean;
}

/** One test per row. The first row has the keys, dotted keys nest, and every value is a text. */
export async function readCsv(
  file: SourceFile,
  { assertColumns, asksItself, readsInput }: TableReading,
  tell: (found: Fault, place: Place) => void,
): Promise<readonly RawTest[]> {
  const { parse, CsvError } = await import('csv-parse/sync');
  let rows: readonly Row[];
  try {
    rows = parse(file.bytes, OPTIONS) as unknown as readonly Row[];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    tell(...syntaxFault(error, file.bytes));
    return [];
  }
  const [header, ...body] = rows;
  const keys = header?.record.map((key) => key.trim()) ?? [];
  const columns = { keys, assertColumns, readsInput, areVariables: areVariables(keys, asksItself) };
  const wrong = headerFault(columns);
  if (wrong !== undefined) {
    tell(wrong, { line: 1 });
    return [];
  }
  return body.flatMap((row, index) => {
    const before = rows[index]?.info.lines ?? 1;
    const uneven = lengthFault(row.record.length, keys.length);
    if (uneven !== undefined) {
      tell(uneven, { line: before + 1 });
      return [];
    }
    const start = { bytes: file.bytes, start: rows[index]?.info.bytes ?? 0, line: before + 1 };
    const { test, faults } = rowTest(file, columns, { row, before, number: index + 1, start });
    for (const found of faults) tell(found, test.fragment.cellAt?.(found.path) ?? { line: before + 1 });
    return faults.length === 0 ? [test] : [];
  });
}

const OPTIONS = { info: true, skip_empty_lines: true, relax_column_count: true } as const;

/** Reports a mistake of a CSV test, where every value is a text. */
export function csvFault(found: Fault): Fault {
  const [, expected] = /expected (.+), got /.exec(found.message) ?? [];
  if (found.code !== 'wrong-type' || expected === undefined) return found;
  const column = found.path.join('.');
  const isOfSuite = Object.hasOwn(suiteKeysGrammar.shape, String(found.path[0]));
  const elsewhere = isOfSuite
    ? 'put it on the suite, or write the tests as .jsonl'
    : 'write the tests as .jsonl';
  const hint = expected === 'a mapping' ? `name columns \`${column}.KEY\`` : elsewhere;
  const message = `column \`${column}\`: expected ${expected}, but every value in a CSV file is a text`;
  return { ...found, message, hint };
}

function syntaxFault(error: Error & { readonly code?: string }, bytes: Buffer): [Fault, Place] {
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') {
    const hint = 'close it with `"`; write a quote inside a quoted value twice';
    return [fault('csv-syntax', 'this quote is not closed', { hint }), { line: lineOfOpenQuote(bytes) }];
  }
  const line = Number((error as { lines?: unknown }).lines ?? 1);
  const message = QUOTE_WORDS.get(error.code ?? '');
  if (message === undefined) return [fault('csv-syntax', error.message), { line }];
  const hint = 'put the whole value in quotes, and write quotes inside it twice: "like ""this"" one"';
  return [fault('csv-syntax', message, { hint }), { line }];
}

const QUOTE_WORDS: ReadonlyMap<string, string> = new Map([
  ['INVALID_OPENING_QUOTE', 'a quote inside a value that does not start with a quote'],
  ['CSV_INVALID_CLOSING_QUOTE', 'text after the closing quote of a value'],
]);

function lengthFault(values: number, columns: number): Fault | undefined {
  if (values === columns) return undefined;
  const message = `the row has ${values} value${values === 1 ? '' : 's'}, but the first row has ${columns} columns`;
  return fault('csv-syntax', message, values > columns ? { hint: 'put a value with a comma in quotes' } : {});
}

/** The position of the quote that is still open at the end. */
function lineOfOpenQuote(bytes: Buffer): number {
  let line = 1;
  let opened = 1;
  let isOpen = false;
  for (let at = 0; at < bytes.length; at += 1) {
    if (bytes[at] === NEWLINE) line += 1;
    if (bytes[at] !== QUOTE) continue;
    if (isOpen && bytes[at + 1] === QUOTE) at += 1;
    else {
      isOpen = !isOpen;
      if (isOpen) opened = line;
    }
  }
  return opened;
}

const NEWLINE = 10;
const QUOTE = 34;

interface Row {
  readonly record: readonly string[];
  readonly info: { readonly lines: number; readonly bytes: number };
}

interface RowPlace {
  readonly row: Row;
  /** Line on which the row before it ends. */
  readonly before: number;
  /** From 1. */
  readonly number: number;
  readonly start: RowStart;
}

interface Columns {
  readonly keys: readonly string[];
  /** Those with graders. */
  readonly assertColumns: readonly string[];
  /** Whether all columns without a meaning of their own are variables. */
  readonly areVariables: boolean;
  readonly readsInput: boolean;
}

/** In a table with checks, and in one without any key of a test if the suite asks the question. */
function areVariables(keys: readonly string[], asksItself: boolean): boolean {
  if (keys.some(isOfPromptfoo)) return true;
  const isOther = (key: string): boolean => isKnown(key) && key !== 'id' && key !== 'name';
  return asksItself && !keys.some((key) => isOther(key) || key.startsWith('__') || /[;\t]/.test(key));
}

/** In a table of variables, the number of a row can be its id. */
function rowTest(
  file: SourceFile,
  { keys, assertColumns, areVariables: isTable, readsInput }: Columns,
  { row, before, number, start }: RowPlace,
): { readonly test: RawTest; readonly faults: readonly Fault[] } {
  const value: Record<string, unknown> = {};
  if (isTable && !keys.includes('id')) value['id'] = `row-${number}`;
  const checks: (readonly [string, string])[] = [];
  keys.forEach((key, index) => {
    const cell = row.record[index] ?? '';
    const [own, ...below] = ownPlace(key) ?? [];
    if (isCheckColumn(key)) checks.push([key, cell]);
    else if (own !== undefined) {
      if (cell.trim() !== '') put(value, [own, ...below], key.endsWith('[]') ? itemsOf(cell) : cell);
    } else if (assertColumns.includes(key)) put(value, [key], cell);
    else {
      const meaning = isTable ? meaningOf(key, readsInput) : 'key';
      if (meaning !== 'key') put(value, ['vars', key], cell);
      const isWritten = cell !== '' || /^(?:vars|metadata|sidecar)\./.test(key);
      if (meaning !== 'variable' && isWritten) put(value, key.split('.'), cell);
    }
  });
  const { keys: made, columns, faults } = expectedKeys(checks);
  const line = before + 1;
  const fragment: Fragment = {
    shown: file.shown,
    line,
    syntax: 'lines',
    text: () => '',
    written: (path) => {
      const [key, index] = path;
      const column = key === 'assert' && typeof index === 'number' ? columns[index] : undefined;
      return column === undefined ? path : [column];
    },
    cellAt: ([key]) => {
      const place = keys.indexOf(String(key));
      const isCheck = isCheckColumn(String(key)) || assertColumns.includes(String(key));
      return isCheck && place >= 0 ? cellPlace(start, place) : undefined;
    },
  };
  return { test: { value: { ...value, ...made }, fragment, path: [], line }, faults };
}

/** In a table of variables, texts of a test are variables too: many prompts read a `name`. */
function meaningOf(key: string, readsInput: boolean): 'key' | 'variable' | 'both' {
  if (!isKnown(key)) return 'variable';
  if (key === 'input' && readsInput) return 'variable';
  return TEXT_KEYS.has(key) ? 'both' : 'key';
}

const TEXT_KEYS: ReadonlySet<string> = new Set([
  'id',
  'name',
  'description',
  'input',
  'criteria',
  'expected_output',
]);

function isKnown(key: string): boolean {
  const [top = ''] = key.split('.');
  return KNOWN.includes(top) || top.startsWith('x-');
}

function put(target: Record<string, unknown>, [key, ...rest]: readonly string[], cell: unknown): void {
  if (key === undefined) return;
  const inner = Object.hasOwn(target, key) ? target[key] : {};
  const value = rest.length === 0 ? cell : inner;
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  if (rest.length > 0) put(inner as Record<string, unknown>, rest, cell);
}

function headerFault({ keys, assertColumns, areVariables: isTable }: Columns): Fault | undefined {
  const absent = assertColumns.find((column) => !keys.includes(column));
  if (absent !== undefined) return noColumn(absent, keys);
  for (const [index, key] of keys.entries()) {
    const parts = key.split('.');
    if (parts.length > MOST_LEVELS) return fault('too-deep', TOO_DEEP);
    if (parts.includes(''))
      return fault(
        'invalid-value',
        `the name of column ${index + 1} is empty, or has an empty part between two dots`,
        { hint: 'write a name such as `criteria` or `vars.city`' },
      );
    const [top = ''] = parts;
    if (!isKnown(key) && !assertColumns.includes(key) && (!isTable || isForeignCheck(key))) {
      return fault('unknown-key', `unknown column \`${key}\``, { hint: columnHint(key, top) });
    }
    if (keys.indexOf(key) !== index) return fault('duplicate-key', `duplicate column \`${key}\``);
    const longer = keys.find((other) => other.startsWith(`${key}.`));
    if (longer !== undefined) {
      return fault(
        'invalid-value',
        `the columns \`${key}\` and \`${longer}\` contradict each other: \`${key}\` cannot be both a text and a mapping`,
        { hint: 'remove or rename one of them' },
      );
    }
  }
  return undefined;
}

function noColumn(column: string, keys: readonly string[]): Fault {
  const meant = nearest(column, keys);
  const hint =
    meant === undefined ? `the file has the columns ${keys.join(', ')}` : `did you mean \`${meant}\`?`;
  const message = `missing column \`${column}\`: \`assert_column\` of the suite names it`;
  return fault('unknown-key', message, { hint });
}

/** A column with a meaning for promptfoo that would be lost as a variable. */
function isForeignCheck(key: string): boolean {
  return key.startsWith('__') && !isOfPromptfoo(key);
}

function isOfPromptfoo(key: string): boolean {
  return isCheckColumn(key) || ownPlace(key) !== undefined;
}

/** Where the value of a column of promptfoo belongs in our test: `__metadata:tier` in `metadata.tier`. */
function ownPlace(key: string): readonly string[] | undefined {
  if (key === '__description') return ['description'];
  if (key === '__prefix' || key === '__suffix') return ['vars', key];
  const [, name] = /^__metadata:(.+?)(?:\[\])?$/.exec(key) ?? [];
  return name === undefined ? undefined : ['metadata', name];
}

/** The items of a column such as `__metadata:tags[]`; a comma after a backslash belongs to its item. */
function itemsOf(cell: string): readonly string[] {
  return cell.split(/(?<!\\),/).map((item) => item.trim().replaceAll('\\,', ','));
}

function columnHint(key: string, top: string): string {
  if (isForeignCheck(key))
    return 'of such columns, assay reads __expected, __expected1, ..., __config:__expected1:threshold, __metric, __threshold, __prefix, __suffix, __description and __metadata:NAME';
  if (/[;\t]/.test(key)) return 'columns must be separated by commas';
  const foreign = foreignColumn(key);
  if (foreign !== undefined) return foreign;
  const meant = nearest(top, KNOWN);
  return meant === undefined
    ? 'for other values, use `metadata.NAME` or `vars.NAME`'
    : `did you mean \`${meant}\`?`;
}

const KNOWN = Object.keys(testGrammar.shape);
