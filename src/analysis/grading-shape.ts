import { round9 } from '../lib/text/decimals.ts';

/** The weight of a grade. `grader`: its position among the graders of its case, -1 if unknown. */
export interface Weighed {
  readonly grader: number;
  readonly weight: number;
  readonly required?: number | undefined;
}

/** Numbers that identify the weights and the gates of a case. Equal numbers mean equal settings. */
export interface GradingShape {
  readonly weights: number;
  readonly gates: number;
  /** Whether gates alone decide: a gate has weight 0, or every grader with a weight is required. */
  readonly isGated: boolean;
}

/** Numbers the shapes. Most cases of a run have one of a few. */
export function gradingShapes(
  numberOf: (text: string) => number,
): (grades: readonly Weighed[]) => GradingShape {
  const known = new Map<string, GradingShape>();
  return (grades) => {
    let written = '';
    for (const { grader, weight, required } of grades) written += `${grader} ${weight} ${required ?? ''},`;
    let shape = known.get(written);
    if (shape === undefined) known.set(written, (shape = shapeOf(grades, numberOf)));
    return shape;
  };
}

function shapeOf(grades: readonly Weighed[], numberOf: (text: string) => number): GradingShape {
  const total = grades.reduce((sum, { weight }) => sum + weight, 0);
  const gates = keyOf(
    grades.flatMap(({ grader, required }) => (required === undefined ? [] : [`${grader} ${required}`])),
  );
  // Without weights, the score is the share of gates that hold.
  const weights =
    total > 0 ? keyOf(grades.map(({ grader, weight }) => `${grader} ${round9(weight / total)}`)) : gates;
  const required = grades.filter((grade) => grade.required !== undefined);
  const decides = required.some(({ weight }) => weight === 0) || required.length === grades.length;
  return {
    gates: numberOf(`gates ${gates}`),
    weights: numberOf(`weights ${weights}`),
    isGated: decides && required.length > 0,
  };
}

function keyOf(parts: readonly string[]): string {
  return parts.toSorted().join(',');
}
