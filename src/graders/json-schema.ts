import { isObject, type JsonObject, type JsonValue } from '../lib/json.ts';
import { matches, patternProblem } from './bounded-regexp.ts';
import { shown } from './excerpt.ts';
import { remembering } from '../lib/text/remembering.ts';

/** The violations of a schema, as `path message`; empty when the value is valid. */
export type Validator = (value: JsonValue) => readonly string[];

/** The validator of a JSON Schema, given as JSON text; equal texts are compiled once. */
export const validatorOf: (schemaText: string) => Promise<Validator> = remembering(64, compile);

async function compile(schemaText: string): Promise<Validator> {
  const parsed = JSON.parse(schemaText) as JsonValue;
  // Each class of Ajv refuses `$schema` of other dialects; draft-06 is a part of draft-07.
  const { $schema: uri, ...schema } = isObject(parsed) ? (parsed as JsonObject) : {};
  const [ajv, { default: formats }] = await Promise.all([ajvFor(dialectOf(uri)), import('ajv-formats')]);
  formats.default(ajv);
  const validate = ajv.compile(isObject(parsed) ? schema : (parsed as boolean));
  return (value) => {
    if (validate(value) === true) return [];
    return (validate.errors ?? []).map((error) => {
      const path = error.instancePath === '' ? '/' : error.instancePath;
      const params = error.params as Record<string, unknown>;
      const stray = params['additionalProperty'] ?? params['unevaluatedProperty'] ?? params['allowedValues'];
      const detail = stray === undefined ? '' : `: ${shown(stray, 80)}`;
      return `${path} ${error.message ?? error.keyword}${detail}`;
    });
  };
}

const options = {
  strict: false,
  allErrors: true,
  logger: false,
  code: {
    regExp: Object.assign(
      (pattern: string, flags: string) => {
        const wrong = patternProblem(pattern, flags);
        if (wrong !== undefined) throw new Error(wrong.message);
        return {
          test: (text: string) => matches(pattern, flags, text),
          // Ajv identifies patterns by this text.
          toString: () => `/${pattern}/${flags}`,
        };
      },
      { code: 'boundedRegExp' },
    ),
  },
} as const;

type Dialect = 'draft-07' | '2019-09' | '2020-12';

function dialectOf(uri: JsonValue | undefined): Dialect {
  if (uri === undefined) return '2020-12';
  const [dialect] = /draft-0[67]|2019-09|2020-12/.exec(String(uri)) ?? [];
  if (dialect === undefined) {
    throw new Error(`${String(uri)} is not supported; write it in draft-06, draft-07, 2019-09 or 2020-12`);
  }
  return dialect === 'draft-06' ? 'draft-07' : (dialect as Dialect);
}

async function ajvFor(dialect: Dialect) {
  // Uses `default`, because a bundled CommonJS module that is loaded late has no other export.
  if (dialect === '2020-12') return new (await import('ajv/dist/2020.js')).default.Ajv2020(options);
  if (dialect === '2019-09') return new (await import('ajv/dist/2019.js')).default.Ajv2019(options);
  return new (await import('ajv')).default.Ajv(options);
}
