import type { RunSpec } from '../../core/run-spec.ts';
import type { PlannedTrial } from '../../engine/trial-context.ts';
import { sameCase } from '../planning/changes-since.ts';
import type { BoundRun } from '../binding/bind.ts';

/** Reads the case of a trial if that is not known yet. Resolves to why this checkout cannot run it; absent: it can. */
export type CaseReader = (trial: PlannedTrial) => Promise<{ readonly refusal?: string }>;

/** Kinds of cases of which one is compared before a worker takes trials. Others are compared when they are read. */
const MOST_KINDS = 100;

/** Places in the plan of the first case of each kind. */
export function firstOfKinds({ cases: { kind } }: Pick<RunSpec, 'cases'>): readonly number[] {
  const seen = new Set<number>();
  const places: number[] = [];
  for (const [place, each] of kind.entries()) {
    if (places.length === MOST_KINDS) break;
    if (seen.has(each)) continue;
    seen.add(each);
    places.push(place);
  }
  return places;
}

/** Reads the cases of trials that are taken together with one query. Those of `firstOfKinds` are compared already. */
export function caseReader({ spec, machine, plan }: Pick<BoundRun, 'spec' | 'machine' | 'plan'>): CaseReader {
  const [suite] = plan.suites;
  const partly = suite?.cases.partly;
  if (suite === undefined || partly === undefined) return async () => ({});
  const placeOf = new Map(spec.cases.at.map((index, place) => [index, place]));
  const isSame = sameCase(spec, machine);
  const first = new Set(firstOfKinds(spec));
  let reading: ReturnType<typeof gathered> | undefined;
  const read = (place: number): Promise<void> => {
    reading ??= gathered((places) => {
      reading = undefined;
      return partly.read(places);
    });
    reading.places.add(place);
    return reading.done;
  };
  const compared = async (index: number, place: number): Promise<{ readonly refusal?: string }> => {
    await read(place);
    if (partly.has(index) && isSame(place, suite.cases.at(index))) return {};
    return { refusal: `not the same here: suite ${suite.id} (case ${spec.cases.id[place] ?? ''})` };
  };
  // A trial that is given back may be taken again.
  const answers = new Map<number, ReturnType<typeof compared>>();
  return async ({ place: { index } }) => {
    const place = placeOf.get(index) ?? -1;
    if (first.has(place)) return {};
    const answer = answers.get(index) ?? compared(index, place);
    answers.set(index, answer);
    answer.catch(() => answers.delete(index));
    return await answer;
  };
}

/** Calls once with all that is added until then. */
function gathered(readAll: (places: readonly number[]) => Promise<void>) {
  const places = new Set<number>();
  const done = new Promise<void>((resolve) => void setImmediate(resolve)).then(() => readAll([...places]));
  return { places, done };
}
