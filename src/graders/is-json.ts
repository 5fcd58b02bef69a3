import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

import * as z from 'zod';

import { messageOf } from '../core/errors.ts';
import { verdictFinding, type Finding } from '../core/grade.ts';
import type { GraderPlugin } from '../core/plugin.ts';
import type { JsonValue } from '../lib/json.ts';
import { levelsIn, MOST_LEVELS } from '../lib/text/json-depth.ts';
import { deciding } from './deciding.ts';
import { fencedBlocks, parseJson } from './json-text.ts';
import { validatorOf, type Validator } from './json-schema.ts';
import { jsonMapping } from '../lib/text/json-value.ts';

const config = z.lazy(() =>
  z.strictObject({
    schema: z
      .union([z.string().min(1), z.boolean(), jsonMapping()], {
        error: 'expected a JSON Schema or the path of one',
      })
      .optional()
      .describe(
        'JSON Schema, inline or as the path of a JSON file. `$schema` selects draft-06, draft-07, 2019-09 or 2020-12 (default).',
      ),
    fenced: z
      .boolean()
      .optional()
      .describe(
        'Read the JSON from the fenced code block of the answer. An answer without such a block is read whole; an answer with several blocks fails. Default: false.',
      ),
  }),
);

type Config = z.infer<typeof config>;

export const isJson: GraderPlugin<Config> = {
  type: 'is_json',
  version: 1,
  summary: 'The answer is JSON, and matches the schema if there is one.',
  config,
  files: ({ schema }) => (typeof schema === 'string' ? [schema] : []),
  create: ({ schema, fenced }, { directory }) =>
    deciding(async ({ answer }) => {
      const validator = schema === undefined ? undefined : await validatorFor(schema, directory);
      return decide(answer, { isFenced: fenced === true, validator });
    }),
};

interface Demands {
  /** Whether the JSON is in a code block of the answer. */
  readonly isFenced: boolean;
  readonly validator: Validator | undefined;
}

function decide(answer: string, { isFenced, validator }: Demands): Finding {
  const blocks = isFenced ? fencedBlocks(answer) : [];
  if (blocks.length > 1) {
    return verdictFinding(false, `expected one fenced block, found ${blocks.length}`);
  }
  const parsed = parseJson(blocks[0] ?? answer);
  if ('problem' in parsed) {
    const hint =
      !isFenced && fencedBlocks(answer).length === 1 ? '; `fenced: true` reads it from its code block' : '';
    return verdictFinding(false, `the answer is not JSON: ${parsed.problem}${hint}`);
  }
  if (validator === undefined) return verdictFinding(true, 'the answer is JSON');
  const errors = problemsOf(parsed.value, validator);
  if (errors.length === 0) return verdictFinding(true, 'the answer is JSON and matches the schema');
  const rest = errors.length > 5 ? `; and ${errors.length - 5} more` : '';
  return verdictFinding(false, `the JSON does not match the schema: ${errors.slice(0, 5).join('; ')}${rest}`);
}

/** A recursive schema calls itself for each level of the answer. */
function problemsOf(value: JsonValue, validator: Validator): readonly string[] {
  try {
    return validator(value);
  } catch (error) {
    const levels = levelsIn(value);
    if (levels <= MOST_LEVELS || !(error instanceof RangeError)) throw error;
    return [`/ is nested ${levels} levels deep; at most ${MOST_LEVELS} levels can be validated`];
  }
}

async function validatorFor(schema: NonNullable<Config['schema']>, directory: string): Promise<Validator> {
  const place = typeof schema === 'string' ? `the JSON Schema ${schema}` : 'the JSON Schema of this grader';
  try {
    const text =
      typeof schema === 'string'
        ? await readFile(resolve(directory, schema), 'utf8')
        : JSON.stringify(schema);
    return await validatorOf(text);
  } catch (error) {
    throw new Error(`${place} cannot be used: ${messageOf(error)}; correct it and grade again`, {
      cause: error,
    });
  }
}
