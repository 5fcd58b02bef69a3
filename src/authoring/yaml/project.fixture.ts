import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';

import { onTestFinished } from 'vitest';
import * as z from 'zod';

import type { GraderPlugin, PartShelf } from '../../core/plugin.ts';
import { formatProblem, type Problem } from '../../core/problem.ts';
import type { Suite, TestCase } from '../../core/test-case.ts';
import type { JsonObject } from '../../lib/json.ts';
import { templateNames } from '../../lib/text/template.ts';
import { loadYamlSuites, type YamlContext } from './load.ts';

/** A folder with files, removed after the test. */
export function project(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'assay-yaml-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

export interface Loaded {
  readonly folder: string;
  readonly suites: readonly Suite[];
  /** As they are printed. */
  readonly problems: readonly string[];
  readonly all: readonly Problem[];
  readonly cases: readonly TestCase[];
}

export type Options = Partial<Pick<YamlContext, 'hasJudge' | 'targets'>> & {
  readonly load?: readonly string[];
};

/** Writes files and loads the first one, or those named. */
export async function load(
  files: Readonly<Record<string, string | Uint8Array>>,
  options: Options = {},
): Promise<Loaded> {
  const folder = project(files);
  const { load: names = Object.keys(files).slice(0, 1), ...context } = options;
  const { suites, problems } = await loadYamlSuites(
    names.map((name) => join(folder, name)),
    { ...contextOf(folder), ...context },
  );
  return {
    folder,
    suites,
    problems: problems.map(formatProblem),
    all: problems,
    cases: suites.flatMap(casesOf),
  };
}

export function contextOf(folder: string): YamlContext {
  return {
    projectRoot: folder,
    display: (path) => relative(folder, path),
    graders: fakeShelf(),
    targets: new Set(['judge', 'gpt4_target']),
    hasJudge: true,
  };
}

export function casesOf({ cases }: Suite): readonly TestCase[] {
  return Array.from({ length: cases.length }, (_, index) => cases.at(index));
}

const value = z.union([z.string(), z.number()], { error: 'expected a text or a number' }).transform(String);

const judged = { prompt: z.string().optional(), judge: z.string().optional() };

const plugins: readonly GraderPlugin<never>[] = [
  plugin('contains', z.strictObject({ value, ignore_case: z.boolean().optional() }), {
    nameOf: (config) => `contains-${String(config['value']).slice(0, 30)}`,
  }),
  plugin('regex', z.strictObject({ value: z.string(), flags: z.string().optional() }), {
    nameOf: (config) => `regex-${String(config['value']).slice(0, 30)}`,
  }),
  plugin('is_json', z.strictObject({ fenced: z.boolean().optional() }), {}),
  plugin('equals', z.strictObject({ value: z.json().optional() }), {
    readsReference: (config) => config['value'] === undefined,
  }),
  plugin('latency', z.strictObject({ threshold: z.number() }), {}),
  plugin('check', z.strictObject({ file: z.string(), options: z.looseObject({}).optional() }), {
    files: (config) => [String(config['file'])],
  }),
  plugin('llm_judge', z.strictObject(judged), {
    readsCriteria: (config) => config['prompt'] === undefined,
    asksJudge: () => true,
    files: (config) => (String(config['prompt'] ?? '').endsWith('.md') ? [String(config['prompt'])] : []),
    fileFaults: () => [],
    fileVars: (content) => templateNames(content).filter((name) => name.startsWith('vars.')),
    notYet: 'the next release',
  }),
  plugin(
    'rubrics',
    z.strictObject({
      criteria: z
        .array(
          z.union([
            z.string(),
            z.strictObject({ id: z.string(), outcome: z.string(), weight: z.number().default(1) }),
          ]),
        )
        .min(1),
    }),
    { asksJudge: () => true },
  ),
  plugin(
    'composite',
    z.strictObject({
      assert: z.array(z.looseObject({})).min(1),
      aggregator: z
        .discriminatedUnion('type', [
          z.strictObject({ type: z.literal('min') }),
          z.strictObject({ type: z.literal('threshold'), value: z.number() }),
          z.strictObject({ type: z.literal('llm_judge'), ...judged }),
        ])
        .default({ type: 'min' }),
    }),
    {
      members: (config) => config['assert'] as readonly JsonObject[],
      asksJudge: (config) => (config['aggregator'] as JsonObject)['type'] === 'llm_judge',
    },
  ),
];

export const fakeGraders: ReadonlyMap<string, GraderPlugin> = new Map(
  plugins.map((each) => [each.type, each as unknown as GraderPlugin]),
);

/** On which nothing is that was not loaded. */
function fakeShelf(): PartShelf<GraderPlugin> {
  const loaded = new Map<string, GraderPlugin>();
  return {
    get: (type) => loaded.get(type),
    keys: () => loaded.keys(),
    async load(types) {
      for (const type of types) {
        const found = fakeGraders.get(type);
        if (found !== undefined) loaded.set(type, found);
        if (found?.members === undefined && found !== undefined) continue;
        for (const [each, part] of fakeGraders) loaded.set(each, part);
      }
    },
  };
}

type Hooks = Partial<Omit<GraderPlugin<JsonObject>, 'type' | 'config' | 'create'>>;

function plugin(type: string, config: z.ZodType, hooks: Hooks): GraderPlugin<never> {
  return {
    type,
    version: 1,
    summary: `Fake ${type}.`,
    config: config as z.ZodType<never>,
    create: () => ({ grade: async () => [] }),
    ...(hooks as object),
  };
}
