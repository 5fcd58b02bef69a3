import { existsSync, readdirSync, readFileSync } from 'node:fs';

import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

import { openApi } from '../src/api/openapi.ts';
import { schemaText } from '../src/app/schema-text.ts';
import { LONGEST_TIME_MS } from '../src/lib/time/time-limit.ts';
import { graders } from '../src/graders/index.ts';
import { targets } from '../src/targets/index.ts';
import { blocksOf, PAGES } from './docs/blocks.ts';

const JUDGES = [
  'answer_relevance',
  'closed_qa',
  'context_faithfulness',
  'context_recall',
  'factuality',
  'g_eval',
];
const EVALS = [
  ...['support', 'order-status', 'clerk'].map((name) => `examples/quickstart/evals/${name}.eval.yaml`),
  ...JUDGES.map((name) => `examples/judges/${name}.eval.yaml`),
];
const CONFIGS = [
  'examples/quickstart/assay.config.yaml',
  'examples/judges/assay.config.yaml',
  'examples/test-cases/assay.config.yaml',
  'examples/test-cases/assay.config.scripted.yaml',
  'examples/test-cases/assay.config.service.yaml',
];
const CASES = readdirSync(new URL('../examples/test-cases/cases/', import.meta.url)).map(
  (name) => `examples/test-cases/cases/${name}`,
);

const committed = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');

describe('generated files are those of the present source', () => {
  test('schema.json is the schema of evals', async () => {
    expect(committed('schema.json')).toBe(await schemaText('suite'));
  });

  test('config.schema.json is the schema of the config', async () => {
    expect(committed('config.schema.json')).toBe(await schemaText('config'));
  });

  // Longer timers fire at once, so everything with such a limit would time out.
  test.each(['suite', 'config', 'case'] as const)(
    'no time of the %s may be longer than a timer',
    async (kind) => {
      const tooLong: string[] = [];
      JSON.parse(await schemaText(kind), (key, value: unknown) => {
        if (
          /(?:timeout|delay)_?ms$/i.test(key) &&
          !JSON.stringify(value).includes(`"maximum":${LONGEST_TIME_MS}`)
        )
          tooLong.push(key);
        return value;
      });
      expect(tooLong).toEqual([]);
    },
  );

  test('test-case.schema.json is the schema of stored test cases', async () => {
    expect(committed('test-case.schema.json')).toBe(await schemaText('case'));
  });

  test('openapi.json is the document of the API', () => {
    const { version } = JSON.parse(committed('package.json')) as { version: string };
    expect(committed('openapi.json')).toBe(`${JSON.stringify(openApi(version), undefined, 2)}\n`);
  });

  test.each(['schema.json', 'config.schema.json', 'test-case.schema.json'])(
    'every property of %s has a description',
    (name) => {
      expect(undescribed(JSON.parse(committed(name)))).toEqual([]);
    },
  );

  test('every grader has its place in the reference', () => {
    expect(sections('docs/reference/graders.md')).toEqual(graders.map(({ type }) => type));
  });

  test('every target has its place in the reference', () => {
    expect(sections('docs/reference/targets.md')).toEqual(targets.map(({ type }) => type));
  });
});

describe('the schemas agree with the program', () => {
  test.each([
    ['schema.json', 'eval', EVALS],
    ['config.schema.json', 'config', CONFIGS],
    ['test-case.schema.json', 'case', CASES],
  ])('%s accepts the examples and the pages', (schema, kind, files) => {
    const validate = validatorOf(schema);
    const blocks = PAGES.flatMap(blocksOf).filter(
      ({ language, words }) => language === 'yaml' && words[0] === kind,
    );
    const texts = [...files.map(committed), ...blocks.map(({ text }) => text)];
    expect(texts.length).toBeGreaterThan(5);
    expect(texts.map((text) => validate(parse(text)))).toEqual(texts.map(() => []));
  });

  test.each([
    ['schema.json', { tests: [{ id: 'a', input: 'b', asert: [] }] }],
    ['schema.json', { tests: [{ id: 'a', input: 'b', assert: [{ type: 'contains', values: ['c'] }] }] }],
    ['config.schema.json', { targets: { a: { type: 'cli', comand: 'b' } } }],
    ['config.schema.json', { targets: {}, rum: {} }],
    ['test-case.schema.json', { name: 'a', max_turn: 3 }],
  ])('%s refuses %j', (schema, document) => {
    expect(validatorOf(schema)(document)).not.toEqual([]);
  });
});

/** What a document breaks of a schema. */
function validatorOf(schema: string): (document: unknown) => readonly string[] {
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
  const validate = ajv.compile(JSON.parse(committed(schema)) as object);
  return (document) => {
    if (validate(document)) return [];
    return (validate.errors ?? []).map(({ instancePath, message = '' }) => `${instancePath} ${message}`);
  };
}

test('the comments of the examples for editors name schemas that are there', () => {
  const files = [...EVALS, ...CONFIGS, ...CASES];
  const places = files.map((file) => {
    const [, place = 'none'] = /^# yaml-language-server: \$schema=(.+)$/m.exec(committed(file)) ?? [];
    return new URL(place, new URL(`../${file}`, import.meta.url));
  });
  expect(places.filter((place) => !existsSync(place))).toEqual([]);
});

function sections(page: string): readonly string[] {
  return [...committed(page).matchAll(/^## `([^`]+)`$/gm)].map(([, type = '']) => type);
}

/** Paths of the properties of a JSON Schema that have no description. */
function undescribed(schema: unknown, path = ''): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]: [string, unknown]) => [
    ...(key === 'properties' ? withoutDescription(value, path) : []),
    ...undescribed(value, `${path}/${key}`),
  ]);
}

function withoutDescription(properties: unknown, path: string): readonly string[] {
  if (typeof properties !== 'object' || properties === null) return [];
  return Object.entries(properties)
    .filter(([, value]: [string, unknown]) => {
      const isSchema = typeof value === 'object' && value !== null && !Array.isArray(value);
      return isSchema && !('description' in value && typeof value.description === 'string');
    })
    .map(([name]) => `${path}/${name}`);
}
