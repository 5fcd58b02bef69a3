import { EXIT } from '../exit-code.ts';
import { columnsOf, padToColumns, stripControls } from '../../lib/text/terminal-text.ts';
import { firstOf } from '../../lib/text/first-of.ts';
import { plural } from '../../lib/text/plural.ts';
import type { GraderProof, ProofProblem, ProofReport, Share } from './proof-report.ts';

/** The report as text: one line per grader, then the problems. */
export function proofText(report: ProofReport): string {
  const { cases, graders, mutants, problems } = report;
  const rows = [HEADS, ...graders.map(rowOf)];
  const widths = HEADS.map((_, i) => Math.max(...rows.map((row) => columnsOf(row[i] ?? ''))));
  const table = rows.map((row) =>
    row
      .map((cell, i) => padToColumns(cell, widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const told = problems.filter(({ what }) => what !== 'no-oracle');
  const lines = [...told.map(lineOf), ...blindLines(graders), ...withoutOracle(problems)].map(stripControls);
  const caught =
    mutants.of === 0 ? '' : `, ${mutants.hits} of ${mutants.of} deliberately broken answers are caught`;
  return `${[...table, '', ...lines, ...(lines.length === 0 ? [] : ['']), `${cases} ${cases === 1 ? 'test' : 'tests'}: ${verdictText(report)}${caught}`].join('\n')}\n`;
}

function verdictText({ cases, graders, problems, exitCode }: ProofReport): string {
  const bad = problems.filter(({ what }) => BAD.has(what)).length;
  if (exitCode === EXIT.budget) return 'stopped by the budget before everything was graded';
  if (bad > 0) return `${plural(bad, 'problem')} to fix`;
  const without = problems.filter(({ what }) => what === 'no-oracle').length;
  const oracles = without === cases ? 'no test has an oracle' : 'every oracle passes';
  const blind = graders.filter(isBlind).length;
  const but = blind === 0 ? '' : `, though ${plural(blind, 'judge')} passed every one`;
  return `${oracles} and no test passes with an empty answer${but}`;
}

function isBlind({ stable, nop }: GraderProof): boolean {
  return stable !== undefined && nop.of > 0 && nop.hits === 0;
}

/** Judges that pass every empty answer. For other graders that may be intended. */
function blindLines(graders: readonly GraderProof[]): readonly string[] {
  return graders.filter(isBlind).map(({ name, mutants }) => {
    const mistakes = mutants.of > 0 && mutants.hits === 0 ? ' and every deliberately broken answer' : '';
    return `weak   ${name}: the judge passes every empty answer${mistakes}`;
  });
}

const HEADS = [
  'grader',
  'type',
  'oracle passes',
  'empty fails',
  'mutants caught',
  'twice the same',
  'errored',
];

const BAD: ReadonlySet<ProofProblem['what']> = new Set([
  'oracle-failed',
  'oracle-errored',
  'nop-passed',
  'nop-errored',
]);

const WORDS: Readonly<Record<ProofProblem['what'], string>> = {
  'oracle-failed': 'FAIL',
  'oracle-errored': 'ERROR',
  'nop-passed': 'FAIL',
  'nop-errored': 'ERROR',
  'mutant-passed': 'weak',
  unstable: 'weak',
  'no-oracle': 'note',
};

function rowOf({ name, type, oracle, nop, mutants, stable, errored }: GraderProof): readonly string[] {
  const spread =
    stable === undefined || stable.widestSpread === 0 ? '' : `, up to ${stable.widestSpread} apart`;
  return [
    stripControls(name),
    type,
    shown(oracle),
    shown(nop),
    mutants.of === 0 ? '-' : `${shown(mutants)} = ${Math.round((100 * mutants.hits) / mutants.of)} %`,
    stable === undefined ? '-' : `${shown(stable)}${spread}`,
    errored === 0 ? '-' : String(errored),
  ];
}

function shown({ hits, of }: Share): string {
  return of === 0 ? '-' : `${hits}/${of}`;
}

/** One line for all tests without an oracle. */
function withoutOracle(problems: readonly ProofProblem[]): readonly string[] {
  const ids = problems.flatMap(({ what, caseId }) => (what === 'no-oracle' ? [caseId] : []));
  if (ids.length === 0) return [];
  const what = 'neither `expected_output` nor `oracle`, so it is unknown whether they can pass';
  return [`note   ${firstOf(ids, 3)}: ${what}`];
}

function lineOf({ what, suite, caseId, message }: ProofProblem): string {
  return `${WORDS[what].padEnd(5)}  ${suite} ${caseId}: ${message}`;
}
