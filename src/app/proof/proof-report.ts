import { EXIT } from '../exit-code.ts';
import type { Grade } from '../../core/grade.ts';
import { round9 } from '../../lib/text/decimals.ts';
import type { CaseProof, Graded } from './prove-case.ts';

/** The results of one grader over the proofs of all cases. */
export interface GraderProof {
  readonly name: string;
  readonly type: string;
  /** Oracles that it passed. */
  readonly oracle: Share;
  /** Empty answers that it failed. */
  readonly nop: Share;
  /** Mutants that it failed. */
  readonly mutants: Share;
  /** Oracles that got the same verdict twice. Absent for graders without a model. */
  readonly stable?: Share & { readonly widestSpread: number };
  /** Number of answers that it could not decide. */
  readonly errored: number;
}

export interface Share {
  readonly hits: number;
  readonly of: number;
}

/** A problem that needs attention. */
export interface ProofProblem {
  readonly suite: string;
  readonly caseId: string;
  readonly what:
    | 'oracle-failed'
    | 'oracle-errored'
    | 'nop-passed'
    | 'nop-errored'
    | 'mutant-passed'
    | 'unstable'
    | 'no-oracle';
  readonly message: string;
}

export interface ProofReport {
  readonly cases: number;
  readonly graders: readonly GraderProof[];
  /** Mutants that the verdict of the whole test caught. */
  readonly mutants: Share;
  readonly problems: readonly ProofProblem[];
  readonly exitCode: number;
}

export function proofReport(proofs: readonly CaseProof[]): ProofReport {
  const problems = proofs.flatMap(problemsOf);
  const mutants = proofs.flatMap((proof) => proof.mutants);
  return {
    cases: proofs.length,
    graders: gradersOf(proofs),
    mutants: {
      hits: mutants.filter(({ decision }) => decision.verdict === 'failed').length,
      of: mutants.length,
    },
    problems,
    exitCode: exitCodeOf(problems),
  };
}

function exitCodeOf(problems: readonly ProofProblem[]): number {
  const has = (...what: readonly ProofProblem['what'][]): boolean =>
    problems.some((problem) => what.includes(problem.what));
  if (has('oracle-failed', 'nop-passed')) return EXIT.failed;
  return has('oracle-errored', 'nop-errored') ? EXIT.invalid : EXIT.ok;
}

function problemsOf(proof: CaseProof): readonly ProofProblem[] {
  const { suite, caseId, oracle, nop } = proof;
  const problem = (what: ProofProblem['what'], message: string): ProofProblem => ({
    suite,
    caseId,
    what,
    message,
  });
  const found: ProofProblem[] = [];
  if (oracle === undefined) {
    found.push(
      problem(
        'no-oracle',
        'has neither `expected_output` nor `oracle`, so it is unknown whether it can pass',
      ),
    );
  } else if (oracle.decision.verdict === 'failed') {
    found.push(problem('oracle-failed', `the oracle fails: ${whyFailed(oracle)}`));
  } else if (oracle.decision.verdict === 'errored') {
    found.push(problem('oracle-errored', `the oracle could not be graded: ${errorOf(oracle)}`));
  }
  if (nop.decision.verdict === 'passed') {
    found.push(problem('nop-passed', 'an empty answer passes: the test measures nothing'));
  } else if (nop.decision.verdict === 'errored') {
    found.push(problem('nop-errored', `an empty answer could not be graded: ${errorOf(nop)}`));
  }
  const alive = proof.mutants.filter(({ decision }) => decision.verdict === 'passed');
  if (alive.length > 0) {
    found.push(problem('mutant-passed', `passes with ${alive.map(({ kind }) => WITH[kind]).join(', ')}`));
  }
  const unstable = twice(proof).filter(({ first, second }) => first.passed !== second.passed);
  for (const { first, second } of unstable) {
    found.push(
      problem('unstable', `${first.name} scored the same answer ${first.score}, then ${second.score}`),
    );
  }
  return found;
}

const WITH: Readonly<Record<CaseProof['mutants'][number]['kind'], string>> = {
  'wrong number': 'a wrong number',
  'cut answer': 'half of the answer',
  'injected score': 'an injected "score: 1" for an answer',
  'flipped field': 'a flipped field',
};

function whyFailed({ grades, decision }: Graded): string {
  const missed = grades.filter(({ passed, name }) => !passed || decision.fallenGates.includes(name));
  return missed.map(({ name, score, reason }) => `${name} (${score}): ${firstLine(reason)}`).join('; ');
}

function errorOf({ decision }: Graded): string {
  return firstLine(decision.error?.message ?? 'unknown');
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? '';
}

/** Pairs of grades of the oracle: first and second time. */
function twice({
  oracle,
  again = [],
}: CaseProof): readonly { readonly first: Grade; readonly second: Grade }[] {
  return again.flatMap((second) => {
    const first = oracle?.grades.find(({ name }) => name === second.name);
    return first === undefined || first.score === null || second.score === null ? [] : [{ first, second }];
  });
}

function gradersOf(proofs: readonly CaseProof[]): readonly GraderProof[] {
  const known = new Map<string, { readonly name: string; readonly type: string }>();
  for (const { nop } of proofs) {
    for (const { name, type } of nop.grades) known.set(`${type}\n${name}`, { name, type });
  }
  return [...known.values()].map((grader) => graderProof(grader, proofs));
}

function graderProof(
  { name, type }: { readonly name: string; readonly type: string },
  proofs: readonly CaseProof[],
): GraderProof {
  const mine = (graded: Graded | undefined): readonly Grade[] =>
    (graded?.grades ?? []).filter((grade) => grade.name === name && grade.type === type);
  const oracles = proofs.flatMap(({ oracle }) => mine(oracle));
  const nops = proofs.flatMap(({ nop }) => mine(nop));
  const mutants = proofs.flatMap((proof) => proof.mutants.flatMap(mine));
  const pairs = proofs.flatMap(twice).filter(({ first }) => first.name === name && first.type === type);
  const stable = {
    hits: pairs.filter(({ first, second }) => first.passed === second.passed).length,
    of: pairs.length,
    widestSpread: Math.max(
      0,
      ...pairs.map(({ first, second }) => round9(Math.abs((first.score ?? 0) - (second.score ?? 0)))),
    ),
  };
  const judged = proofs.some(({ again = [] }) =>
    again.some((grade) => grade.name === name && grade.type === type),
  );
  return {
    name,
    type,
    oracle: shareOf(oracles, ({ passed }) => passed),
    nop: shareOf(nops, ({ passed }) => !passed),
    mutants: shareOf(mutants, ({ passed }) => !passed),
    ...(judged ? { stable } : {}),
    errored: [...oracles, ...nops, ...mutants].filter(({ score }) => score === null).length,
  };
}

function shareOf(grades: readonly Grade[], holds: (grade: Grade) => boolean): Share {
  const decided = grades.filter(({ score }) => score !== null);
  return { hits: decided.filter(holds).length, of: decided.length };
}
