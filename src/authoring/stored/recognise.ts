import { isObject } from '../../lib/json.ts';
import { createReport } from '../yaml/report.ts';
import { checkStoredCase } from './check.ts';
import { readCaseFile } from './read-file.ts';

/** The files that contain stored test cases, valid or not, and no sign of evals. */
export async function storedCaseFiles(files: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const file of files) if (await holdsCases(file)) found.push(file);
  return found;
}

async function holdsCases(file: string): Promise<boolean> {
  if (!/\.(?:ya?ml|jsonl?)$/i.test(file) || isNamedAsSuite(file)) return false;
  const report = createReport();
  const { cases } = await readCaseFile(file, { display: (path) => path, report });
  return cases.some(({ value }) => isCase(value));
}

/** Such a file name means a suite, even if `tests` is missing. */
function isNamedAsSuite(file: string): boolean {
  return /\.(?:eval|suite)\.[^.]+$/i.test(file);
}

/** Many files have a `name`. A file with foreign keys, and without keys that only cases have, is not a case. */
function isCase(value: unknown): boolean {
  if (!isObject(value) || 'tests' in value || 'input' in value) return false;
  return OWN_KEYS.some((key) => key in value) || checkStoredCase(value).faults === undefined;
}

const OWN_KEYS = [
  'persona',
  'initial_message',
  'user_context',
  'expected_outcomes',
  'expected_tool_calls',
  'evaluation_criteria_override',
] as const;
