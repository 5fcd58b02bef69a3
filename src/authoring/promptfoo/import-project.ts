import { given } from '../../lib/given.ts';
import { isObject } from '../../lib/json.ts';
import { checkOptions } from './check-options.ts';
import { importChecks, MODEL_GRADED } from './checks.ts';
import { enclosingVars } from './enclosing.ts';
import { noteOthers, type Importing, type Mapping } from './notes.ts';
import { importPrompts, type ImportedPrompt } from './prompts.ts';
import { importProviders } from './providers.ts';
import { importedTargets } from './targets.ts';
import { namesIn } from './template-vars.ts';
import {
  importScenarios,
  importTests,
  withIds,
  readVars,
  type ImportedTest,
  type ImportedTests,
} from './tests.ts';

/** A config and an eval of assay, as plain data. */
export interface ImportedProject {
  readonly config: Readonly<Record<string, unknown>>;
  readonly suite: Readonly<Record<string, unknown>>;
}

/** Converts a config of promptfoo. What it does not convert is noted. */
export function importProject(written: Mapping, importing: Importing): ImportedProject {
  noteOthers(written, KEYS, { path: [], importing, hints: HINTS });
  const { description, derivedMetrics, defaultTest } = written;
  const providerKey = written['targets'] === undefined ? 'providers' : 'targets';
  const providers = importProviders(written[providerKey] ?? [], providerKey, importing);
  const prompts = importPrompts(written['prompts'] ?? ['{{prompt}}'], importing);
  const defaults = importDefaults(defaultTest, importing);
  const place = { importing, options: defaults.options };
  const tests = withIds([
    ...importTests(written['tests'] ?? [], { ...place, path: ['tests'] }),
    ...importScenarios(written['scenarios'], { ...place, path: ['scenarios'] }),
  ]);
  const { config, input, targets } = importedTargets(providers, prompts, importing);
  const suite = {
    ...given({ description: typeof description === 'string' ? description : undefined }),
    ...given({ execution: targets === undefined ? undefined : { targets } }),
    input,
    threshold: defaults.threshold ?? 1,
    ...given({ vars: defaultVars(defaults.vars, prompts, tests) }),
    ...(defaults.assert.length === 0 ? {} : { assert: defaults.assert }),
    ...given({ metadata: defaults.metadata, derived_metrics: formulasOf(derivedMetrics, importing) }),
    tests: suiteTests(tests, defaults.assert.length > 0),
  };
  const judge = needsJudge([defaults, ...tests]) ? chosenJudge(defaults.options.judge, importing) : {};
  return { config: { ...config, ...judge, ...runOf(written, importing) }, suite };
}

const KEYS = [
  '$schema',
  'description',
  'prompts',
  'providers',
  'targets',
  'tests',
  'scenarios',
  'defaultTest',
  'evaluateOptions',
  'commandLineOptions',
  'outputPath',
  'derivedMetrics',
];

const HINTS = {
  env: 'put the variables into `.env` next to the config',
  sharing: 'use `assay serve` to share results',
  extensions: 'use `workspace.setup` and `workspace.teardown` of the eval',
  nunjucksFilters: 'put the final value into a variable of the test',
  redteam: 'write the attacks as tests: see docs/guide/protection.md',
};

function importDefaults(written: unknown, importing: Importing) {
  const path = ['defaultTest'];
  const found = isObject(written) ? written : {};
  if (written !== undefined && !isObject(written))
    importing.note(
      path,
      `the default test in ${String(written)} is not imported`,
      'write it into the config',
    );
  const { vars, assert, threshold, metadata, options, ...rest } = found;
  noteOthers(rest, ['description'], { path, importing });
  const place = { path: [...path, 'options'], importing };
  const own = checkOptions(options, place);
  return {
    options: own,
    vars: { ...readVars(vars, [...path, 'vars'], importing), ...enclosingVars(options, place) },
    assert: importChecks(assert, own, { path: [...path, 'assert'], importing }),
    threshold: typeof threshold === 'number' ? threshold : undefined,
    metadata: isObject(metadata) ? metadata : undefined,
  };
}

