import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';

import { loadCaseFiles, type LoadedCase } from '../authoring/stored/load.ts';
import { findCaseFiles } from '../authoring/stored/find-files.ts';
import { storedCaseDigest } from '../authoring/stored/digest.ts';
import { SCHEMA_VERSION } from '../authoring/stored/schema.ts';
import { AssayError, messageOf } from '../core/errors.ts';
import { AuthoringError, type Problem } from '../core/problem.ts';
import type { ImportChoice, ImportResult, KeptCase } from '../core/case-store.ts';
import type { CaseSelector } from '../core/run-options.ts';
import { given } from '../lib/given.ts';
import { plural } from '../lib/text/plural.ts';
import { printableJson } from '../lib/text/printable-json.ts';
import { stripLine } from '../lib/text/terminal-text.ts';
import { archiveCase } from './archive-case.ts';
import { readCases, withCases, type CaseReader } from './database.ts';
import { EXIT } from './exit-code.ts';
import { findStoredCase } from './find-stored-case.ts';
import { shownPath } from './project/project-root.ts';
import type { Surroundings } from './surroundings.ts';
import { shownMock, type CaseOutput } from './test-cases.ts';

/** Imports the cases of files into the store: all of them, or none where one has a problem. */
export async function importCases(
  patterns: readonly string[],
  how: ImportChoice,
  surroundings: Surroundings,
): Promise<CaseOutput> {
  const { cwd } = surroundings;
  const found = await findCaseFiles(patterns, cwd);
  const display = (path: string) => shownPath(path, cwd);
  const { cases, problems } = await loadCaseFiles({ files: found.files, display, names: 'any' });
  if (found.problems.length + problems.length > 0) throw new AuthoringError([...found.problems, ...problems]);
  const outcome = await withCases(surroundings, (store) => store.import(cases.map(importedOf), how));
  if ('problems' in outcome) throw new AuthoringError(outcome.problems.map((each) => problemOf(each, cases)));
  const { items } = outcome;
  const counts = { created: 0, replaced: 0, merged: 0, unchanged: 0, skipped: 0 };
  for (const { result } of items) counts[result] += 1;
  const moved = cases.reduce((sum, { movedMocks }) => sum + movedMocks, 0);
  const words = (Object.keys(counts) as ImportResult[])
    .filter((result) => counts[result] > 0)
    .map((result) => `${counts[result]} ${result}`);
  const start = how.isDryRun === true ? 'would import' : 'imported';
  return {
    exitCode: EXIT.ok,
    text: `${start} ${plural(cases.length, 'test case')}${words.length === 0 ? '' : `: ${words.join(', ')}`}\n`,
    json: `${printableJson({ ...counts, moved_mocks: moved, items })}\n`,
  };
}

function importedOf({ id, case: fields, written, mocks }: LoadedCase) {
  return { fields, written, ...given({ id }), ...(mocks.length === 0 ? {} : { mocks }) };
}

function problemOf(
  {
    index,
    ...problem
  }: { readonly index: number; readonly code: 'case-exists' | 'ambiguous-name'; readonly message: string },
  cases: readonly LoadedCase[],
): Problem {
  const { file = '', line } = cases[index] ?? {};
  const hint =
    problem.code === 'case-exists'
      ? 'choose with --on-conflict: skip, merge or replace'
      : 'give the case its `id`';
  return { file, ...given({ line }), ...problem, hint };
}

/** The cases of the store that a selector takes, a line each. */
export async function listStoredCases(
  selector: CaseSelector,
  surroundings: Surroundings,
): Promise<CaseOutput> {
  const cases = await readCases(surroundings, (store) => selectedCases(store, selector));
  const text = cases.map(({ id, fields: { name, status, difficulty, tags } }) => {
    const facts = [status, difficulty, ...tags].join(', ');
    return `${stripLine(name)}  ${id}  (${stripLine(facts)})\n`;
  });
  const shown =
    text.length > 0 ? text.join('') : 'no test case in the store matches; the default is --status active\n';
  return { exitCode: EXIT.ok, text: shown, json: `${printableJson(cases.map(documentOf))}\n` };
}

/** One case of the store with its mocks and digest. */
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
  const json = `${printableJson(document, 2)}\n`;
  return { exitCode: EXIT.ok, text: json, json };
}

/** Archives cases of the store: runs leave them out, and their history stays. */
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
    json: `${printableJson({ archived: archived.map(({ id }) => id) })}\n`,
  };
}

export type ExportFormat = 'json' | 'yaml' | 'jsonl';

/** Writes the export to a file. Throws `results-not-written`. */
export async function writeExport(file: string, text: string, { cwd }: Surroundings): Promise<void> {
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
}

/** The text of a file that an import reads back: cases with their ids, times and mocks. */
export async function exportCases(
  selector: CaseSelector,
  format: ExportFormat,
  surroundings: Surroundings,
): Promise<string> {
  const cases = await readCases(surroundings, async (store) => {
    const found = await selectedCases(store, selector);
    const mocks = await store.mocksOf(found.map(({ id }) => id));
    return found.map((each) => ({
      document: documentOf(each),
      mocks: (mocks.get(each.id) ?? []).map((mock) => ({ test_case_id: each.id, ...shownMock(mock) })),
    }));
  });
  const exportedAt = new Date(surroundings.now()).toISOString();
  if (format === 'jsonl') {
    const lines = cases.map((each) =>
      each.mocks.length === 0 ? each.document : envelopeOf([each], exportedAt),
    );
    return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  }
  const envelope = envelopeOf(cases, exportedAt);
  if (format === 'json') return `${JSON.stringify(envelope, undefined, 2)}\n`;
  const { stringify } = await import('yaml');
  return stringify(envelope);
}

function envelopeOf(
  cases: readonly { readonly document: object; readonly mocks: readonly object[] }[],
  exportedAt: string,
): object {
  const mocks = cases.flatMap((each) => each.mocks);
  return {
    format: 'assay-cases',
    schema_version: SCHEMA_VERSION,
    exported_at: exportedAt,
    count: cases.length,
    test_cases: cases.map(({ document }) => document),
    ...(mocks.length === 0 ? {} : { tool_mocks: mocks }),
  };
}

function documentOf({ id, createdAt, updatedAt, fields }: KeptCase): object {
  return { id, ...fields, created_at: createdAt, updated_at: updatedAt };
}

/** Throws `case-not-found` for an id that no case has. */
async function selectedCases(store: CaseReader, selector: CaseSelector): Promise<readonly KeptCase[]> {
  for (const id of selector.ids ?? []) await findStoredCase(store, id);
  return await store.selected(selector);
}
