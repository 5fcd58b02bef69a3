import { collectValues } from '../analysis/case-values.ts';
import { selfCheck, type SelfCheck } from '../analysis/self-check.ts';
import { AssayError } from '../core/errors.ts';
import { findRun, nameOfRun } from '../storage/run-directory/find.ts';
import { openRunReader } from '../storage/run-directory/reader.ts';
import { outputDirectory } from './project/output-directory.ts';
import type { Surroundings } from './run-options.ts';

export interface SelfCheckRequest {
  readonly run: string;
  readonly on: 'score' | 'passed';
  readonly alpha: number;
  readonly margin: number;
  readonly out?: string;
  readonly form: 'text' | 'json';
}

/** Says how often a gate would have called the repetitions of one run a regression of themselves. */
export async function checkRunAgainstItself(
  request: SelfCheckRequest,
  surroundings: Surroundings,
): Promise<string> {
  const runs = await outputDirectory(request.out, surroundings);
  const found = findRun(request.run, runs, surroundings.cwd);
  const { paths, target } = found;
  const values = collectValues(request.on);
  for await (const row of openRunReader(paths).rows()) {
    if (target === undefined || row.target === target) values.add(row);
  }
  const check = selfCheck(values.lists(), request);
  if (check === null) throw notRepeated(nameOfRun(found));
  return request.form === 'json' ? `${JSON.stringify(check)}\n` : textOf(check);
}

function textOf({ splits, cases, alarms, share, nominal, criesWolf }: SelfCheck): string {
  const percent = (value: number) => `${Number((value * 100).toFixed(1))} %`;
  const verdict = criesWolf
    ? 'that is more than chance explains: do not gate on a comparison of such runs'
    : 'the gate keeps its word';
  const counted = `${alarms} of ${splits} random splits of ${cases} repeated case${cases === 1 ? '' : 's'}`;
  return `cried wolf in ${percent(share)}: ${counted} were called a regression; at most ${percent(nominal)} is right, so ${verdict}\n`;
}

function notRepeated(run: string): AssayError {
  return new AssayError('not-repeated', `no case of ${run} was measured more than once`, {
    stage: 'plan',
    hint: 'run with --repeat 4 or more: the repetitions of a case are what is split',
  });
}
