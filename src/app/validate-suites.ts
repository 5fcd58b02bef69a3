import { AuthoringError, formatProblem, type Problem } from '../core/problem.ts';
import { EXIT } from '../core/exit-code.ts';
import { loadProject } from './load-project.ts';
import type { RunOptions, Surroundings } from './run-options.ts';

export interface Validation {
  readonly exitCode: number;
  readonly text: string;
  readonly json: string;
}

/** The loader and nothing else: every problem of every file, or what was found. */
export async function validateSuites(options: RunOptions, surroundings: Surroundings): Promise<Validation> {
  try {
    const { suites } = await loadProject({ options, surroundings });
    const cases = suites.reduce((sum, suite) => sum + suite.cases.length, 0);
    const found = { suites: suites.length, cases };
    const text = `${count(suites.length, 'file')} and ${count(cases, 'case')} checked: no problems\n`;
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
