import * as z from 'zod';

import type { Finding, Subject } from '../core/grade.ts';
import { jsonOf, textOf } from '../core/message.ts';
import type { GraderPlugin } from '../core/plugin.ts';
import { round9 } from '../lib/text/decimals.ts';
import { type JsonValue, valueAt } from '../lib/json.ts';
import { comparedField, compareField, type FieldOutcome, lacks } from './compare-field.ts';
import { deciding } from './deciding.ts';
import { observed } from './excerpt.ts';
import { pathKeys } from './json-path.ts';
import { fencedBlocks, parseJson } from './json-text.ts';
import { referenceOf } from './reference.ts';

const config = z.lazy(() =>
  z
    .strictObject({
      fields: z.array(comparedField).min(1).describe('The fields to compare.'),
      aggregation: z
        .enum(['weighted_average', 'all_or_nothing'])
        .default('weighted_average')
        .describe('`weighted_average` of the fields, or `all_or_nothing`: 1 only if all fields agree.'),
    })
    .superRefine(({ fields }, context) => {
      if (fields.every(({ weight }) => weight === 0)) {
        context.addIssue({
          code: 'custom',
          path: ['fields'],
          message: 'at least one field needs a weight greater than 0',
        });
      }
      for (const [index, { match, tolerance, relative, formats }] of fields.entries()) {
        const stray = (key: string, needs: string) =>
          context.addIssue({
            code: 'custom',
            path: ['fields', index, key],
            message: `only allowed with \`match: ${needs}\``,
          });
        if (match !== 'numeric_tolerance' && tolerance !== undefined) stray('tolerance', 'numeric_tolerance');
        if (match !== 'numeric_tolerance' && relative !== undefined) stray('relative', 'numeric_tolerance');
        if (match !== 'date' && formats !== undefined) stray('formats', 'date');
      }
    }),
);

type Config = z.infer<typeof config>;

export const fieldAccuracy: GraderPlugin<Config> = {
  type: 'field_accuracy',
  version: 1,
  summary: 'Fields of the JSON answer agree with the reference.',
  config,
  readsReference: () => true,
  referenceFaults: ({ fields }, parts) => {
    const json = jsonOf(parts);
    const value = typeof json === 'object' ? json : objectIn(json ?? textOf(parts));
    if (value === undefined || value === null) return [NO_OBJECT];
    return fields
      .filter(({ path, required }) => required && valueAt(value, pathKeys(path) ?? []) === undefined)
      .map(({ path }) => lacks(path));
  },
  create: ({ fields, aggregation }) =>
    deciding((subject) => {
      const reference = referenceObject(subject);
      const [block, ...more] = fencedBlocks(subject.answer);
      const answer = parseJson(more.length === 0 ? (block ?? subject.answer) : subject.answer);
      if ('problem' in answer) return { score: 0, reason: `the answer is not JSON: ${answer.problem}` };
      return summary(
        fields.map((entry) => compareField(entry, reference, answer.value)),
        aggregation,
      );
    }),
};

function referenceObject(subject: Subject): JsonValue {
  const { json, text } = referenceOf(subject);
  const value = typeof json === 'object' ? json : objectIn(json ?? text);
  if (value === undefined || value === null) throw new Error(NO_OBJECT);
  return value;
}

/** The object or list in a text. */
function objectIn(text: JsonValue): JsonValue | undefined {
  const parsed = typeof text === 'string' ? parseJson(text) : { value: text };
  return 'problem' in parsed || typeof parsed.value !== 'object' ? undefined : parsed.value;
}

const NO_OBJECT =
  'the reference is not an object; write `expected_output` as a mapping with the expected fields';

function summary(outcomes: readonly FieldOutcome[], aggregation: Config['aggregation']): Finding {
  const counted = outcomes.filter(({ agrees }) => agrees !== undefined);
  const wrong = counted.filter(({ agrees }) => agrees === false);
  const weights = weightOf(counted);
  if (weights === 0) return { score: 0, reason: 'the answer has none of the fields' };
  const share = round9((weights - weightOf(wrong)) / weights);
  const score = aggregation === 'weighted_average' ? share : wrong.length === 0 ? 1 : 0;
  const agreed = `${counted.length - wrong.length} of ${counted.length} fields agree`;
  if (wrong.length === 0) return { score, reason: agreed };
  const [first] = wrong;
  const paths = observed(wrong.map(({ field: { path } }) => path));
  return {
    score,
    reason:
      wrong.length === 1 && first !== undefined ? `${agreed}; ${first.text}` : `${agreed}; wrong: ${paths}`,
    ...(wrong.length === 1 ? {} : { evidence: wrong.map(({ text }) => ({ text, passed: false })) }),
  };
}

function weightOf(outcomes: readonly FieldOutcome[]): number {
  return outcomes.reduce((sum, { field: { weight } }) => sum + weight, 0);
}
