import * as z from 'zod';

const measured = z.object({ value: z.number(), lower: z.number(), upper: z.number() }).nullable();

/** How far one grader agrees with people, as it is kept in the project. */
export const calibration = z.object({
  expectation: z.string(),
  type: z.string(),
  /** Name of the judge; absent for graders that ask none. */
  judge: z.string().optional(),
  promptDigest: z.string().optional(),
  /** sha-256 of the graders whose verdicts were labelled. */
  digests: z.array(z.string()),
  runId: z.string(),
  seed: z.number(),
  calibratedAt: z.string(),
  by: z.array(z.string()),
  /** Of this grader, both halves. */
  labels: z.number(),
  /** That the labels are of, both halves; absent where an older version calibrated, and no gate rests on it. */
  cases: z.number().optional(),
  /** The half that is reported. */
  pairs: z.number(),
  /** Independent verdicts that the half is worth, of what people passed and failed. */
  effective: z.object({ passed: z.number(), failed: z.number() }).optional(),
  truePasses: z.number(),
  falsePasses: z.number(),
  trueFails: z.number(),
  falseFails: z.number(),
  sensitivity: measured,
  specificity: measured,
  kappa: measured,
  /** Why a gate may not rest on it; absent: it may. */
  notEnough: z.string().optional(),
});

export type Calibration = z.infer<typeof calibration>;

/** How well two people agree where both gave a verdict. */
export interface ReviewerPair {
  readonly reviewers: readonly [string, string];
  /** Number of verdicts that both gave. */
  readonly verdicts: number;
  readonly agreed: number;
  readonly share: Calibration['kappa'];
  /** Cohen's kappa. Null if one of them gave the same verdict throughout. */
  readonly kappa: Calibration['kappa'];
}
