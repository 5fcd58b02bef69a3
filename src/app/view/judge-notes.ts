import type { Grade } from '../../core/grade.ts';
import { judgeAgreements, NOT_CALIBRATED, type KnownCalibrations } from '../../reading/judge-agreement.ts';
import { hasAskedModel, judgeTally } from '../../reading/judge-tally.ts';
import { judgedIn } from './judged-in.ts';

/** The agreement of people with the judge of one grade. */
export interface JudgeNote {
  readonly grade: string;
  readonly model: string | null;
  readonly says: string;
}

/** A note for each grade that a model decided. `digests`: those of the run. */
export function judgeNotes(
  grades: readonly Grade[],
  digests: readonly string[],
  known: KnownCalibrations,
): readonly JudgeNote[] {
  return grades.filter(hasAskedModel).map((grade) => {
    const tally = judgeTally();
    tally.add({ grades: [grade], repetition: 1 });
    const [found] = judgeAgreements(judgedIn(tally, digests).first, known);
    return { grade: grade.name, model: grade.model ?? null, says: found?.says ?? NOT_CALIBRATED };
  });
}