/** In promptfoo, a variable that a test does not have is empty. */
function defaultVars(
  vars: Readonly<Record<string, unknown>>,
  prompts: readonly ImportedPrompt[],
  tests: ImportedTests,
): Readonly<Record<string, unknown>> | undefined {
  const own = tests.filter((test) => typeof test !== 'string');
  const texts = prompts.flatMap(({ content }) =>
    typeof content === 'string' ? content : content.map((message) => message.content),
  );
  const read = texts.flatMap(namesIn);
  const missing = read.filter((name) => own.some((test) => !Object.hasOwn({ ...vars, ...test.vars }, name)));
  const all = { ...Object.fromEntries(missing.map((name) => [name, ''])), ...vars };
  return Object.keys(all).length === 0 ? undefined : all;
}

/** One table alone needs no list. */
function suiteTests(tests: ImportedTests, hasDefaults: boolean): unknown {
  const [only] = tests;
  if (tests.length === 1 && typeof only === 'string') return only.replace(/^file:\/\//, '');
  const found: ImportedTests = tests.length === 0 ? [{ id: 'test-1' }] : tests;
  if (hasDefaults) return found;
  return found.map((test) =>
    typeof test === 'string' ? test : { ...test, assert: test.assert ?? [ALWAYS] },
  );
}

/** In promptfoo, a test without checks passes. */
const ALWAYS = { type: 'javascript', value: 'true' };

/** promptfoo chooses a model by itself. */
function chosenJudge(
  named: string | undefined,
  importing: Importing,
): { readonly judge: { readonly model: string } } {
  const model = named ?? 'openai/gpt-5';
  if (named === undefined)
    importing.note(
      [],
      `no model for the checks by a model is named: ${model} was chosen`,
      'change `judge` in assay.config.yaml',
    );
  return { judge: { model } };
}

function needsJudge(tests: readonly (string | Partial<ImportedTest>)[]): boolean {
  const text = JSON.stringify(tests);
  return [...MODEL_GRADED].some((type) => text.includes(`"type":"${type}"`));
}

function formulasOf(written: unknown, importing: Importing): Readonly<Record<string, string>> | undefined {
  if (!Array.isArray(written)) return undefined;
  const formulas = written.flatMap((each: unknown, index): readonly [string, string][] => {
    if (isObject(each) && typeof each['name'] === 'string' && typeof each['value'] === 'string')
      return [[each['name'], each['value']]];
    importing.note(['derivedMetrics', index], 'this derived metric is not imported: it is not a formula');
    return [];
  });
  return formulas.length === 0 ? undefined : Object.fromEntries(formulas);
}

function runOf(written: Mapping, importing: Importing): { readonly run?: object } {
  const run: Record<string, unknown> = {};
  for (const key of ['evaluateOptions', 'commandLineOptions']) {
    const options = written[key];
    if (!isObject(options)) continue;
    if (typeof options['maxConcurrency'] === 'number') run['concurrency'] = options['maxConcurrency'];
    if (typeof options['repeat'] === 'number') run['repeat'] = options['repeat'];
    if (options['cache'] === true) run['cache'] = true;
    noteOthers(options, ['maxConcurrency', 'repeat', 'cache', 'showProgressBar', 'table'], {
      path: [key],
      importing,
    });
  }
  const paths: readonly unknown[] = [written['outputPath'] ?? []].flat();
  const reporters = paths.flatMap((path) => {
    const [, kind = ''] = /\.(html|json|xml)$/.exec(String(path)) ?? [];
    if (kind !== '') return [`${kind === 'xml' ? 'junit' : kind}=${String(path)}`];
    importing.note(
      ['outputPath'],
      `the report ${String(path)} is not imported`,
      'use a path that ends with .html, .json or .xml',
    );
    return [];
  });
  if (reporters.length > 0) run['reporter'] = reporters;
  return Object.keys(run).length === 0 ? {} : { run };
}
