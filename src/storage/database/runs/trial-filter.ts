import type { TrialFilter, TrialOrder, TrialPlace } from '../../../core/run-index.ts';
import type { Parameter } from '../database.ts';
import { plainText } from '../plain-text.ts';

/** A condition on trials, and its parameters. */
export interface TrialCondition {
  readonly where: string;
  readonly parameters: readonly Parameter[];
}

/** The ended trials of a run that a filter takes, behind a place of an order. */
export function trialCondition(
  run: string,
  filter: TrialFilter,
  { by, direction, after }: TrialOrder & { readonly after?: TrialPlace | undefined },
): TrialCondition {
  const parameters: Parameter[] = [run];
  const value = (parameter: Parameter): string => `$${parameters.push(parameter)}`;
  const conditions = [
    'run_id = $1',
    'ended_sequence is not null',
    ...filtered(filter, value),
    ...(after === undefined ? [] : [behind({ by, direction }, after, value)]),
  ];
  return { where: conditions.join(' and '), parameters };
}

/** SQL of an order. */
export function trialOrder({ by, direction }: TrialOrder): string {
  const down = direction === 'down' ? ' desc' : '';
  return by === 'number' ? `number${down}` : `${by}${down} nulls last, number`;
}

type Value = (parameter: Parameter) => string;

function filtered(filter: TrialFilter, value: Value): readonly string[] {
  const texts = (list: readonly string[]) => `${value(list.map(plainText))}::text[]`;
  const { verdict, status, target, tag, difficulty, flag, grader } = filter;
  const conditions: string[] = [];
  if (verdict !== undefined) conditions.push(`verdict = any(${texts(verdict)})`);
  if (status !== undefined) conditions.push(`status = any(${texts(status)})`);
  if (target !== undefined) conditions.push(`target = any(${texts(target)})`);
  if (tag !== undefined) conditions.push(`tags && ${texts(tag)}`);
  if (difficulty !== undefined) conditions.push(`coalesce(difficulty, '') = any(${texts(difficulty)})`);
  if (flag !== undefined) conditions.push(`${value(plainText(flag))}::text = any(flags)`);
  for (const [column, key] of EQUAL) {
    const asked = filter[key];
    if (asked !== undefined) conditions.push(`${column} = ${value(plainText(asked))}`);
  }
  if (grader !== undefined) {
    conditions.push(`exists (select from grade where grade.run_id = trial.run_id and trial_number = trial.number
      and grade.name = ${value(plainText(grader))} and not passed)`);
  }
  return conditions;
}

const EQUAL = [
  ['stage', 'stage'],
  ['kind', 'kind'],
  ['failure_class', 'failureClass'],
  ['suite', 'suite'],
  ['case_key', 'caseId'],
] as const;

function behind({ by, direction }: TrialOrder, [last, number]: TrialPlace, value: Value): string {
  const isFurther = direction === 'down' ? '<' : '>';
  if (by === 'number') return `number ${isFurther} ${value(number)}`;
  const isNext = `number > ${value(number)}`;
  if (last === null) return `${by} is null and ${isNext}`;
  const at = `${value(last)}::double precision`;
  return `(${by} ${isFurther} ${at} or (${by} = ${at} and ${isNext}) or ${by} is null)`;
}
