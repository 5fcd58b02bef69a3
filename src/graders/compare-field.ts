import { jsonEqual, valueAt, type JsonValue } from '../lib/json.ts';
import { calendarDate, DEFAULT_DATE_FORMATS } from './calendar-date.ts';
import { shown } from './excerpt.ts';
import { pathKeys } from './json-path.ts';
import { numberOf } from './number-text.ts';
import { isWithin, type Tolerance } from './within-tolerance.ts';

/** One field to compare, with its defaults. */
export interface Field extends Tolerance {
  readonly path: string;
  readonly match: 'exact' | 'numeric_tolerance' | 'date';
  readonly required: boolean;
  readonly weight: number;
  readonly formats?: readonly string[] | undefined;
}

/** The result of a field: equal, different, or not counted. */
export interface FieldOutcome {
  readonly field: Field;
  readonly agrees: boolean | undefined;
  /** `path: value`. */
  readonly text: string;
}

/** Compares one field of the answer with the same field of the reference. Throws when the reference is unusable. */
export function compareField(field: Field, reference: JsonValue, answer: JsonValue): FieldOutcome {
  const keys = pathKeys(field.path) ?? [];
  const [expected, found] = [valueAt(reference, keys), valueAt(answer, keys)];
  const outcome = (agrees: boolean | undefined, text: string) => ({
    field,
    agrees,
    text: `${field.path}: ${text}`,
  });
  if (expected === undefined) {
    if (!field.required) return outcome(undefined, 'not in the reference, not counted');
    throw new Error(lacks(field.path));
  }
  if (found === undefined) {
    return field.required
      ? outcome(false, `expected ${shown(expected, 80)}, but the answer does not have the field`)
      : outcome(undefined, 'not in the answer, not counted');
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
  if (wanted === undefined) throw unusable(field, expected, 'a number');
  return given !== undefined && isWithin(wanted, given, field);
}

function datesAgree(field: Field, expected: unknown, found: unknown): boolean {
  const formats = field.formats ?? DEFAULT_DATE_FORMATS;
  const [wanted, given] = [expected, found].map((value) => calendarDate(String(value), formats));
  if (wanted === undefined) throw unusable(field, expected, `a date in the format ${formats.join(' or ')}`);
  return wanted === given;
}

function unusable(field: Field, expected: unknown, what: string): Error {
  return new Error(
    `expected ${what} in the reference at ${field.path}, got ${shown(expected, 80)}; correct \`expected_output\` or \`match\``,
  );
}

/** The message for a reference without the field. */
export function lacks(path: string): string {
  return `the reference has no field ${path}; add it to \`expected_output\`, or set \`required: false\` for this field`;
}
