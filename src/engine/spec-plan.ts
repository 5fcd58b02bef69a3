import type { CaseDigests, CaseKind, RunSpec } from '../core/run-spec.ts';
import { given } from '../lib/given.ts';
import type { Plan, PlannedCase, PlannedCases } from './plan.ts';

/** The plan of a run spec. */
export interface SpecPlan extends Plan {
  readonly cases: CasesOfSpec;
}

/** The cases of a run spec. Each is made when it is asked for. */
export interface CasesOfSpec extends PlannedCases {
  readonly at: (place: number) => PlannedCase;
  /** Those with this id, at most one of each suite. */
  readonly named: (id: string) => Iterable<PlannedCase>;
  /** Number of their trials. */
  readonly trials: number;
}

export function casesOfSpec({ kinds, cases }: Pick<RunSpec, 'kinds' | 'cases'>): CasesOfSpec {
  const { length } = cases.id;
  const firstTrials = new Uint32Array(length);
  const firstGraders = new Uint32Array(length);
  let trials = 0;
  let graders = 0;
  const kindOf = (place: number): CaseKind => {
    const kind = kinds[cases.kind[place] ?? -1];
    if (kind === undefined) throw new Error(`the run spec has no kind for the case ${cases.id[place]}`);
    return kind;
  };
  for (let place = 0; place < length; place++) {
    const kind = kindOf(place);
    firstTrials[place] = trials;
    firstGraders[place] = graders;
    trials += kind.targets.length * kind.repeat;
    graders += kind.graderCount;
  }
  const at = (place: number): PlannedCase => {
    const kind = kindOf(place);
    const first = firstGraders[place] ?? 0;
    return plannedCase(kind, {
      id: cases.id[place] ?? '',
      index: cases.at[place] ?? -1,
      digest: cases.digest[place] ?? -1,
      graders: cases.graders.slice(first, first + kind.graderCount),
      firstTrial: firstTrials[place] ?? 0,
    });
  };
  return {
    length,
    trials,
    at,
    *named(id) {
      for (let place = cases.id.indexOf(id); place >= 0; place = cases.id.indexOf(id, place + 1))
        yield at(place);
    },
    *[Symbol.iterator]() {
      for (let place = 0; place < length; place++) yield at(place);
    },
  };
}

interface CaseOfKind extends Pick<PlannedCase, 'id' | 'index' | 'firstTrial'> {
  readonly digest: number;
  readonly graders: readonly number[];
}

/** Member by member, because most cases have no rare members and spread copies are slow. */
function plannedCase(kind: CaseKind, { id, index, digest, graders, firstTrial }: CaseOfKind): PlannedCase {
  const { suite, targets, repeat, dependsOn, skip } = kind;
  const digests = digestsOf(kind, digest, graders);
  const planned = { suite, index, id, targets, repeat, digests, firstTrial };
  if (dependsOn === undefined && skip === undefined) return planned;
  return { ...planned, ...given({ dependsOn, skip }) };
}

/** Member by member, since stored cases have most of them. */
function digestsOf(kind: CaseKind, digest: number, graders: readonly number[]): CaseDigests {
  const { terms, gradersUnder, judges, models, mocks, userPrompt } = kind;
  const digests: { -readonly [Key in keyof CaseDigests]: CaseDigests[Key] } = { case: digest, graders };
  if (terms !== undefined) digests.terms = terms;
  if (gradersUnder !== undefined) digests.gradersUnder = gradersUnder;
  if (judges !== undefined) digests.judges = judges;
  if (models !== undefined) digests.models = models;
  if (mocks !== undefined) digests.mocks = mocks;
  if (userPrompt !== undefined) digests.userPrompt = userPrompt;
  return digests;
}
