import type { JsonValue } from '../lib/json.ts';
import { jsonEqual, valueAt } from '../lib/json.ts';
import { calendarDate, DEFAULT_DATE_FORMATS } from './calendar-date.ts';
import { shown } from './excerpt.ts';
import { pathKeys } from './json-path.ts';
import { numberOf } from './number-text.ts';
import { isWithin, type Tolerance } from './within-tolerance.ts';

/** One field to compare, its defaults filled in. */
export interface Field extends Tolerance {
  readonly path: string;
  readonly match: 'exact' | 'numeric_tolerance' | 'date';
  readonly required: boolean;
  readonly weight: number;
  readonly formats?: readonly string[] | undefined;
}

/** What came of a field: it agrees, it does not, or it does not count. */
export interface FieldOutcome {
  readonly field: Field;
  readonly agrees: boolean | undefined;
  /** `path: what is there`. */
  readonly text: string;
}

/** Compares one field of the answer with the same field of the reference; throws when the reference cannot serve. */
export function compareField(field: Field, reference: JsonValue, answer: JsonValue): FieldOutcome {
  const keys = pathKeys(field.path) ?? [];
  const [expected, found] = [valueAt(reference, keys), valueAt(answer, keys)];
  const outcome = (agrees: boolean | undefined, text: string) => ({
    field,
    agrees,
    text: `${field.path}: ${text}`,
  });
  if (expected === undefined) {
    if (!field.required) return outcome(undefined, 'not in the reference, does not count');
    throw new Error(lacks(field.path));
  }
  if (found === undefined) {
    return field.required
      ? outcome(false, `expected ${shown(expected, 80)}, the answer has no such field`)
      : outcome(undefined, 'not in the answer, does not count');
  }
  return isSame(field, expected, found)
    ? outcome(true, shown(found, 80))
    : outcome(false, `expected ${shown(expected, 80)}, found ${shown(found, 80)}`);
}

function isSame(field: Field, expected: unknown, found: unknown): boolean {
  switch (field.match) {
    case 'exact':
      return jsonEqual(expected, found);
    case 'numeric_tolerance':
      return numbersAgree(field, expected, found);
    case 'date':
      return datesAgree(field, expected, found);
    default:
      return field.match satisfies never;
  }
}

function numbersAgree(field: Field, expected: unknown, found: unknown): boolean {
  const [wanted, given] = [numberOf(expected), numberOf(found)];
  if (wanted === undefined) throw unusable(field, expected, 'no number');
  return given !== undefined && isWithin(wanted, given, field);
}

function datesAgree(field: Field, expected: unknown, found: unknown): boolean {
  const formats = field.formats ?? DEFAULT_DATE_FORMATS;
  const [wanted, given] = [expected, found].map((value) => calendarDate(String(value), formats));
  if (wanted === undefined) throw unusable(field, expected, `no date of the form ${formats.join(' or ')}`);
  return wanted === given;
}

function unusable(field: Field, expected: unknown, what: string): Error {
  return new Error(
    `the reference has ${what} at ${field.path} but ${shown(expected, 80)}; correct \`expected_output\` or \`match\``,
  );
}

/** What is wrong with a reference that has nothing to compare a field with. */
export function lacks(path: string): string {
  return `the reference has no field ${path}; add it to \`expected_output\`, or say \`required: false\` for this field`;
}
