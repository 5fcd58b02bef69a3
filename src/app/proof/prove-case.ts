import type { Grade, Grader, Subject } from '../../core/grade.ts';
import type { Message } from '../../core/message.ts';
import type { Expectation, TestCase } from '../../core/test-case.ts';
import { decide, type Decision } from '../../core/verdict.ts';
import { gradeTrial } from '../../engine/grade-trial.ts';
import { mutantsOf, type Mutant } from './mutants.ts';
import { answerOf, proofSubject, withAnswer, type ProofOf } from './proof-subject.ts';
import { given } from '../../lib/given.ts';

/** An artificial answer with its grades. */
export interface Graded {
  readonly decision: Decision;
  readonly grades: readonly Grade[];
}

/** The grades of one case for answers whose quality is known. */
export interface CaseProof {
  readonly suite: string;
  readonly caseId: string;
  /** Absent if the test has neither a reference nor an oracle. */
  readonly oracle?: Graded;
  /** Second grades of the oracle by the graders that ask a model. */
  readonly again?: readonly Grade[];
  readonly nop: Graded;
  readonly mutants: readonly (Graded & { readonly kind: Mutant['kind'] })[];
}

export interface Proving extends ProofOf {
  readonly suite: string;
  readonly threshold: number;
  readonly graderFor: (expectation: Expectation, testCase: TestCase) => Grader;
  readonly asksJudge: (expectation: Expectation) => boolean;
  readonly bringsOracle: (expectation: Expectation) => boolean;
  readonly makesMutants: boolean;
  readonly signal: AbortSignal;
}

/** Grades the oracle, an empty answer and mutants. They run in sequence, because they share a workspace. */
export async function proveCase(proving: Proving): Promise<CaseProof> {
  const { testCase, suite } = proving;
  const said = testCase.oracle ?? testCase.expectedOutput;
  const hasOwnOracle = testCase.expectations.some(proving.bringsOracle);
  const ideal = said ?? (hasOwnOracle ? NOTHING : undefined);
  const gradeNop = () => graded(proving, NOTHING, 'other');
  // An oracle of a grader goes first: it names the tests that an empty answer must fail.
  const nopBefore = hasOwnOracle ? undefined : await gradeNop();
  const oracle = ideal && (await graded(proving, ideal, 'oracle'));
  const nop = nopBefore ?? (await gradeNop());
  const proof = { suite, caseId: testCase.id, nop };
  if (ideal === undefined || oracle === undefined) return { ...proof, mutants: [] };
  const judged = testCase.expectations.filter((expectation) => proving.asksJudge(expectation));
  const again =
    judged.length === 0
      ? undefined
      : await gradesOf(proving, ideal, { only: judged, repetition: 2, proof: 'oracle' });
  const mutants: (Graded & { readonly kind: Mutant['kind'] })[] = [];
  for (const { kind, answer } of proving.makesMutants && said !== undefined
    ? mutantsOf(answerOf(said))
    : []) {
    mutants.push({ kind, ...(await graded(proving, withAnswer(ideal, answer), 'other')) });
  }
  return { ...proof, oracle, ...given({ again }), mutants };
}

const NOTHING: readonly Message[] = [{ role: 'assistant', parts: [{ text: '' }] }];

async function graded(
  proving: Proving,
  said: readonly Message[],
  proof: NonNullable<Subject['proof']>,
): Promise<Graded> {
  const only = proving.testCase.expectations;
  const grades = await gradesOf(proving, said, { only, repetition: 1, proof });
  return { grades, decision: decide(grades, proving.threshold, proving.testCase.scoredIn) };
}

interface Asked extends Required<Pick<Subject, 'repetition' | 'proof'>> {
  readonly only: readonly Expectation[];
}

async function gradesOf(
  proving: Proving,
  said: readonly Message[],
  { only, ...how }: Asked,
): Promise<readonly Grade[]> {
  const subject = proofSubject(proving, said, how);
  const grades = await gradeTrial(
    { ...subject, case: { ...subject.case, expectations: only } },
    { graderFor: proving.graderFor, digests: [], signal: proving.signal },
  );
  proving.signal.throwIfAborted();
  return grades;
}
