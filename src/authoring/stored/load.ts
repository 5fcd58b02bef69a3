import type { Problem } from '../../core/problem.ts';
import { fault, under } from '../yaml/fault.ts';
import { createReport, type Report } from '../yaml/report.ts';
import { checkStoredCase, type CheckedCase } from './check.ts';
import { readCaseFile, type RawCase } from './read-file.ts';

/** A case of a file that follows the schema. */
export interface LoadedCase extends CheckedCase {
  /** Path as shown to people. */
  readonly file: string;
  readonly line?: number;
  /** Absolute folder of its file. */
  readonly directory: string;
}

export interface LoadedCases {
  /** Empty when there is any problem. */
  readonly cases: readonly LoadedCase[];
  readonly problems: readonly Problem[];
}

export interface CaseFiles {
  /** Absolute. */
  readonly files: readonly string[];
  /** A path as shown to people. */
  display(absolutePath: string): string;
  /** unique: cases without an id are known by their names, as in a run. */
  readonly names: 'unique' | 'any';
}

/** Loads the test cases of files: all of them, or everything that is wrong with any of them. */
export async function loadCaseFiles(asked: CaseFiles): Promise<LoadedCases> {
  const { files, display } = asked;
  const report = createReport();
  const cases: LoadedCase[] = [];
  const names = new Map<string, LoadedCase>();
  for (const path of files) {
    for (const raw of await readCaseFile(path, { display, report })) {
      const loaded = loadedCase(raw, report);
      if (loaded === undefined) continue;
      if (asked.names === 'unique' || loaded.id !== undefined) claim(loaded, raw, { names, report });
      cases.push(loaded);
    }
  }
  const problems = await report.problems();
  return { cases: problems.length === 0 ? cases : [], problems };
}

/** What a case is called in a run: its id, or without one its name. */
export function caseIdOf({ id, case: stored }: CheckedCase): string {
  return id ?? stored.name;
}

function loadedCase(raw: RawCase, report: Report): LoadedCase | undefined {
  const checked = checkStoredCase(raw.value);
  for (const found of checked.faults ?? []) report.add(raw.fragment, under(raw.path, found));
  if (checked.value === undefined) return undefined;
  const { shown, directory } = raw.file;
  return { ...checked.value, file: shown, directory, ...(raw.line === undefined ? {} : { line: raw.line }) };
}

interface Claims {
  readonly names: Map<string, LoadedCase>;
  readonly report: Report;
}

function claim(loaded: LoadedCase, raw: RawCase, { names, report }: Claims): void {
  const id = caseIdOf(loaded);
  const first = names.get(id);
  if (first === undefined) return void names.set(id, loaded);
  const key = loaded.id === undefined ? 'name' : 'id';
  const message = `the ${key} ${JSON.stringify(id)} is taken by a case in ${first.file}`;
  const found = fault(loaded.id === undefined ? 'ambiguous-name' : 'duplicate-id', message, { path: [key] });
  report.add(raw.fragment, under(raw.path, found));
}
