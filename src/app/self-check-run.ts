import { collectValues } from '../analysis/case-values.ts';
import { selfCheck, type SelfCheck } from '../analysis/self-check.ts';
import { plural } from '../lib/text/plural.ts';
import { AssayError } from '../core/errors.ts';
import { nameOfRun, rowsOf } from '../core/run-store.ts';
import { openRuns } from './runs.ts';
import type { Surroundings } from './surroundings.ts';

export interface SelfCheckRequest {
  readonly run: string;
  readonly on: 'score' | 'passed';
  readonly alpha: number;
  readonly margin: number;
  readonly out?: string;
  readonly form: 'text' | 'json';
}

/** Measures how often a comparison would call random halves of one run a regression. Returns text or JSON. */
export async function checkRunAgainstItself(
  request: SelfCheckRequest,
  surroundings: Surroundings,
): Promise<string> {
  const found = await (await openRuns(request.out, surroundings)).find(request.run);
  const values = collectValues(request.on);
  for await (const row of rowsOf(found)) values.add(row);
  const check = selfCheck(values.lists(), request);
  if (check === null) throw notRepeated(nameOfRun(found));
  return request.form === 'json' ? `${JSON.stringify(check)}\n` : textOf(check);
}

function textOf(found: SelfCheck): string {
  const { splits, cases, alarms, share, nominal } = found;
  const percent = (value: number) => `${Number((value * 100).toFixed(1))} %`;
  const counted = `${alarms} of ${splits} random splits of ${plural(cases, 'repeated case')}`;
  return `false alarms: ${percent(share)}. ${counted} were called a regression; at most ${percent(nominal)} is expected. ${verdictOf(found)}\n`;
}

function verdictOf({ cases, varying, fewest, criesWolf }: SelfCheck): string {
  if (criesWolf) return 'That is more than chance explains: do not use a comparison of such runs as a gate.';
  if (varying >= fewest) return 'The gate is reliable.';
  const which =
    varying === 0
      ? `The repetitions of ${cases === 1 ? 'the case' : 'these cases'} do not differ`
      : `The repetitions of only ${plural(varying, 'case')} differ`;
  return `${which}, but a regression needs ${fewest} such cases. So this says nothing about the gate.`;
}

function notRepeated(run: string): AssayError {
  return new AssayError('not-repeated', `no case of ${run} was measured more than once`, {
    stage: 'plan',
    hint: 'run with --repeat 2 or more (better 4): --self-check splits the repetitions of each case into two halves',
  });
}
