import type * as z from 'zod';

import type { ProblemCode } from '../../core/error-code.ts';
import { given } from '../../lib/given.ts';
import { nearest } from '../../lib/text/suggest.ts';
import { valueAt } from '../../lib/json.ts';
import { fault, pathLabel, under, type Fault, type Path } from './fault.ts';
import { foreignKey } from './foreign-keys.ts';
import { didYouMean, meantValue, shown } from './meant-value.ts';
import { schemaKeys } from './schema-keys.ts';

interface Checked {
  readonly schema: z.core.$ZodType;
  readonly value: unknown;
  /** Additional keys that are allowed at the top. */
  readonly moreKeys: readonly string[];
  /** Path of the value, for messages only; paths of mistakes start at the value. */
  readonly above?: Path;
}

/** Converts the issues of a schema to mistakes with readable messages. */
export function schemaFaults(
  issues: readonly z.core.$ZodIssue[],
  schema: z.core.$ZodType,
  checked: Omit<Checked, 'schema'>,
): readonly Fault[] {
  return issues.flatMap((issue) => faultsOf(issue, pathOf(issue), { schema, ...checked }));
}

function faultsOf(issue: z.core.$ZodIssue, path: Path, checked: Checked): readonly Fault[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => unknownKey(key, path, checked));
  }
  if (issue.code === 'invalid_union') return unionFaults(issue, path, checked);
  const value = valueAt(checked.value, path);
  const label = labelOf(path, checked);
  const wrong = wrongValue(issue, { path, label }, value);
  const named = wrong.code === 'missing-key' || wrong.code === 'not-yet' || label === '';
  return [
    under(wrong.path, { ...wrong, path: [], message: named ? wrong.message : `${label}: ${wrong.message}` }),
  ];
}

function labelOf(path: Path, { above = [] }: Checked): string {
  return pathLabel([...above, ...path]);
}

function unknownKey(key: string, path: Path, checked: Checked): Fault {
  const { schema, moreKeys } = checked;
  const known = [...new Set([...schemaKeys(schema, path), ...(path.length === 0 ? moreKeys : [])])];
  const label = labelOf(path, checked);
  const where = label === '' ? '' : ` in ${label}`;
  const hint =
    foreignKey(key, known) ?? placeOf(key, path, checked) ?? meantKey(key, known) ?? knownList(known);
  return fault('unknown-key', `unknown key \`${key}\`${where}`, {
    path: [...path, key],
    at: 'key',
    ...given({ hint }),
  });
}

/** Whether one of the allowed mappings has the key. */
function placeOf(key: string, path: Path, { schema }: Checked): string | undefined {
  const owners = schemaKeys(schema, path).filter((each) => schemaKeys(schema, [...path, each]).includes(key));
  return owners.length === 0
    ? undefined
    : `it is allowed under ${owners.map((each) => `\`${each}\``).join(' or ')}`;
}

function meantKey(key: string, known: readonly string[]): string | undefined {
  const meant = nearest(key, known) ?? known.find((each) => key.length >= MIN_START && each.startsWith(key));
  return meant === undefined ? undefined : `did you mean \`${meant}\`?`;
}

/** Least number of characters of the start of a key, such as `apiKey` of `apiKeyEnv`, from which the key is suggested. */
const MIN_START = 4;

function knownList(known: readonly string[]): string | undefined {
  return known.length === 0 || known.length > MOST_KNOWN ? undefined : `known: ${known.join(', ')}`;
}

/** More names than the largest mapping has, such as the request of a run. */
const MOST_KNOWN = 40;

function wrongValue(issue: z.core.$ZodIssue, { path, label }: Labelled, value: unknown): Fault {
  const own = /^(Invalid|Too|Unrecognized)/.test(issue.message) ? undefined : issue.message;
  const code = customCode(issue);
  if (issue.code === 'invalid_type' && issue.expected === 'never') {
    return fault('not-yet', `\`${label}\` is not available yet`, { path, at: 'key' });
  }
  if (value === undefined && issue.code === 'invalid_value') {
    const hint = `write one of: ${listOf(issue.values)}`;
    return fault('missing-key', `\`${label}\` is missing`, { path, hint });
  }
  if (value === undefined && (issue.code === 'invalid_type' || isTypeMismatch(issue))) {
    return fault('missing-key', `\`${label}\` is missing`, { path });
  }
  if (own !== undefined && !/^expected a (?:mapping|number of)/.test(own)) {
    const hint = customHint(issue);
    return fault(code ?? (isTypeMismatch(issue) ? 'wrong-type' : 'invalid-value'), own, {
      path,
      ...given({ hint }),
    });
  }
  switch (issue.code) {
    case 'invalid_key': {
      const whatIsWrong = issue.issues[0]?.message ?? 'is invalid';
      return fault('invalid-value', `the key ${whatIsWrong}`, { path, at: 'key' });
    }
    case 'invalid_type':
    case 'custom': {
      const expected = expectedWords(issue);
      const isOwn = expected === '' || own?.startsWith('expected a number of') === true;
      return wrongType(isOwn ? issue.message : `expected ${expected}`, path, value);
    }
    case 'invalid_value':
      return notOneOf(issue.values, path, value);
    case 'too_small':
    case 'too_big':
      return fault('invalid-value', boundWords(issue), { path, ...shareMeant(issue, value) });
    case 'invalid_format':
      return fault('invalid-value', `${shown(value)} does not match ${issue.pattern ?? issue.format}`, {
        path,
      });
    default:
      return fault('invalid-value', issue.message, { path });
  }
}

