import type { Grade } from '../core/grade.ts';
import { meets, type Gate, type GateFault } from './gate-expression.ts';

/** How far one grader that asks a judge agrees with people, or why that cannot carry a gate. */
export type KnownKappa = { readonly expectation: string } & (
  | { readonly kappa: number }
  | { readonly unusable: string }
);

/** Looks up what is known of a grader by the numbers of its digests. */
export type KappaOf = (expectation: string, digests: readonly number[]) => readonly KnownKappa[];

/** The graders that a judge decides, each with the digests it was met with. */
export type Judged = Map<string, Set<number>>;

/** A digest that is not known makes every calibration of its grader stale. */
export const NO_DIGEST = -1;

export function addJudged(judged: Judged, expectation: string, digest = NO_DIGEST): void {
  const digests = judged.get(expectation) ?? new Set();
  judged.set(expectation, digests.add(digest));
}

/** Whether a judge had a part in it. */
export function isJudged({ model, failureCode, members = [] }: Grade): boolean {
  return model !== undefined || failureCode?.startsWith('judge-') === true || members.some(isJudged);
}

/** What a gate on kappa rests on: the grader that agrees least as the gate means it; every one of them must hold. */
export function kappaOfAll(
  gate: Gate,
  judged: Judged,
  kappaOf: KappaOf,
): { readonly value: number | null; readonly says: string } {
  const known = [...judged].flatMap(([expectation, digests]) => kappaOf(expectation, [...digests]));
  const [first] = known;
  if (first === undefined) return { value: null, says: 'no judge is asked' };
  const unusable = known.flatMap((one) => ('unusable' in one ? [one.unusable] : []));
  if (unusable.length > 0) return { value: null, says: unusable.join('; ') };
  const kappas = known.flatMap((one) => ('kappa' in one ? [one] : []));
  const least = kappas.toSorted((one, other) => one.kappa - other.kappa);
  const decisive = least.find(({ kappa }) => !meets(gate, kappa)) ?? least[0];
  if (decisive === undefined) return { value: null, says: 'no judge is asked' };
  const others = kappas.length === 1 ? '' : `, of ${kappas.length} graders that ask a judge`;
  return { value: decisive.kappa, says: `of ${decisive.expectation}, by its calibration${others}` };
}

/** Why a gate on kappa can be told before anything runs not to hold. */
export function kappaFault(gate: Gate, judged: Judged, kappaOf: KappaOf): GateFault | undefined {
  const { value, says } = kappaOfAll(gate, judged, kappaOf);
  if (value === null) {
    const hint = 'compare the judge with people first: assay calibrate LABELS --run RUN';
    return { code: 'gate-unavailable', message: says, hint };
  }
  if (meets(gate, value)) return undefined;
  const hint = 'choose a judge or a prompt that agrees with people more, and calibrate it';
  return { code: 'gate-impossible', message: `kappa is ${Number(value.toFixed(3))} ${says}`, hint };
}
