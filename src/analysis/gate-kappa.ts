import type { Grade } from '../core/grade.ts';
import { meets, type Gate, type GateFault } from './gate-expression.ts';

/** The agreement of one judged grader with people, or why a gate cannot use it. */
export type KnownKappa = { readonly expectation: string } & (
  | { readonly kappa: number }
  | { readonly unusable: string }
);

/** Looks up the calibration of a grader by the numbers of its digests. */
export type KappaOf = (expectation: string, digests: readonly number[]) => readonly KnownKappa[];

/** The graders that a judge decides, with the digests that occurred. */
export type Judged = Map<string, Set<number>>;

/** Stands for an unknown digest, which makes every calibration of its grader stale. */
export const NO_DIGEST = -1;

export function addJudged(judged: Judged, expectation: string, digest = NO_DIGEST): void {
  const digests = judged.get(expectation) ?? new Set();
  judged.set(expectation, digests.add(digest));
}

/** Whether a judge was involved in a grade. */
export function isJudged({ model, failureCode, members = [] }: Grade): boolean {
  return model !== undefined || failureCode?.startsWith('judge-') === true || members.some(isJudged);
}

/** The value of a gate on kappa: that of the least agreeing grader, because all of them must meet the gate. */
export function kappaOfAll(
  gate: Gate,
  judged: Judged,
  kappaOf: KappaOf,
): { readonly value: number | null; readonly says: string } {
  const known = [...judged].flatMap(([expectation, digests]) => kappaOf(expectation, [...digests]));
  const [first] = known;
  if (first === undefined) return { value: null, says: NO_JUDGE };
  const unusable = known.flatMap((one) => ('unusable' in one ? [one.unusable] : []));
  if (unusable.length > 0) return { value: null, says: unusable.join('; ') };
  const kappas = known.flatMap((one) => ('kappa' in one ? [one] : []));
  const least = kappas.toSorted((one, other) => one.kappa - other.kappa);
  const decisive = least.find(({ kappa }) => !meets(gate, kappa)) ?? least[0];
  if (decisive === undefined) return { value: null, says: NO_JUDGE };
  const others = kappas.length === 1 ? '' : `, the lowest of ${kappas.length} graders with a judge`;
  return { value: decisive.kappa, says: `of ${decisive.expectation} from its calibration${others}` };
}

const NO_JUDGE = 'no grader of these cases asks a judge';

/** The fault of a gate on kappa that cannot hold, known before the run. */
export function kappaFault(gate: Gate, judged: Judged, kappaOf: KappaOf): GateFault | undefined {
  const { value, says } = kappaOfAll(gate, judged, kappaOf);
  if (value === null) {
    const hint =
      says === NO_JUDGE
        ? 'remove the gate, or add a grader that asks a judge'
        : 'calibrate the judge with at least 50 labels of at least 20 cases, some passed and some failed: assay calibrate LABELS --run RUN';
    return { code: 'gate-unavailable', message: says, hint };
  }
  if (meets(gate, value)) return undefined;
  const hint = 'use a judge or prompt that agrees more with people, and calibrate it';
  return {
    code: 'gate-impossible',
    message: `this gate cannot pass: the kappa is only ${Number(value.toFixed(3))} (${says})`,
    hint,
  };
}
