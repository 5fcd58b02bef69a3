import type { Problem } from '../../core/problem.ts';
import type { ToolMock } from '../../core/test-case.ts';
import { fault, under } from '../yaml/fault.ts';
import { createReport, type Report } from '../yaml/report.ts';
import { checkStoredCase, type CheckedCase } from './check.ts';
import { movedMockResponses } from './mock-responses.ts';
import { readCaseFile, type RawCase, type RawCases } from './read-file.ts';
import { checkToolMock, ownerFinder } from './tool-mocks.ts';
import { given } from '../../lib/given.ts';
import { isObject } from '../../lib/json.ts';

/** A valid case of a file. */
export interface LoadedCase extends CheckedCase {
  /** The path as shown to people. */
  readonly file: string;
  readonly line?: number;
  /** Absolute folder of its file. */
  readonly directory: string;
  /** The keys that the file gives; the other fields are defaults. */
  readonly written: ReadonlySet<string>;
  /** In the order in which they are tried. */
  readonly mocks: readonly ToolMock[];
  /** Number of mocks that came from `mock_responses` of expected tool calls, a format of older files. */
  readonly movedMocks: number;
  /** Multiplies the repetitions of the run: of a member of a set. Absent: 1. */
  readonly repeatFactor?: number;
}

export interface LoadedCases {
  /** Empty when there is any problem. */
  readonly cases: readonly LoadedCase[];
  readonly problems: readonly Problem[];
  /** How many cases had each of the keys that were dropped. */
  readonly dropped: ReadonlyMap<string, number>;
}

export interface CaseFiles {
  /** Absolute. */
  readonly files: readonly string[];
  /** Gives a path as shown to people. */
  display(absolutePath: string): string;
  /** unique: a case without an id is identified by its name, as in a run. */
  readonly names: 'unique' | 'any';
  /** Keys that are taken out of cases before these are checked; no keys of the schema. */
  readonly drop?: readonly string[];
}

/** Loads the test cases of files. Returns either all of them, or all problems of any of them. */
export async function loadCaseFiles(asked: CaseFiles): Promise<LoadedCases> {
  const { files, display, names, drop } = asked;
  const report = createReport();
  const read = (async function* () {
    for (const path of files) yield await readCaseFile(path, { display, report });
  })();
  return await loadCases(read, { names, report, ...given({ drop }) });
}

/** How cases that were read are checked. */
export interface CaseChecks extends Pick<CaseFiles, 'names' | 'drop'> {
  readonly report: Report;
}

/** Checks the cases of each file before the next one is read. */
export async function loadCases(
  read: AsyncIterable<RawCases> | Iterable<RawCases>,
  checks: CaseChecks,
): Promise<LoadedCases> {
  const { report, drop = [] } = checks;
  const names = new Map<string, LoadedCase>();
  const dropped = new Map(drop.map((key) => [key, 0]));
  const entries: Entry[] = [];
  const mocks: RawCase[] = [];
  for await (const file of read) {
    mocks.push(...file.mocks);
    for (const written of file.cases) {
      const raw = { ...written, value: withoutKeys(written.value, dropped) };
      const loaded = loadedCase(raw, report);
      entries.push({ raw, loaded });
      const isNamed = checks.names === 'unique' || loaded?.id !== undefined;
      if (loaded !== undefined && isNamed) claim(loaded, raw, { names, report });
    }
  }
  const own = ownMocks(mocks, entries, report);
  const problems = await report.problems();
  if (problems.length > 0) return { cases: [], problems, dropped };
  return { cases: entries.flatMap((entry) => withMocks(entry, own.get(entry.raw))), problems, dropped };
}

/** The value without these keys; how many were dropped is counted. */
function withoutKeys(value: unknown, dropped: Map<string, number>): unknown {
  const there = isObject(value) ? [...dropped.keys()].filter((key) => Object.hasOwn(value, key)) : [];
  if (there.length === 0) return value;
  for (const key of there) dropped.set(key, (dropped.get(key) ?? 0) + 1);
  return Object.fromEntries(Object.entries(value as object).filter(([key]) => !there.includes(key)));
}

interface Entry {
  readonly raw: RawCase;
  /** Absent when it has mistakes. */
  readonly loaded: LoadedCase | undefined;
}

/** Groups the mocks of envelopes by their case. */
function ownMocks(
  written: readonly RawCase[],
  entries: readonly Entry[],
  report: Report,
): ReadonlyMap<RawCase, readonly ToolMock[]> {
  const own = new Map<RawCase, ToolMock[]>();
  const ownerOf = ownerFinder(entries);
  for (const { value, fragment, path, file } of written) {
    const { owned, faults } = checkToolMock(value, path);
    for (const found of faults) report.add(fragment, under(path, found));
    if (owned === undefined) continue;
    const { owner, fault: wrong } = ownerOf(owned.owner, file.shown);
    if (wrong !== undefined) report.add(fragment, under(path, wrong));
    if (owner === undefined) continue;
    const list = own.get(owner) ?? [];
    own.set(owner, list);
    list.push(owned.mock);
  }
  return own;
}

function withMocks({ loaded }: Entry, mocks: readonly ToolMock[] = []): readonly LoadedCase[] {
  if (loaded === undefined) return [];
  return [mocks.length === 0 ? loaded : { ...loaded, mocks: [...loaded.mocks, ...mocks] }];
}

/** The id of a case in a run: its id, or its name. */
export function caseIdOf({ id, case: stored }: CheckedCase): string {
  return id ?? stored.name;
}

function loadedCase(raw: RawCase, report: Report): LoadedCase | undefined {
  const moved = movedMockResponses(raw.value);
  const checked = checkStoredCase(moved.value);
  const faults = [...(checked.faults ?? []), ...moved.faults];
  for (const found of faults) report.add(raw.fragment, under(raw.path, found));
  if (checked.value === undefined) return undefined;
  const { shown, directory } = raw.file;
  return {
    ...checked.value,
    file: shown,
    directory,
    ...given({ line: raw.line }),
    written: new Set(isObject(moved.value) ? Object.keys(moved.value) : []),
    mocks: moved.mocks,
    movedMocks: moved.mocks.length,
  };
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
  const message = `duplicate ${key} ${JSON.stringify(id)}: it is also used by a case in ${first.file}`;
  const found = fault(loaded.id === undefined ? 'ambiguous-name' : 'duplicate-id', message, { path: [key] });
  report.add(raw.fragment, under(raw.path, found));
}
