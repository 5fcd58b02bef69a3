import { writeFile } from 'node:fs/promises';
import { basename, extname, resolve } from 'node:path';

import { loadCaseFiles, type LoadedCase } from '../authoring/stored/load.ts';
import { findCaseFiles } from '../authoring/stored/find-files.ts';
import { storedCaseDigest } from '../authoring/stored/digest.ts';
import { AssayError, messageOf } from '../core/errors.ts';
import { AuthoringError, type Problem } from '../core/problem.ts';
import type { ImportChoice, ImportOutcome, KeptCase } from '../core/case-store.ts';
import type { CaseSelector } from '../core/run-options.ts';
import { given } from '../lib/given.ts';
import { plural } from '../lib/text/plural.ts';
import { printableLine } from '../lib/text/printable-json.ts';
import { stripLine } from '../lib/text/terminal-text.ts';
import { archiveCase } from './archive-case.ts';
import { readCases, withCases } from './database.ts';
import { EXIT } from './exit-code.ts';
import { caseExport, documentOf, selectedCases, type ExportFormat } from './export-cases.ts';
import { findStoredCase } from './find-stored-case.ts';
import { refuseKnownKey } from './import-body.ts';
import { importedOf, importHint, importReport } from './import-report.ts';
import { shownPath } from './project/project-root.ts';
import type { Surroundings } from './surroundings.ts';
import { shownMock, type CaseOutput } from './test-cases.ts';

/** Imports the cases of files into the store: all of them, or none if one of them has a problem. */
export async function importCases(
  patterns: readonly string[],
  { drop = [], ...how }: ImportChoice & { readonly drop?: readonly string[] },
  surroundings: Surroundings,
): Promise<CaseOutput> {
  for (const key of drop) refuseKnownKey(key);
  const { cwd } = surroundings;
  const found = await findCaseFiles(patterns, cwd);
  const display = (path: string) => shownPath(path, cwd);
  const files = { files: found.files, display, names: 'any', drop } as const;
  const { cases, problems, dropped } = await loadCaseFiles(files);
  const faults = [...found.problems, ...problems];
  if (faults.length > 0) throw new AuthoringError(faults, NOT_IMPORTED);
  const outcome = await withCases(surroundings, (store) => store.import(cases.map(importedOf), how));
  if ('problems' in outcome) {
    throw new AuthoringError(
      outcome.problems.map((each) => problemOf(each, cases)),
      NOT_IMPORTED,
    );
  }
  const report = importReport({ cases, dropped, items: outcome.items });
  const words = RESULTS.filter((result) => report[result] > 0).map((result) => `${report[result]} ${result}`);
  const start = how.isDryRun === true ? 'would import' : 'imported';
  const lost = [...dropped].map(
    ([key, count]) => `dropped \`${stripLine(key)}\` of ${plural(count, 'test case')}\n`,
  );
  return {
    exitCode: EXIT.ok,
    text: `${start} ${plural(cases.length, 'test case')}${words.length === 0 ? '' : `: ${words.join(', ')}`}\n${lost.join('')}${copiesNote(cases, how)}`,
    json: printableLine(report),
  };
}

const RESULTS = ['created', 'replaced', 'merged', 'unchanged', 'skipped'] as const;

const NOT_IMPORTED = 'nothing was imported';

/** A case without an id is new at each import, unless it is found by its name. */
function copiesNote(cases: readonly LoadedCase[], { match }: ImportChoice): string {
  const without = cases.filter(({ id }) => id === undefined).length;
  if (match === 'name' || without === 0) return '';
  return `${without} of them ${without === 1 ? 'has' : 'have'} no \`id\`: importing the file again creates copies. To update them instead, add --match name --on-conflict replace\n`;
}

type ImportProblem = Extract<ImportOutcome, { readonly problems: unknown }>['problems'][number];

function problemOf({ index, ...problem }: ImportProblem, cases: readonly LoadedCase[]): Problem {
  const { file = '', line } = cases[index] ?? {};
  const hint =
    problem.code === 'case-exists'
      ? 'choose with --on-conflict: skip, merge or replace'
      : importHint(problem.code);
  return { file, ...given({ line }), ...problem, hint };
}

