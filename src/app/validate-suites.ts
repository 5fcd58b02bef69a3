import { AuthoringError, formatProblem, type Problem } from '../core/problem.ts';
import { EXIT } from '../core/exit-code.ts';
import { prepareRun } from './prepare-run.ts';
import type { RunOptions, Surroundings } from './run-options.ts';

export interface Validation {
  readonly exitCode: number;
  readonly text: string;
  readonly json: string;
}

/** What a run does before its first trial and nothing else: every problem that would keep it from starting, or what was found. */
export async function validateSuites(options: RunOptions, surroundings: Surroundings): Promise<Validation> {
  try {
    const { plan } = await prepareRun({ options, surroundings });
    const found = { suites: plan.suites.length, cases: plan.cases.length };
    const { suites, cases } = found;
    const text = `${count(suites, 'file')} and ${count(cases, 'case')} checked: no problems\n`;
    return { exitCode: EXIT.ok, text, json: `${JSON.stringify({ ...found, problems: [] })}\n` };
  } catch (error) {
    if (!(error instanceof AuthoringError)) throw error;
    return { exitCode: EXIT.usage, text: problemText(error), json: problemJson(error.problems) };
  }
}

function problemText({ problems, message }: AuthoringError): string {
  return `${[...problems.map(formatProblem), message].join('\n')}\n`;
}

function problemJson(problems: readonly Problem[]): string {
  return `${JSON.stringify({ problems })}\n`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
