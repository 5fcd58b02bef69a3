import type { RowDigests } from '../core/run.ts';
import type { CaseDigests } from '../core/run-spec.ts';
import { matchesAny, tagsSelect, type Selection } from '../core/selection.ts';
import type { Skip, Suite, TestCase } from '../core/test-case.ts';
import { trialKey, type TrialId } from '../core/trial.ts';
import { given } from '../lib/given.ts';
import { sampleIndices, seededRandom } from '../lib/random.ts';
import type { PlannedTrial } from './trial-context.ts';

/** The data of a case in the plan. The case itself stays packed. */
export interface PlannedCase {
  /** Position of its suite in the plan. */
  readonly suite: number;
  /** Position in its suite. */
  readonly index: number;
  readonly id: string;
  readonly targets: readonly string[];
  readonly repeat: number;
  /** Numbers of the digests of the case and of its graders. */
  readonly digests: CaseDigests;
  /** Position of its first trial in the plan. */
  readonly firstTrial: number;
  readonly dependsOn?: readonly string[];
  readonly skip?: Skip;
}

/** Numbers of the digests of the graders of a case for a target. */
export function gradersUnder(digests: Pick<CaseDigests, 'graders' | 'gradersUnder'>, target: string) {
  return digests.gradersUnder?.[target] ?? digests.graders;
}

/** Cases x targets x repetitions, case-major, as authored. */
export interface Plan {
  readonly suites: readonly Suite[];
  readonly cases: PlannedCases;
  readonly targets: readonly string[];
  /** Number of trials. */
  readonly size: number;
}

/** Cases of a plan in their order. A run of 100,000 cases keeps no objects of them. */
export interface PlannedCases extends Iterable<PlannedCase> {
  readonly length: number;
}

/** The cases of a plan that are not skipped, each with its content. `isWanted`: asked before a case is unpacked. */
export function* activeCases(
  { suites, cases }: Pick<Plan, 'suites' | 'cases'>,
  isWanted: (planned: PlannedCase) => boolean = () => true,
): Generator<{ readonly planned: PlannedCase; readonly testCase: TestCase }> {
  for (const planned of cases) {
    if (planned.skip !== undefined || !isWanted(planned)) continue;
    const testCase = suites[planned.suite]?.cases.at(planned.index);
    if (testCase !== undefined) yield { planned, testCase };
  }
}

export interface PlanRequest {
  readonly suites: readonly Suite[];
  readonly selection: Selection;
  readonly seed: number;
  /** Targets of a case, from flag, test, suite or config. */
  readonly targetsOf: (testCase: TestCase) => readonly string[];
  readonly repeatOf: (testCase: TestCase) => number;
  readonly digestsOf: (testCase: TestCase) => CaseDigests;
  /** Restricts to some trials of an earlier run. */
  readonly only?: (id: Omit<TrialId, 'repetition'>) => boolean;
}

/** Makes the plan. Includes dependencies of the selected cases. */
export function makePlan(request: PlanRequest): Plan & { readonly cases: readonly PlannedCase[] } {
  const { suites, digestsOf } = request;
  const drafts = suites.flatMap((suite, position) => draftsOf(suite, position, request));
  const selected = sharded(withDependencies(drawn(drafts, request)), request.selection.shard);
  const targets = new Set<string>();
  const cases: PlannedCase[] = [];
  let size = 0;
  for (const draft of selected) {
    const digests = draft.digests ?? digestsOf((suites[draft.suite] as Suite).cases.at(draft.index));
    cases.push(plannedCase(draft, digests, size));
    size += draft.targets.length * draft.repeat;
    for (const target of draft.targets) targets.add(target);
  }
  return { suites, cases, targets: [...targets], size };
}

