import { readGate, type Gate } from '../analysis/gate-expression.ts';
import { gateMeter, type GateOutcome } from '../analysis/gate-measure.ts';
import { impossibleGate, type GateScope } from '../analysis/gate-plan.ts';
import type { RunReader } from '../core/log.ts';
import { AuthoringError, type Problem } from '../core/problem.ts';
import type { Plan } from '../engine/plan.ts';

/** Reads gates as typed; everything wrong with them is thrown at once. */
export function readGates(texts: readonly string[]): readonly Gate[] {
  const problems: Problem[] = [];
  const gates = texts.flatMap((text) => {
    const read = readGate(text);
    if ('gate' in read) return [read.gate];
    problems.push({ file: placeOf(text), ...read.fault });
    return [];
  });
  if (problems.length > 0) throw new AuthoringError(problems);
  return gates;
}

/** Throws when a gate could not be met whatever the trials of the plan come to. */
export function refuseImpossible(gates: readonly Gate[], plan: Plan): void {
  const problems = gates.flatMap((gate): Problem[] => {
    const fault = impossibleGate(gate, scopeOf(gate, plan));
    return fault === undefined ? [] : [{ file: placeOf(gate.text), ...fault }];
  });
  if (problems.length > 0) throw new AuthoringError(problems);
}

/** What the gates come to over the rows of a run. */
export async function measureGates(
  gates: readonly Gate[],
  reader: RunReader,
): Promise<readonly GateOutcome[]> {
  if (gates.length === 0) return [];
  const meters = gates.map(gateMeter);
  for await (const row of reader.rows()) for (const meter of meters) meter.add(row);
  return meters.map((meter) => meter.outcome());
}

function scopeOf(gate: Gate, plan: Plan): GateScope {
  const scope = { cases: 0, trials: 0, repetitions: 0 };
  for (const { suite, index, targets, repeat, skip } of plan.cases) {
    if (skip !== undefined) continue;
    const columns = gate.target === undefined ? targets.length : targets.includes(gate.target) ? 1 : 0;
    const tags = gate.tags.length === 0 ? [] : (plan.suites[suite]?.cases.at(index).tags ?? []);
    if (columns === 0 || !gate.tags.every((tag) => tags.includes(tag))) continue;
    scope.cases += 1;
    scope.trials += columns * repeat;
    scope.repetitions = Math.max(scope.repetitions, repeat);
  }
  return scope;
}

function placeOf(text: string): string {
  return `--gate '${text}'`;
}
