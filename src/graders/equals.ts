import * as z from 'zod';

import { verdictFinding, type Finding } from '../core/grade.ts';
import { jsonValue } from '../lib/text/json-value.ts';
import type { GraderPlugin } from '../core/plugin.ts';
import { isObject, jsonEqual, type JsonValue } from '../lib/json.ts';
import { levelsIn, MOST_LEVELS } from '../lib/text/json-depth.ts';
import { deciding } from './deciding.ts';
import { answerShown, firstCharacters, quoted, shown } from './excerpt.ts';
import { foldCase } from './fold-case.ts';
import { jsonDifference } from './json-difference.ts';
import { parseJson } from './json-text.ts';
import { referenceOf } from './reference.ts';
import { ignoreCase } from './text-value.ts';

const config = z.lazy(() =>
  z.strictObject({
    value: jsonValue()
      .optional()
      .describe(
        'The expected answer. A text is compared with the text of the answer; any other value is compared as JSON, ' +
          'in any order of keys. Default: the expected output of the test.',
      ),
    ignore_case: ignoreCase,
    ignore_whitespace: z
      .boolean()
      .optional()
      .describe('Ignore all white space. Default: false; white space around the answer is always ignored.'),
  }),
);

type Config = z.infer<typeof config>;

export const equals: GraderPlugin<Config> = {
  type: 'equals',
  version: 1,
  summary: 'The answer equals a value or the reference.',
  config,
  nameOf: ({ value }) => {
    if (value === undefined) return 'equals';
    return typeof value === 'object' ? 'equals-json' : `equals-${firstCharacters(String(value), 30)}`;
  },
  demands: ({ value }) => ({
    scored: `the answer equals ${value === undefined ? 'the reference' : shown(value)}`,
  }),
  readsReference: ({ value }) => value === undefined,
  create: (options) =>
    deciding((subject) => {
      if (options.value !== undefined) return decide(subject.answer, options.value, options);
      const reference = referenceOf(subject);
      return decide(subject.answer, reference.json ?? reference.text, options);
    }),
};

function decide(answer: string, expected: JsonValue, options: Config): Finding {
  return typeof expected === 'string'
    ? decideText(answer, expected, options)
    : decideJson(answer, expected, options);
}

function decideText(answer: string, expected: string, options: Config): Finding {
  return comparable(answer.trim(), options) === comparable(expected.trim(), options)
    ? verdictFinding(true, `the answer equals ${quoted(expected)}`)
    : verdictFinding(false, `expected ${quoted(expected, 160)}; ${answerShown(answer)}`);
}

function decideJson(answer: string, expected: JsonValue, options: Config): Finding {
  const parsed = parseJson(answer);
  if ('problem' in parsed) {
    const reason = `expected the JSON ${shown(expected)}; the answer is not JSON: ${parsed.problem}`;
    return verdictFinding(false, reason);
  }
  const wanted = comparableJson(expected, options);
  // An expected value is never so deep, but an answer may be deeper than the call stack.
  const isTooDeep = levelsIn(parsed.value) > MOST_LEVELS;
  const found = isTooDeep ? parsed.value : comparableJson(parsed.value, options);
  if (jsonEqual(wanted, found)) return verdictFinding(true, `the answer equals ${shown(expected)} as JSON`);
  const difference = jsonDifference(wanted, found) ?? `expected ${shown(expected)}`;
  return verdictFinding(false, `the answer is a different JSON value: ${difference}`);
}

function comparable(text: string, options: Config): string {
  const spaced = options.ignore_whitespace === true ? text.replaceAll(/\s+/g, '') : text;
  return options.ignore_case === true ? foldCase(spaced) : spaced;
}

function comparableJson(value: JsonValue, options: Config): JsonValue {
  if (options.ignore_case !== true && options.ignore_whitespace !== true) return value;
  if (typeof value === 'string') return comparable(value, options);
  if (Array.isArray(value)) return value.map((item: JsonValue) => comparableJson(item, options));
  if (!isObject(value)) return value;
  const entries = Object.entries(value as Record<string, JsonValue>);
  return Object.fromEntries(entries.map(([key, member]) => [key, comparableJson(member, options)]));
}
