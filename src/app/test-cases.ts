import { loadCaseFiles, type LoadedCase } from '../authoring/stored/load.ts';
import { findCaseFiles } from '../authoring/stored/find-files.ts';
import { storedCaseDigest } from '../authoring/stored/digest.ts';
import type { CaseSelector } from '../core/run-options.ts';
import { isCalled, selectCases, unknownCases } from '../authoring/stored/selector.ts';
import { movedNote } from '../authoring/stored/map.ts';
import type { ToolMock } from '../core/test-case.ts';
import { given } from '../lib/given.ts';
import { mocksDigestOf } from './planning/mocks-digest.ts';
import { handlersOf } from './binding/tools-of-case.ts';
import { AssayError } from '../core/errors.ts';
import { EXIT } from './exit-code.ts';
import { AuthoringError, formatProblem } from '../core/problem.ts';
import { stripLine } from '../lib/text/terminal-text.ts';
import { shownPath } from './project/project-root.ts';
import type { Surroundings } from './surroundings.ts';
import { plural } from '../lib/text/plural.ts';
import { printableLine } from '../lib/text/printable-json.ts';

export interface CaseOutput {
  readonly exitCode: number;
  readonly text: string;
  readonly json: string;
}

/** Checks stored test cases. */
export async function validateCases(patterns: readonly string[], { cwd }: Surroundings): Promise<CaseOutput> {
  const { files, cases, problems } = await read(patterns, cwd);
  if (problems.length > 0) {
    const text = `${[...problems.map(formatProblem), `${plural(problems.length, 'problem')} found`].join('\n')}\n`;
    return { exitCode: EXIT.usage, text, json: printableLine({ problems }) };
  }
  const moved = cases.filter(({ movedMocks }) => movedMocks > 0).map(movedLine);
  const text = `${moved.join('')}${plural(files.length, 'file')} and ${plural(cases.length, 'test case')} checked: no problems\n`;
  const json = printableLine({ files: files.length, cases: cases.length, problems: [] });
  return { exitCode: EXIT.ok, text, json };
}

/** Lists stored test cases, one line each or as JSON. */
export async function listCases(
  patterns: readonly string[],
  { cwd }: Surroundings,
  selector: CaseSelector = {},
): Promise<CaseOutput> {
  const there = await readWithoutFault(patterns, cwd);
  const { cases, unknown } = selectCases(there.cases, selector);
  if (unknown.length > 0) throw new AuthoringError(unknownCases({ unknown }, shownPath(cwd, cwd)));
  const text = cases.map(({ case: stored, file, id }) => {
    const { name, status, difficulty, tags } = stored;
    const facts = [status, difficulty, ...tags].join(', ');
    return `${stripLine(name)}${id === undefined ? '' : `  ${id}`}  (${stripLine(facts)})  ${stripLine(file)}\n`;
  });
  const shown = text.length > 0 ? text.join('') : noneOf(there.cases.length);
  return { exitCode: EXIT.ok, text: shown, json: printableLine(cases.map(documentOf)) };
}

function noneOf(number: number): string {
  return `0 of ${plural(number, 'test case')} selected; without --status only active ones are listed\n`;
}

/** One stored test case with its defaults and digest. Throws `case-not-found` or `ambiguous-name`. */
export async function showCase(
  idOrName: string,
  patterns: readonly string[],
  { cwd }: Surroundings,
): Promise<CaseOutput> {
  const { cases } = await readWithoutFault(patterns, cwd);
  const found = cases.filter((each) => isCalled(each, idOrName));
  const [only] = found;
  if (only === undefined || found.length > 1) throw notOne(idOrName, found);
  const json = printableLine(documentOf(only), 2);
  return { exitCode: EXIT.ok, text: json, json };
}

function documentOf(loaded: LoadedCase): object {
  const { id, case: stored, file, mocks } = loaded;
  // The digest would need the code of handlers, whose location only the config knows.
  const digest = handlersOf({ mocks }).length > 0 ? {} : { mocks_digest: mocksDigestOf({ mocks }) };
  const tools = mocks.length === 0 ? {} : { mocks: mocks.map(shownMock), ...digest };
  return { ...given({ id }), ...stored, digest: storedCaseDigest(stored), ...tools, file };
}

/** A mock with the keys of files. */
export function shownMock({ answer, times, ...mock }: ToolMock): object {
  return { ...mock, times: times ?? null, ...answer };
}

function movedLine({ case: stored, file, movedMocks }: LoadedCase): string {
  return `${stripLine(file)}: ${JSON.stringify(stripLine(stored.name))}: ${movedNote(movedMocks)}\n`;
}

async function read(patterns: readonly string[], cwd: string) {
  const found = await findCaseFiles(patterns, cwd);
  const display = (path: string) => shownPath(path, cwd);
  const { cases, problems } = await loadCaseFiles({ files: found.files, display, names: 'any' });
  return { files: found.files, cases, problems: [...found.problems, ...problems] };
}

async function readWithoutFault(patterns: readonly string[], cwd: string) {
  const { problems, cases } = await read(patterns, cwd);
  if (problems.length > 0) throw new AuthoringError(problems);
  return { cases };
}

function notOne(idOrName: string, found: readonly LoadedCase[]): AssayError {
  const name = JSON.stringify(idOrName);
  if (found.length === 0) {
    return new AssayError('case-not-found', `unknown test case ${name}`, {
      stage: 'plan',
      hint: '`assay cases list PATH` shows all names',
    });
  }
  const places = found.map(({ file }) => file).join(', ');
  return new AssayError('ambiguous-name', `${found.length} test cases are named ${name}: ${places}`, {
    stage: 'plan',
    hint: 'name the file of the case in the command too, or give each of these cases its own `id`',
  });
}
