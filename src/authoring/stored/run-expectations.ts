import { GRADE_THRESHOLD } from '../../core/grade.ts';
import type { GraderPlugin, PartShelf } from '../../core/plugin.ts';
import type { Problem } from '../../core/problem.ts';
import type { Expectation } from '../../core/test-case.ts';
import type { JsonObject } from '../../lib/json.ts';
import { problemAt, type Origin } from '../config/locate.ts';
import { entriesOf } from '../yaml/entries.ts';
import { createEntryChecker, namedApart } from '../yaml/expectations.ts';
import { fault, type Fault } from '../yaml/fault.ts';
import { createFileLookup } from '../yaml/file-lookup.ts';
import { typesOf } from '../yaml/grader-types.ts';

export interface RunExpectations {
  /** Evaluator entries, as written in `run.expectations` of the config or in `expectations` of a request. */
  readonly entries: readonly (string | JsonObject)[];
  /** The entries are those of a request. */
  readonly isRequest?: true;
  readonly origin: Origin;
  /** Absolute folder of the config. */
  readonly directory: string;
  readonly projectRoot: string;
  readonly graders: PartShelf<GraderPlugin>;
  readonly targets: ReadonlySet<string>;
  readonly hasJudge: boolean;
}

/** The expectations that a run adds to every stored case. */
export async function runExpectations(written: RunExpectations): Promise<{
  readonly expectations: readonly Expectation[];
  readonly problems: readonly Problem[];
}> {
  const { entries, origin, directory, projectRoot, ...known } = written;
  await known.graders.load(typesOf(entries));
  const problems: Problem[] = [];
  const tell = (found: Fault): void => void problems.push(problemAt(origin, found));
  const fragment = { shown: origin.file, line: 1, syntax: 'lines', text: () => '' } as const;
  const path = known.isRequest === true ? ['expectations'] : ['run', 'expectations'];
  const place = { fragment, path, directory };
  const check = createEntryChecker({ ...known, files: createFileLookup(projectRoot) });
  const expectations: Expectation[] = [];
  for (const entry of entriesOf(entries, place)) {
    const checked = check(entry, undefined, tell);
    if (checked === undefined) continue;
    const { expectation, readsCriteria, readsReference } = checked;
    const own = Object.hasOwn(entry.value, 'weight') ? expectation : asGate(expectation);
    expectations.push({ ...own, directory });
    const missing = readsCriteria ? 'criteria' : readsReference ? 'expected_output' : undefined;
    if (missing === undefined) continue;
    const message = `the evaluator "${expectation.name}" reads \`${missing}\`, which stored test cases do not have`;
    const hint = `remove the evaluator, or use one that does not read \`${missing}\``;
    tell(fault('missing-key', message, { path, hint }));
  }
  return { expectations: namedApart(expectations), problems };
}

/** Without a weight, an expectation of the run is a gate and does not count for the score. */
function asGate(expectation: Expectation): Expectation {
  return { ...expectation, weight: 0, required: expectation.required ?? GRADE_THRESHOLD };
}
