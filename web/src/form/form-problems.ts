import { RefusedError } from '../../../src/api/client.ts';
import { messageOf } from '../../../src/core/errors.ts';
import { jsonMistake } from '../editor/json-mistake.ts';
import { refusalTexts } from '../session/refusal-texts.ts';
import type { FormField, Texts } from './form-field.ts';

/** What is wrong with a field, in words. */
export interface FormProblem {
  readonly field: string;
  readonly text: string;
  /** Position of the mistake in the text of the field. */
  readonly at?: number;
}

/** Fields that must be JSON and are not. */
export function jsonProblems(fields: readonly FormField[], texts: Texts): readonly FormProblem[] {
  return fields.flatMap(({ name, kind }) => {
    const text = texts[name] ?? '';
    const mistake = kind === 'json' && text.trim() !== '' ? jsonMistake(text) : undefined;
    return mistake === undefined ? [] : [{ field: name, text: mistake.message, at: mistake.at }];
  });
}

/** Why a form was not saved: problems at its fields, or a text about the whole. */
export function notSaved(
  fields: readonly FormField[],
  error: unknown,
): { readonly problems: readonly FormProblem[] } | { readonly refused: string } {
  if (!(error instanceof RefusedError)) return { refused: messageOf(error) };
  const problems = refusedFields(fields, error);
  return problems.length > 0 ? { problems } : { refused: refusalTexts(error).join('; ') };
}

/** The problems of a refusal at their fields, in the order of the form. Empty: it is about no field. */
export function refusedFields(
  fields: readonly FormField[],
  { problem: { message, hint, param, problems } }: RefusedError,
): readonly FormProblem[] {
  const told = problems ?? (param === null ? [] : [{ param, message, hint }]);
  const found = told.map((each) => problemAt(fields, each));
  const order = fields.map(({ name }) => name);
  return found.toSorted((one, other) => order.indexOf(one.field) - order.indexOf(other.field));
}

interface Told {
  readonly param: string;
  readonly message: string;
  readonly hint?: string | undefined;
}

/** A problem of no field is told at the one with JSON, else at the first. */
function problemAt(fields: readonly FormField[], { param, message, hint }: Told): FormProblem {
  const names = fields
    .flatMap(({ name, also = [] }) => [name, ...also].map((called) => ({ name, called })))
    .toSorted((one, other) => other.called.length - one.called.length);
  const named = names.find(({ called }) => param === called || param.startsWith(`${called}.`));
  const field = named?.name ?? fields.find(({ kind }) => kind === 'json')?.name ?? names[0]?.name ?? '';
  const inner = named === undefined ? param : param.slice(named.called.length + 1);
  const words = `${message}${hint === undefined ? '' : ` (${hint})`}`;
  return { field, text: inner === '' ? words : `${inner}: ${words}` };
}
