import { meets, type Gate } from '../../analysis/gate-expression.ts';
import type { Problem } from '../../core/problem.ts';

/** The problem of a gate that holds for every outcome. Undefined if the gate can fail. */
export function unfailingGate(gate: Gate): Omit<Problem, 'file'> | undefined {
  const { metric, k, relation } = gate;
  const isOpen = relation === '>=' || relation === '>';
  const worst = isOpen ? (metric === 'calibration.kappa' ? -1 : 0) : UNBOUNDED.has(metric) ? Infinity : 1;
  if (relation === '==' || worst === Infinity || !meets(gate, worst)) return undefined;
  const name = k === 0 ? metric : `${metric}${k}`;
  return {
    code: 'gate-unfailing',
    message: `the gate cannot fail: ${name} is never ${isOpen ? 'below' : 'above'} ${worst}`,
    hint: `choose a stricter limit`,
  };
}

const UNBOUNDED: ReadonlySet<Gate['metric']> = new Set(['cost.total', 'latency.p95', 'errored']);
