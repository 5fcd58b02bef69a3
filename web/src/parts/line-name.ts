import type { RunResource } from '../../../src/api/resources/run.ts';
import { STORED_SUITE } from '../../../src/core/test-case.ts';
import { plural } from '../../../src/lib/text/plural.ts';
import { lineText } from './cut.ts';

/** A line in words: runs of stored cases without an own line have the name of their suite. */
export function lineName(line: string): string {
  return line === STORED_SUITE ? 'Stored test cases' : line;
}

/** What a run is called: its name, else its line, else what it ran. */
export function runTitle({ id, name, line, manifest }: Titled): string {
  if (name !== null) return name;
  if (line === null) return `Run ${id}`;
  const [suite] = line === STORED_SUITE ? (manifest?.suites ?? []) : [];
  if (suite?.onlyCase !== undefined) return `Run of “${lineText(suite.onlyCase, 80)}”`;
  return suite === undefined ? lineName(line) : `Run of ${plural(suite.cases, 'stored test case')}`;
}

type Titled = Pick<RunResource, 'id' | 'name' | 'line' | 'manifest'>;
