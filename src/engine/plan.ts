import { matchesAny, tagsSelect, type Selection } from '../core/selection.ts';
import type { Skip, Suite, TestCase } from '../core/test-case.ts';
import { trialKey, type TrialId } from '../core/trial.ts';
import { sampleIndices, seededRandom } from '../lib/random.ts';
import type { PlannedTrial } from './parts.ts';

/** What the plan keeps of a case; the case itself stays packed. */
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

export interface CaseDigests {
  readonly case: number;
  /** One for each expectation. */
  readonly graders: readonly number[];
}

/** Cases x targets x repetitions, case-major, as authored. */
export interface Plan {
  readonly suites: readonly Suite[];
  readonly cases: readonly PlannedCase[];
  readonly targets: readonly string[];
  /** Number of trials. */
  readonly size: number;
}

export interface PlanRequest {
  readonly suites: readonly Suite[];
  readonly selection: Selection;
  readonly seed: number;
  /** Targets of a case by flag, test, suite, config. */
  readonly targetsOf: (testCase: TestCase) => readonly string[];
  readonly repeatOf: (testCase: TestCase) => number;
  readonly digestsOf: (testCase: TestCase) => CaseDigests;
  /** Restricts to some trials of an earlier run. */
  readonly only?: (id: Omit<TrialId, 'repetition'>) => boolean;
}

/** Makes the plan. What selected cases depend on comes along. */
export function makePlan(request: PlanRequest): Plan {
  const drafts = request.suites.flatMap((suite, position) => draftsOf(suite, position, request));
  const selected = sharded(withDependencies(drawn(drafts, request)), request.selection.shard);
  const targets = new Set<string>();
  const cases: PlannedCase[] = [];
  let size = 0;
  for (const planned of selected) {
    cases.push({ ...planned, firstTrial: size });
    size += planned.targets.length * planned.repeat;
    for (const target of planned.targets) targets.add(target);
  }
  return { suites: request.suites, cases, targets: [...targets], size };
}

/** The trials of one target, in the order of the plan, made as they are asked for. */
export function* trialsOf(plan: Plan, target: string, targetDigest: number): Generator<PlannedTrial> {
  for (const planned of plan.cases) {
    const column = planned.targets.indexOf(target);
    if (column < 0) continue;
    const suite = plan.suites[planned.suite]?.id ?? '';
    const place = { suite: planned.suite, index: planned.index };
    for (let repetition = 1; repetition <= planned.repeat; repetition++) {
      const id = { suite, caseId: planned.id, target, repetition };
      yield {
        ...id,
        place,
        key: trialKey(id),
        index: planned.firstTrial + column * planned.repeat + repetition - 1,
        digests: { case: planned.digests.case, target: targetDigest },
        graders: planned.digests.graders,
        ...(planned.skip === undefined ? {} : { skip: planned.skip }),
      };
    }
  }
}

/** A case that could be planned; `chosen` means that the filters let it in by itself. */
interface Draft extends Omit<PlannedCase, 'firstTrial'> {
  readonly chosen: boolean;
}

function draftsOf(suite: Suite, position: number, request: PlanRequest): Draft[] {
  const { selection, only } = request;
  const drafts: Draft[] = [];
  for (let index = 0; index < suite.cases.length; index++) {
    const testCase = suite.cases.at(index);
    const targets = request
      .targetsOf(testCase)
      .filter((target) => only?.({ suite: suite.id, caseId: testCase.id, target }) ?? true);
    const named = selection.cases.length === 0 || matchesAny(testCase.id, selection.cases);
    drafts.push({
      suite: position,
      index,
      id: testCase.id,
      targets: targets.length > 0 ? targets : request.targetsOf(testCase),
      repeat: request.repeatOf(testCase),
      digests: request.digestsOf(testCase),
      chosen: named && targets.length > 0 && tagsSelect(testCase.tags, selection),
      ...(testCase.dependsOn === undefined ? {} : { dependsOn: testCase.dependsOn }),
      ...(testCase.skip === undefined ? {} : { skip: testCase.skip }),
    });
  }
  return drafts;
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
  return drafts.map((draft, index) => ({ ...draft, chosen: kept.has(index) }));
}

function withDependencies(drafts: readonly Draft[]): readonly Draft[] {
  if (!drafts.some((draft) => draft.chosen && draft.dependsOn !== undefined)) {
    return drafts.filter((draft) => draft.chosen);
  }
  const byId = new Map(drafts.map((draft) => [`${draft.suite}/${draft.id}`, draft]));
  const kept = new Set<Draft>();
  const keep = (draft: Draft | undefined) => {
    if (draft === undefined || kept.has(draft)) return;
    kept.add(draft);
    for (const id of draft.dependsOn ?? []) keep(byId.get(`${draft.suite}/${id}`));
  };
  for (const draft of drafts) if (draft.chosen) keep(draft);
  return drafts.filter((draft) => kept.has(draft));
}

/** Every n-th group of cases that depend on each other; a case without dependencies is a group of its own. */
function sharded(drafts: readonly Draft[], shard: Selection['shard']): readonly Draft[] {
  if (shard === undefined) return drafts;
  const groups = new Map<string, string>();
  const rootOf = (name: string): string => {
    let root = name;
    for (let above = groups.get(root); above !== undefined && above !== root; above = groups.get(root))
      root = above;
    return root;
  };
  for (const draft of drafts) {
    const name = `${draft.suite}/${draft.id}`;
    groups.set(name, groups.get(name) ?? name);
    for (const id of draft.dependsOn ?? []) {
      const other = `${draft.suite}/${id}`;
      groups.set(other, groups.get(other) ?? other);
      groups.set(rootOf(other), rootOf(name));
    }
  }
  const order = new Map<string, number>();
  return drafts.filter((draft) => {
    const root = rootOf(`${draft.suite}/${draft.id}`);
    if (!order.has(root)) order.set(root, order.size);
    return (order.get(root) ?? 0) % shard.of === shard.index - 1;
  });
}
