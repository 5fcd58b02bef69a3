import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { messageOf } from '../../core/errors.ts';
import type { GraderServices } from '../../core/plugin.ts';
import { digestOf } from '../../lib/digest.ts';
import { isObject } from '../../lib/json.ts';
import type { CommandConfig } from './command-config.ts';
import { testsIn } from './junit-tests.ts';
import { failed, type CommandEnd } from './run-in-copy.ts';

type Named = Pick<CommandConfig, 'oracle' | 'run' | 'files' | 'at' | 'report'>;

/** The file with the test names of an oracle, next to its folder. */
export function testsFile({ oracle = '' }: Pick<CommandConfig, 'oracle'>): string {
  return `${oracle.replace(/\/+$/, '')}.tests.json`;
}

/** The names that `assay verify-graders` has found. Throws if it did not run before. */
export function oracleTests(settings: Named, { directory }: Pick<GraderServices, 'directory'>) {
  const names = filed(resolve(directory, testsFile(settings)))[keyOf(settings)];
  if (names !== undefined && names.length > 0) return names;
  throw new Error(
    `${testsFile(settings)} does not name the tests of this command; run \`assay verify-graders\` first`,
  );
}

/** Keeps the names of the tests that a correct solution passes. Throws if it does not pass all of them. */
export function keepOracleTests(
  settings: Named,
  { directory }: Pick<GraderServices, 'directory'>,
  { exitCode, said, report = '' }: CommandEnd,
): readonly string[] {
  const tests = testsIn(report);
  if (tests.length === 0) throw failed(`ended with exit code ${exitCode} and reported no tests`, said);
  const failing = tests.find(({ hasPassed }) => !hasPassed);
  if (failing !== undefined) throw failed(`did not pass with the oracle: ${failing.fullName}`, said);
  const names = [...new Set(tests.map(({ fullName }) => fullName))].toSorted();
  const path = resolve(directory, testsFile(settings));
  const all = { ...filed(path), [keyOf(settings)]: names };
  writeFileSync(path, `${JSON.stringify(all, undefined, 2)}\n`);
  return names;
}

/** The command for the reader, and a digest of all that decides which tests it reports. */
function keyOf({ run, files = '', at = '', report = '' }: Named): string {
  return `${run.join(' ')} (${digestOf({ run, files, at, report }).slice(0, 16)})`;
}

function filed(path: string): Readonly<Record<string, readonly string[]>> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return {};
  }
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value)) throw new Error('it is not an object');
    return Object.fromEntries(
      Object.entries(value).map(([key, names]) => [key, Array.isArray(names) ? names.map(String) : []]),
    );
  } catch (error) {
    throw new Error(`${path} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}