/** Copies member by member, because spread copies of 100,000 cases need three times the memory. */
function plannedCase(draft: Draft, digests: CaseDigests, firstTrial: number): PlannedCase {
  const { suite, index, id, targets, repeat, dependsOn, skip } = draft;
  const planned = { suite, index, id, targets, repeat, digests, firstTrial };
  if (dependsOn === undefined && skip === undefined) return planned;
  return {
    ...planned,
    ...given({ dependsOn, skip }),
  };
}

/** The trials of one target, in the order of the plan, created on demand. */
export function* trialsOf(plan: Plan, target: string, targetDigest: number): Generator<PlannedTrial> {
  for (const planned of plan.cases) {
    const column = planned.targets.indexOf(target);
    if (column < 0) continue;
    const digests = rowDigests(planned.digests, targetDigest);
    const suite = plan.suites[planned.suite]?.id ?? '';
    const place = { suite: planned.suite, index: planned.index };
    for (let repetition = 1; repetition <= planned.repeat; repetition++) {
      const index = planned.firstTrial + column * planned.repeat + repetition - 1;
      const trial = {
        suite,
        caseId: planned.id,
        target,
        repetition,
        place,
        key: trialKey({ suite, caseId: planned.id, target, repetition }),
        index,
        number: index + 1,
        digests,
        graders: gradersUnder(planned.digests, target),
      };
      yield planned.skip === undefined ? trial : { ...trial, skip: planned.skip };
    }
  }
}

/** Member by member, since most cases have no more than terms. */
function rowDigests({ case: ofCase, terms, mocks, userPrompt }: CaseDigests, target: number): RowDigests {
  if (terms === undefined || mocks !== undefined || userPrompt !== undefined)
    return { case: ofCase, target, ...given({ terms, mocks, userPrompt }) };
  return { case: ofCase, target, terms };
}

/** The keys of all trials, in the order of the plan. */
export function* keysOf(plan: Plan): Generator<string> {
  for (const { suite, id, targets, repeat } of plan.cases) {
    const of = { suite: plan.suites[suite]?.id ?? '', caseId: id };
    for (const target of targets) {
      for (let repetition = 1; repetition <= repeat; repetition++) {
        yield trialKey({ ...of, target, repetition });
      }
    }
  }
}

/** A case that could be planned. `chosen`: the filters select it, not only as a dependency. */
interface Draft extends Omit<PlannedCase, 'firstTrial' | 'digests'> {
  chosen: boolean;
  /** All targets of the case. `targets` are the selected ones. */
  readonly allTargets: readonly string[];
  /** Absent until it is decided that the case is planned. */
  readonly digests?: CaseDigests;
}

function draftsOf(suite: Suite, position: number, request: PlanRequest): Draft[] {
  const { selection, only } = request;
  const final =
    selection.limit === undefined && selection.sample === undefined && selection.shard === undefined;
  const drafts: Draft[] = [];
  const shared = sharedLists();
  for (let index = 0; index < suite.cases.length; index++) {
    const testCase = suite.cases.at(index);
    const asked = request.targetsOf(testCase);
    const allTargets = shared(asked.length < 2 ? asked : [...new Set(asked)]);
    const targets =
      only === undefined
        ? allTargets
        : allTargets.filter((target) => only({ suite: suite.id, caseId: testCase.id, target }));
    const named = selection.cases.length === 0 || matchesAny(testCase.id, selection.cases);
    const chosen = named && targets.length > 0 && tagsSelect(testCase.tags, selection);
    const { id, dependsOn, skip } = testCase;
    const repeat = request.repeatOf(testCase);
    const draft: { -readonly [Key in keyof Draft]: Draft[Key] } = {
      suite: position,
      index,
      id,
      targets,
      allTargets,
      repeat,
      chosen,
    };
    if (chosen && final) draft.digests = request.digestsOf(testCase);
    if (dependsOn !== undefined) draft.dependsOn = dependsOn;
    if (skip !== undefined) draft.skip = skip;
    drafts.push(draft);
  }
  return drafts;
}

