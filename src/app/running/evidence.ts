import { lstatSync } from 'node:fs';
import { resolve } from 'node:path';

import type { GraderPlugin } from '../../core/plugin.ts';
import { knownCases, type TestCase } from '../../core/test-case.ts';
import { contentDigest } from '../project/file-digests.ts';
import type { BoundRun } from '../binding/bind.ts';
import { filesThatDecide } from '../binding/files-that-decide.ts';
import { withMembers } from '../binding/with-members.ts';
import { caseIn } from '../binding/planned-cases.ts';
import type { Evidence } from '../../engine/trial-context.ts';

/** Watches everything that grades. `onChange` is called once, when something of it has changed. */
export function watchEvidence(bound: BoundRun, onChange: () => void): Evidence {
  const { spec, plan, machine } = bound;
  const before = new Map<string, Seen>();
  const watch = (path: string): void => {
    if (!before.has(path)) before.set(path, seen(path));
  };
  const fileOfSuite = new Map(spec.suites.map(({ id, file }) => [id, file]));
  // The suite of a store has the folder of its project for a file: everything that is written there changes it.
  for (const file of fileOfSuite.values()) if (!isFolder(file)) watch(file);
  // Cases that are read later have the graders of the config, as these do.
  for (const { cases } of plan.suites)
    for (const testCase of knownCases(cases))
      for (const path of filesOf(testCase, machine.graders)) watch(path);
  let isTold = false;
  return {
    changed(trial) {
      const suite = fileOfSuite.get(trial.suite);
      const own = filesOf(caseIn(plan, trial), machine.graders);
      const paths = suite === undefined ? own : [suite, ...own];
      const changed = paths.find((path) => !isSame(path, before));
      if (changed !== undefined && !isTold) {
        isTold = true;
        onChange();
      }
      return changed;
    },
  };
}

interface Seen {
  /** Changes with every write; equal marks mean equal content. */
  readonly mark: string;
  readonly digest: string;
}

/** A folder has no mark: its files may change without it. */
function seen(path: string): Seen {
  return { mark: markOf(path), digest: contentDigest(path) };
}

function isSame(path: string, before: Map<string, Seen>): boolean {
  const known = before.get(path);
  if (known === undefined) return true;
  if (known.mark !== '' && known.mark === markOf(path)) return true;
  const now = seen(path);
  if (now.digest !== known.digest) return false;
  before.set(path, now);
  return true;
}

function markOf(path: string): string {
  const status = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (status === undefined || !status.isFile()) return '';
  return [status.ino, status.size, status.mtimeNs, status.ctimeNs].join(' ');
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** The files of all graders of a case; absolute. */
function filesOf(
  { directory, expectations }: TestCase,
  graders: ReadonlyMap<string, GraderPlugin>,
): readonly string[] {
  const files = expectations
    .flatMap((each) => withMembers(each, graders, directory))
    .flatMap(({ plugin, config, directory: place }) =>
      filesThatDecide(config, plugin).map((file) => resolve(place, file)),
    );
  return [...new Set(files)];
}
