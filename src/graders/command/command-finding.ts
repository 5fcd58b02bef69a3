import { verdictFinding, type Finding } from '../../core/grade.ts';
import { plural } from '../../lib/text/plural.ts';
import type { CommandConfig } from './command-config.ts';
import { testsIn, type ReportedTest } from './junit-tests.ts';
import { failed, type CommandEnd } from './run-in-copy.ts';

/** 0 passes, 1 fails; other exit codes decide nothing. */
export function findingOfExit({ exitCode, said }: CommandEnd): Finding {
  if (exitCode > 1) throw failed(`ended with exit code ${exitCode}`, said);
  const holds = exitCode === 0;
  const end = holds || said === '' ? '' : `; the end of its output:\n${said}`;
  return verdictFinding(holds, `the command ended with exit code ${exitCode}${end}`);
}

/** The share of expected tests that passed; without a list, of the tests in the report. */
export function findingOfReport(
  { exitCode, said, report }: CommandEnd,
  { report: path = '' }: Pick<CommandConfig, 'report'>,
  expected: readonly string[] | undefined,
): Finding {
  const tests = report === undefined ? [] : testsIn(report);
  if (expected === undefined && tests.length === 0) {
    throw failed(`ended with exit code ${exitCode} and wrote no tests to ${path}`, said);
  }
  const wanted = expected ?? [...new Set(tests.map(({ name }) => name))];
  const evidence = wanted.map((name) => evidenceFor(name, tests));
  const passed = evidence.filter((each) => each.passed).length;
  const missing = report === undefined ? `; the command wrote no ${path}` : '';
  return {
    score: passed / wanted.length,
    reason: `${passed} of ${plural(wanted.length, 'test')} passed${missing}`,
    evidence,
  };
}

/** A test counts as passed only if every test of that name has passed. */
function evidenceFor(name: string, tests: readonly ReportedTest[]) {
  const found = tests.filter((test) => test.name === name || test.fullName === name);
  const state =
    found.length === 0 ? 'missing' : found.every(({ hasPassed }) => hasPassed) ? 'passed' : 'failed';
  return { text: `${name}: ${state}`, passed: state === 'passed' };
}
