import { loadCases, type LoadedCases } from '../authoring/stored/load.ts';
import { readCaseBytes, type RawCase } from '../authoring/stored/read-file.ts';
import { storedCaseSchema } from '../authoring/stored/schema.ts';
import { createReport } from '../authoring/yaml/report.ts';
import type { CaseStore, ImportChoice, ImportItem } from '../core/case-store.ts';
import { AssayError } from '../core/errors.ts';
import type { KeyedAnswer, KeyEntry } from '../core/idempotency-keys.ts';
import { AuthoringError, type Problem } from '../core/problem.ts';
import { importedOf, importHint, importReport, type ImportReport } from './import-report.ts';

/** Test cases as a request brings them. */
export interface CaseBody {
  readonly bytes: Uint8Array;
  readonly extension: '.json' | '.jsonl' | '.yaml';
  /** Unknown keys that are taken out of the cases. */
  readonly drop: readonly string[];
}

/** How a body is imported. */
export interface ImportRequest extends Omit<ImportChoice, 'once'> {
  readonly maxCases: number;
  /** Of a request with an `Idempotency-Key`: its entry, and the answer that it gets. */
  readonly keyed?: { readonly entry: KeyEntry; answerOf(report: ImportReport): KeyedAnswer } | undefined;
}

/** Imports all cases of a body, or none. Throws all mistakes with paths such as `items.1.name`. */
export async function importBody(
  store: CaseStore,
  body: CaseBody,
  { keyed, maxCases, ...how }: ImportRequest,
): Promise<ImportReport> {
  const { cases, problems, dropped } = await casesIn(body);
  if (problems.length > 0) throw new AuthoringError(problems);
  if (cases.length > maxCases) {
    throw new AssayError('body-too-large', `an import takes at most ${maxCases} test cases`, {
      stage: 'authoring',
      hint: 'split the file',
    });
  }
  const reportOf = (items: readonly ImportItem[]) => importReport({ cases, dropped, items });
  const once = keyed && {
    entry: keyed.entry,
    answerOf: (items: readonly ImportItem[]) => keyed.answerOf(reportOf(items)),
  };
  const outcome = await store.import(cases.map(importedOf), { ...how, once });
  if ('items' in outcome) return reportOf(outcome.items);
  throw new AuthoringError(
    outcome.problems.map(({ index, code, message }) => ({
      file: BODY,
      path: ['items', index],
      code,
      message,
      hint: importHint(code),
    })),
  );
}

/** The mistakes of all cases of a body; nothing is written. */
export async function validateBody(
  body: CaseBody,
): Promise<{ readonly cases: number; readonly problems: readonly Problem[] }> {
  const { cases, problems } = await casesIn(body);
  return { cases: cases.length, problems };
}

const BODY = 'body';

async function casesIn({ bytes, extension, drop }: CaseBody): Promise<LoadedCases> {
  for (const key of drop) refuseKnownKey(key);
  const report = createReport();
  const read = readCaseBytes(bytes, { shown: BODY, extension, report });
  const loaded = await loadCases([read], { names: 'any', report, drop });
  const indexOf = indexesOf(read.cases);
  return { ...loaded, problems: loaded.problems.map((problem) => inItems(problem, indexOf)) };
}

/** Throws `usage` for a key that test cases have. */
export function refuseKnownKey(key: string): void {
  if (!Object.hasOwn(storedCaseSchema.shape, key)) return;
  throw new AssayError('usage', `\`${key}\` is a field of test cases and cannot be dropped`, {
    stage: 'authoring',
    hint: 'only unknown keys can be dropped; leave this key out of the list',
  });
}

type Indexes = (line: number | undefined, path: Problem['path']) => number | undefined;

/** The position of the case at the beginning of a path. Lines of JSONL have paths of their own. */
function indexesOf(cases: readonly RawCase[]): Indexes {
  const keyOf = (line: number | undefined, path: Problem['path']) => JSON.stringify([line ?? null, path]);
  const indexes = new Map(cases.map(({ line, path }, index) => [keyOf(line, path), index]));
  const hasLines = cases.some(({ line }) => line !== undefined);
  return (line, path) => indexes.get(keyOf(hasLines ? line : undefined, path));
}

function inItems(problem: Problem, indexOf: Indexes): Problem {
  const { path = [], line, column, message } = problem;
  for (const length of [2, 1, 0]) {
    const index = path.length < length ? undefined : indexOf(line, path.slice(0, length));
    if (index !== undefined) return { ...problem, path: ['items', index, ...path.slice(length)] };
  }
  const place = line === undefined ? '' : `line ${line}${column === undefined ? '' : `, column ${column}`}: `;
  return { ...problem, message: `${place}${message}` };
}
