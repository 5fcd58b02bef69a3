import { createEntryChecker, type GraderScope } from '../../../authoring/yaml/expectations.ts';
import { createFileLookup } from '../../../authoring/yaml/file-lookup.ts';
import { pathLabel, type Fault } from '../../../authoring/yaml/fault.ts';
import type { Expectation } from '../../../core/test-case.ts';
import { isObject } from '../../../lib/json.ts';

/** Turns entries from code into expectations, by the rules of YAML evals. Throws a TypeError for invalid ones. */
export function entryReader(
  scope: Omit<GraderScope, 'files'> & { readonly projectRoot: string },
): (entry: unknown, directory: string) => Expectation {
  const check = createEntryChecker({ ...scope, files: createFileLookup(scope.projectRoot) });
  return (entry, directory) => {
    if (!isObject(entry))
      throw new TypeError('grade(report, entry): expected an entry such as { type: ... }');
    const faults: Fault[] = [];
    const fragment = { shown: 'grade', line: 1, syntax: 'lines' as const, text: () => '' };
    const origin = { fragment, path: [], directory };
    const checked = check({ value: entry, origin, written: 'entry', index: 0 }, undefined, (found) =>
      faults.push(found),
    );
    if (checked !== undefined) return { ...checked.expectation, directory };
    const texts = faults.map(({ path, message, hint }) => {
      const place = pathLabel(path.slice(1));
      return `${place === '' ? '' : `${place}: `}${message}${hint === undefined ? '' : ` (${hint})`}`;
    });
    throw new TypeError(`grade(report, entry): ${texts.join('; ')}`);
  };
}