/** Returns the first of equal lists for all of them. */
function sharedLists(): (list: readonly string[]) => readonly string[] {
  const lists = new Map<string, readonly string[]>();
  let last: readonly string[] = [];
  return (list) => {
    if (list.length === 1 && last.length === 1 && list[0] === last[0]) return last;
    const key = JSON.stringify(list);
    const known = lists.get(key) ?? list;
    lists.set(key, known);
    last = known;
    return known;
  };
}

/** `--limit` and `--sample` count chosen cases only. */
function drawn(drafts: readonly Draft[], { selection, seed }: PlanRequest): readonly Draft[] {
  const { limit, sample } = selection;
  if (limit === undefined && sample === undefined) return drafts;
  let chosen = drafts.flatMap((draft, index) => (draft.chosen ? [index] : []));
  if (sample !== undefined) {
    const all = chosen;
    chosen = sampleIndices(all.length, sample, seededRandom(seed)).map((index) => all[index] as number);
  }
  const kept = new Set(chosen.slice(0, limit));
  // In place: a copy of each of 100,000 drafts takes longer than to look at it.
  for (const [index, draft] of drafts.entries()) draft.chosen = kept.has(index);
  return drafts;
}

/** Adds the dependencies of chosen cases, on the targets where they are needed. */
function withDependencies(drafts: readonly Draft[]): readonly Draft[] {
  const open = drafts.filter((draft) => draft.chosen);
  if (!open.some((draft) => draft.dependsOn !== undefined)) return open;
  const byName = new Map(drafts.map((draft) => [caseName(draft.suite, draft.id), draft]));
  const kept = new Map<Draft, ReadonlySet<string>>();
  const needed = open.map((draft) => ({ draft, targets: draft.targets }));
  for (let next = needed.pop(); next !== undefined; next = needed.pop()) {
    const { draft } = next;
    const before = kept.get(draft) ?? new Set();
    const more = next.targets.filter((target) => !before.has(target));
    if (more.length === 0) continue;
    kept.set(draft, new Set([...before, ...more]));
    for (const id of draft.dependsOn ?? []) {
      const other = byName.get(caseName(draft.suite, id));
      if (other === undefined) continue;
      needed.push({ draft: other, targets: other.allTargets.filter((target) => more.includes(target)) });
    }
  }
  return drafts.flatMap((draft) => {
    const targets = kept.get(draft);
    if (targets === undefined) return [];
    return [{ ...draft, targets: draft.allTargets.filter((target) => targets.has(target)) }];
  });
}

/** Every n-th group of cases that depend on each other. A case without dependencies is its own group. */
function sharded(drafts: readonly Draft[], shard: Selection['shard']): readonly Draft[] {
  if (shard === undefined) return drafts;
  const groupOf = dependencyGroups(drafts);
  const order = new Map<string, number>();
  return drafts.filter((draft) => {
    const group = groupOf(caseName(draft.suite, draft.id));
    const place = order.get(group) ?? order.size;
    order.set(group, place);
    return place % shard.of === shard.index - 1;
  });
}

/** Finds the group of a case, identified by one of its cases. */
function dependencyGroups(drafts: readonly Draft[]): (name: string) => string {
  const above = new Map<string, string>();
  const top = (name: string): string => {
    const path: string[] = [];
    let last = name;
    for (let next = above.get(last); next !== undefined; next = above.get(last)) {
      path.push(last);
      last = next;
    }
    for (const passed of path) above.set(passed, last);
    return last;
  };
  for (const draft of drafts) {
    for (const id of draft.dependsOn ?? []) {
      const own = top(caseName(draft.suite, draft.id));
      const other = top(caseName(draft.suite, id));
      if (own !== other) above.set(own, other);
    }
  }
  return top;
}

/** A name of a case that is unique in a plan. */
export function caseName(suite: number | undefined, id: string): string {
  return `${suite}/${id}`;
}
