import { inspect } from 'node:util';

import type { ProblemCode } from '../../core/error-code.ts';
import type { CodeCase } from '../../core/code-suite.ts';
import type { Problem } from '../../core/problem.ts';
import { given } from '../../lib/given.ts';
import { isObject } from '../../lib/json.ts';
import { meantOr, nearest } from '../../lib/text/suggest.ts';
import { isTimeLimit, LONGEST_TIME_MS } from '../../lib/time/time-limit.ts';

/** A case of a suite, and its key if the suite is a mapping. */
export interface ListedCase {
  readonly case: CodeCase;
  readonly label?: string;
}

export interface CheckedCases {
  /** Only valid when there are no problems. */
  readonly cases: readonly ListedCase[];
  readonly problems: readonly Problem[];
}

/** Checks the default export of a suite, and returns all problems together. */
export function checkCases(exported: unknown, file: string): CheckedCases {
  const refuse = (code: ProblemCode, message: string): CheckedCases => ({
    cases: [],
    problems: [{ file, code, message, hint: 'export default [{ id, prompt, assert(report) { ... } }]' }],
  });
  if (exported === undefined) return refuse('suite-no-default-export', 'has no default export');
  const entries = entriesOf(exported);
  if (entries === undefined) {
    return refuse('suite-not-cases', `the default export is ${shown(exported)}, not a list of cases`);
  }
  if (entries.length === 0) return refuse('suite-empty', 'the default export contains no cases');
  const faults = [
    ...entries.flatMap(([label, value], index) =>
      caseFaults(value).map((fault) => ({ index, label, value, fault })),
    ),
    ...repeated(entries),
  ];
  return {
    cases: entries.map(([label, value]) => ({
      case: value as CodeCase,
      ...given({ label }),
    })),
    problems: faults.map(({ index, value, fault }) => ({ file, subject: subjectOf(value, index), ...fault })),
  };
}

type Fault = Pick<Problem, 'code' | 'message' | 'hint'>;
type Entry = readonly [label: string | undefined, value: unknown];

function entriesOf(exported: unknown): readonly Entry[] | undefined {
  // A hole in an array counts as a missing case.
  if (Array.isArray(exported)) return Array.from(exported, (value): Entry => [undefined, value]);
  if (!isObject(exported)) return undefined;
  const prototype: unknown = Object.getPrototypeOf(exported);
  const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null;
  return isPlain ? Object.entries(exported) : undefined;
}

function subjectOf(value: unknown, index: number): string {
  const id = isObject(value) ? value['id'] : undefined;
  return typeof id === 'string' && id.trim() !== '' ? `case ${JSON.stringify(id)}` : `case #${index + 1}`;
}

const KEYS = ['id', 'prompt', 'tags', 'timeoutMs', 'expectedFail', 'classifyFailure', 'assert'];
const LONGEST_ID = 200;

function caseFaults(value: unknown): readonly Fault[] {
  if (!isObject(value)) {
    return [{ code: 'case-not-object', message: `expected a case, got ${shown(value)}` }];
  }
  const { id, prompt, timeoutMs, expectedFail, classifyFailure, assert } = value;
  const isText = (text: unknown): text is string => typeof text === 'string' && text.trim() !== '';
  const isHook = (hook: unknown) => typeof hook === 'function';
  const unless = (holds: boolean, code: ProblemCode, message: string): readonly Fault[] =>
    holds ? [] : [{ code, message }];
  // A key that is present but misspelt is not reported as missing too.
  const isMisspelt = (key: string) =>
    value[key] === undefined && Object.keys(value).some((written) => meantBy(written) === key);
  return [
    ...unknownKeys(value),
    ...unless(isText(id) || isMisspelt('id'), 'case-id', `id: expected a text, got ${shown(id)}`),
    ...unless(
      !isText(id) || id.length <= LONGEST_ID,
      'case-id',
      `id: at most ${LONGEST_ID} characters are allowed`,
    ),
    ...unless(
      isText(prompt) || isMisspelt('prompt'),
      'case-prompt',
      `prompt: expected a text, got ${shown(prompt)}`,
    ),
    ...unless(
      isHook(assert) || isMisspelt('assert'),
      'case-assert',
      `assert: expected a function, got ${shown(assert)}`,
    ),
    ...tagFaults(value['tags']),
    ...unless(
      timeoutMs === undefined || isTimeLimit(timeoutMs),
      'case-timeout',
      `timeoutMs: expected a whole number of milliseconds from 1 to ${LONGEST_TIME_MS}, got ${shown(timeoutMs)}`,
    ),
    ...unless(
      expectedFail === undefined || typeof expectedFail === 'boolean',
      'case-expected-fail',
      `expectedFail: expected true or false, got ${shown(expectedFail)}`,
    ),
    ...unless(
      classifyFailure === undefined || isHook(classifyFailure),
      'case-classify-failure',
      `classifyFailure: expected a function, got ${shown(classifyFailure)}`,
    ),
  ];
}

function unknownKeys(value: Readonly<Record<string, unknown>>): readonly Fault[] {
  return Object.keys(value)
    .filter((key) => !KEYS.includes(key))
    .map((key) => ({
      code: 'case-unknown-key',
      message: `unknown key ${JSON.stringify(key)} in a case`,
      hint: meantOr(key, KEYS, `keys of a case: ${KEYS.join(', ')}`),
    }));
}

/** The key that a misspelt one probably means. */
function meantBy(key: string): string | undefined {
  return KEYS.includes(key) ? undefined : nearest(key, KEYS);
}

function tagFaults(tags: unknown): readonly Fault[] {
  if (tags === undefined) return [];
  if (!Array.isArray(tags))
    return [{ code: 'case-tags', message: `tags: expected a list of texts, got ${shown(tags)}` }];
  return Array.from(tags, (tag: unknown, index) => ({ tag, index }))
    .filter(({ tag }) => typeof tag !== 'string' || tag.trim() === '')
    .map(({ tag, index }) => ({
      code: 'case-tags',
      message: `tags[${index}]: expected a text, got ${shown(tag)}`,
    }));
}

interface Repeated {
  readonly index: number;
  readonly value: unknown;
  readonly fault: Fault;
}

/** Ids that occur twice, and ids that would give the same file name. */
function repeated(entries: readonly Entry[]): readonly Repeated[] {
  const ids = new Map<string, number>();
  const slugs = new Map<string, string>();
  return entries.flatMap(([, value], index): readonly Repeated[] => {
    const id = isObject(value) ? value['id'] : undefined;
    if (typeof id !== 'string' || id.trim() === '') return [];
    const before = ids.get(id);
    ids.set(id, before ?? index);
    if (before !== undefined) {
      const message = `case #${before + 1} has the same id ${JSON.stringify(id)}`;
      return [
        { index, value, fault: { code: 'case-duplicate-id', message, hint: 'give each case its own id' } },
      ];
    }
    const slug = slugOf(id);
    const other = slugs.get(slug);
    slugs.set(slug, other ?? id);
    if (other === undefined || slug === '') return [];
    const message = `the ids ${JSON.stringify(other)} and ${JSON.stringify(id)} would use the same file name`;
    const hint =
      'rename one of them: ids that differ only in punctuation or capital letters get the same file name';
    return [{ index, value, fault: { code: 'case-id-collision', message, hint } }];
  });
}

function slugOf(id: string): string {
  return id
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  return inspect(value, { depth: 0, breakLength: Infinity }).slice(0, 80);
}