/** Lists the stored cases that a selector selects, one line each. */
export async function listStoredCases(
  selector: CaseSelector,
  surroundings: Surroundings,
): Promise<CaseOutput> {
  const { cases, isEmpty } = await readCases(surroundings, async (store) => {
    const found = await selectedCases(store, selector);
    const rest = found.length > 0 ? found : await store.selected({ status: ['any'] });
    return { cases: found, isEmpty: rest.length === 0 };
  });
  const text = cases.map(({ id, fields: { name, status, difficulty, tags } }) => {
    const facts = [status, difficulty, ...tags].join(', ');
    return `${stripLine(name)}  ${id}  (${stripLine(facts)})\n`;
  });
  const none = isEmpty
    ? 'the store has no test cases yet; import some with assay cases import FILE\n'
    : 'no test case in the store matches; the default is --status active\n';
  const shown = text.length > 0 ? text.join('') : none;
  return { exitCode: EXIT.ok, text: shown, json: printableLine(cases.map(documentOf)) };
}

/** Shows one stored case with its mocks and digest. */
export async function showStoredCase(idOrName: string, surroundings: Surroundings): Promise<CaseOutput> {
  const document = await readCases(surroundings, async (store) => {
    const found = await findStoredCase(store, idOrName);
    const mocks = (await store.mocks(found.id)).map(shownMock);
    return {
      ...documentOf(found),
      digest: storedCaseDigest(found.fields),
      ...(mocks.length === 0 ? {} : { mocks }),
    };
  });
  const json = printableLine(document, 2);
  return { exitCode: EXIT.ok, text: json, json };
}

/** Archives stored cases: runs skip them, but their history is kept. */
export async function archiveCases(
  idsOrNames: readonly string[],
  surroundings: Surroundings,
): Promise<CaseOutput> {
  const archived = await withCases(surroundings, async (store) => {
    const found: KeptCase[] = [];
    for (const idOrName of idsOrNames) found.push(await findStoredCase(store, idOrName));
    const done: KeptCase[] = [];
    for (const read of found) done.push(await archiveCase(store, read));
    return done;
  });
  return {
    exitCode: EXIT.ok,
    text: archived.map(({ id, fields }) => `archived ${stripLine(fields.name)}  ${id}\n`).join(''),
    json: printableLine({ archived: archived.map(({ id }) => id) }),
  };
}

/**
 * The format of an export: as asked for, else by the name of its file. Throws `usage` if the two differ, since an import
 * reads a file by its name.
 */
export function exportFormat({
  format,
  out = '',
}: {
  readonly format?: ExportFormat;
  readonly out?: string;
}): ExportFormat {
  const named = FORMATS[extname(out).toLowerCase()];
  if (format === undefined || named === undefined || format === named) return format ?? named ?? 'json';
  throw new AssayError('usage', `--format ${format} does not fit the file name ${out}`, {
    stage: 'plan',
    hint: `leave out --format, or name the file ${basename(out, extname(out))}.${format}`,
  });
}

const FORMATS: Readonly<Record<string, ExportFormat>> = {
  '.json': 'json',
  '.jsonl': 'jsonl',
  '.ndjson': 'jsonl',
  '.yaml': 'yaml',
  '.yml': 'yaml',
};

/** Writes an export to a file, and gives a line that says so. Throws `results-not-written`. */
export async function writeExport(
  file: string,
  { text, cases, others }: ExportedCases,
  { cwd }: Surroundings,
): Promise<string> {
  const path = resolve(cwd, file);
  try {
    await writeFile(path, text);
  } catch (error) {
    throw new AssayError('results-not-written', `cannot write ${path}: ${messageOf(error)}`, {
      stage: 'plan',
      hint: 'name a file that you may write to',
      cause: error,
    });
  }
  const skipped = others === 0 ? '' : `; left out because not active: ${others} (--status any takes all)`;
  return `wrote ${plural(cases, 'test case')} to ${stripLine(file)}${skipped}\n`;
}

/** Cases with their ids, times and mocks, in a form that an import reads. */
export async function exportCases(
  selector: CaseSelector,
  format: ExportFormat,
  surroundings: Surroundings,
): Promise<ExportedCases> {
  let text = '';
  const write = async (part: string): Promise<void> => void (text += part);
  return await readCases(surroundings, async (store) => {
    const cases = await caseExport(store, selector, { format, now: surroundings.now(), write });
    if (selector.status !== undefined) return { text, cases, others: 0 };
    const all = await store.selected({ ...selector, status: ['any'] });
    return { text, cases, others: all.length - cases };
  });
}

/** The text of a file of cases, and how many these are. */
export interface ExportedCases {
  readonly text: string;
  readonly cases: number;
  /** Cases that are left out only because of the default status. */
  readonly others: number;
}
