import { FIELDS, type FieldName, type Written } from './draft.ts';

/** What is wrong with a field, in words. */
export interface FieldProblem {
  readonly field: FieldName;
  readonly text: string;
  /** Position of the mistake in the text of the field. */
  readonly at?: number;
}

interface ServerProblem {
  readonly param: string;
  readonly message: string;
  readonly hint?: string | undefined;
}

/** The problems at their fields, in the order of the form; what belongs to no field is told of the first one. */
export function fieldProblems(
  { mistakes }: Pick<Written, 'mistakes'>,
  told: readonly ServerProblem[],
): readonly FieldProblem[] {
  const own = [...mistakes].map(([field, { message, at }]) => ({ field, text: message, at }));
  const others = told.map(({ param, message, hint }) => {
    const path = param.replace(/^(?:items\.)?0(?:\.|$)/, '');
    const field = fieldOf(path);
    const inner = path.slice(field.length + 1);
    const place = inner === '' ? '' : `${inner}: `;
    return { field, text: `${place}${message}${hint === undefined ? '' : ` (${hint})`}` };
  });
  const order = FIELDS.map(({ name }) => name);
  return [...own, ...others].toSorted((one, other) => order.indexOf(one.field) - order.indexOf(other.field));
}

function fieldOf(path: string): FieldName {
  const found = FIELDS.find(({ name }) => path === name || path.startsWith(`${name}.`));
  return found?.name ?? (path === 'persona' ? 'persona.type' : 'name');
}