interface Labelled {
  readonly path: Path;
  /** A readable form of the issue. */
  readonly label: string;
}

function wrongType(expected: string, path: Path, value: unknown): Fault {
  if (typeof value === 'bigint' && /a (?:whole )?number$/.test(expected)) {
    return fault('invalid-value', `the number ${value} is too large`, { path });
  }
  if (!expected.includes('expected ')) return fault('wrong-type', expected, { path });
  const hint = meantValue(value, expected, path);
  return fault('wrong-type', `${expected}, got ${typeWords(value)}`, { path, ...given({ hint }) });
}

function notOneOf(values: readonly unknown[], path: Path, value: unknown): Fault {
  const meant = typeof value === 'string' ? nearest(value, values.map(String)) : undefined;
  const hint = meant === undefined ? {} : { hint: `did you mean \`${meant}\`?` };
  return fault('invalid-value', `${shown(value)} is not one of: ${listOf(values)}`, { path, ...hint });
}

function listOf(values: readonly unknown[]): string {
  return values.map((known) => (typeof known === 'string' ? known : JSON.stringify(known))).join(', ');
}

/** Shares are numbers from 0 to 1. */
function shareMeant(issue: z.core.$ZodIssue, value: unknown): Pick<Fault, 'hint'> {
  if (issue.code !== 'too_big' || issue.maximum !== 1 || typeof value !== 'number') return {};
  if (value < 10 || value > 100) return {};
  return { hint: didYouMean(value) };
}

function boundWords(issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig): string {
  const isSmall = issue.code === 'too_small';
  const bound = String(isSmall ? issue.minimum : issue.maximum);
  if (issue.origin === 'string') return `must have ${isSmall ? 'at least' : 'at most'} ${bound} characters`;
  if (issue.origin === 'array')
    return `must have ${isSmall ? 'at least' : 'at most'} ${bound} item${bound === '1' ? '' : 's'}`;
  if (issue.inclusive === false) return `must be ${isSmall ? 'more than' : 'less than'} ${bound}`;
  return `must be ${isSmall ? 'at least' : 'at most'} ${bound}`;
}

/** The mistakes of the alternative that the author most probably meant. */
function unionFaults(issue: z.core.$ZodIssueInvalidUnion, path: Path, checked: Checked): readonly Fault[] {
  const value = valueAt(checked.value, path);
  const label = labelOf(path, checked);
  if (value === undefined) return [fault('missing-key', `\`${label}\` is missing`, { path })];
  const options: unknown = 'options' in issue ? issue.options : undefined;
  if (issue.errors.length === 0 && Array.isArray(options)) {
    // An alternative whose key is optional is also chosen by a missing one.
    const known = options.filter((option) => option !== undefined);
    const wrong = notOneOf(known, path, value);
    return [{ ...wrong, message: `${label}: ${wrong.message}` }];
  }
  const meant = issue.errors.filter(
    (branch) => !branch.some((found) => found.path.length === 0 && isTypeMismatch(found)),
  );
  const best = meant.toSorted((left, right) => depth(right) - depth(left) || left.length - right.length)[0];
  if (best !== undefined) {
    return best.flatMap((found) => faultsOf(found, [...path, ...pathOf(found)], checked));
  }
  const expected = [...new Set(issue.errors.flat().map(expectedWords))].filter((words) => words !== '');
  const own = issue.message.startsWith('Invalid') ? `expected ${expected.join(' or ')}` : issue.message;
  return [wrongType(label === '' ? own : `${label}: ${own}`, path, value)];
}

function depth(branch: readonly z.core.$ZodIssue[]): number {
  return Math.max(0, ...branch.map((issue) => issue.path.length));
}

function isTypeMismatch(issue: z.core.$ZodIssue): boolean {
  return (
    issue.code === 'invalid_type' ||
    (issue.code === 'custom' && typeof issue.params?.['expected'] === 'string')
  );
}

function customCode(issue: z.core.$ZodIssue): ProblemCode | undefined {
  const code: unknown = issue.code === 'custom' ? issue.params?.['code'] : undefined;
  return typeof code === 'string' ? (code as ProblemCode) : undefined;
}

/** Custom issues can say what to do. */
function customHint(issue: z.core.$ZodIssue): string | undefined {
  const hint: unknown = issue.code === 'custom' ? issue.params?.['hint'] : undefined;
  return typeof hint === 'string' ? hint : undefined;
}

function expectedWords(issue: z.core.$ZodIssue): string {
  if (issue.code === 'custom') return String(issue.params?.['expected'] ?? '');
  if (issue.code === 'invalid_union') return issue.errors.flat().map(expectedWords).join(' or ');
  return issue.code === 'invalid_type' ? (TYPE_WORDS[issue.expected] ?? issue.expected) : '';
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a mapping',
  record: 'a mapping',
  null: 'nothing',
};

function typeWords(value: unknown): string {
  if (value === null) return 'nothing';
  if (typeof value === 'string') return shown(value);
  if (typeof value === 'object') return Array.isArray(value) ? 'a list' : 'a mapping';
  return String(value);
}

function pathOf(issue: z.core.$ZodIssue): Path {
  return issue.path.map((key) => (typeof key === 'number' ? key : String(key)));
}
