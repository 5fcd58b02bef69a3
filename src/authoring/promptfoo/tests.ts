import { given } from '../../lib/given.ts';
import { isObject } from '../../lib/json.ts';
import type { Path } from '../yaml/fault.ts';
import { parseYaml } from '../yaml/parse-yaml.ts';
import { importChecks, type CheckOptions } from './checks.ts';
import { checkOptions } from './check-options.ts';
import { enclosingVars } from './enclosing.ts';
import { noteOthers, type Importing, type Mapping } from './notes.ts';
import { renamedIn } from './template-vars.ts';

/** Tests as a suite has them: tests, and `file://` with tables. */
export type ImportedTests = readonly (string | ImportedTest)[];

export interface ImportedTest {
  readonly id: string;
  readonly vars?: Readonly<Record<string, unknown>>;
  readonly assert?: readonly Mapping[];
  readonly [key: string]: unknown;
}

interface TestPlace {
  readonly path: Path;
  readonly importing: Importing;
  /** What `defaultTest` says about all checks. */
  readonly options: CheckOptions;
}

/** Gives each test an id of its own. */
export function withIds(found: ImportedTests): ImportedTests {
  const taken = new Set<string>();
  return found.map((test, index) => {
    if (typeof test === 'string') return test;
    const wanted = test.id === '' ? `test-${index + 1}` : test.id;
    const id = taken.has(wanted) ? `${wanted}-${index + 1}` : wanted;
    taken.add(id);
    return { ...test, id };
  });
}

/** The tests of `scenarios`: each of its variables with each of its tests. */
export function importScenarios(written: unknown, place: TestPlace): ImportedTests {
  const list: readonly unknown[] = Array.isArray(written) ? written : [];
  return list.flatMap((each, index) => {
    const path = [...place.path, index];
    if (!isObject(each)) {
      place.importing.note(path, 'this scenario is not imported: it is not a mapping');
      return [];
    }
    const configs: readonly unknown[] = Array.isArray(each['config']) ? each['config'] : [{}];
    noteOthers(each, ['config', 'tests', 'description'], { path, importing: place.importing });
    return configs.flatMap((config) => {
      const vars = isObject(config) && isObject(config['vars']) ? config['vars'] : {};
      return importTests(each['tests'], { ...place, path: [...path, 'tests'] }).map((test) =>
        typeof test === 'string' ? test : { ...test, vars: { ...vars, ...test.vars } },
      );
    });
  });
}

/** The tests of a config and of the files that it names. Some have no id yet. */
export function importTests(written: unknown, place: TestPlace): ImportedTests {
  const list: readonly unknown[] = Array.isArray(written) ? written : [written];
  return list.flatMap((each, index) => {
    const path = Array.isArray(written) ? [...place.path, index] : place.path;
    if (typeof each === 'string') return testsInFiles(each, { ...place, path });
    if (isObject(each) && typeof each['path'] === 'string')
      return testsInFiles(each['path'], { ...place, path });
    if (isObject(each)) return testsOf(each, { ...place, path });
    if (each !== undefined) place.importing.note(path, 'this test is not imported: it is not a mapping');
    return [];
  });
}

function testsInFiles(named: string, place: TestPlace): ImportedTests {
  const { path, importing } = place;
  const pattern = named.replace(/^file:\/\//, '');
  return importing.filesOf(pattern).flatMap((file): ImportedTests => {
    if (file.endsWith('.csv')) return [`file://${importing.moved(file)}`];
    const text = /\.(?:ya?ml|json|jsonl)$/.test(file) ? importing.readText(file) : undefined;
    if (text === undefined) {
      importing.note(path, `the tests in ${named} are not imported`, 'save them as CSV, YAML or JSON');
      return [];
    }
    const parts = file.endsWith('.jsonl') ? text.split('\n').filter((line) => line.trim() !== '') : [text];
    return parts.flatMap((part) => {
      const parsed = parseYaml(part, 'aliases');
      if ('value' in parsed)
        return importTests(parsed.value, { ...place, importing: elsewhere(importing, path, file) });
      importing.note(path, `the tests in ${file} are not imported: ${parsed.failure.reason}`);
      return [];
    });
  });
}

/** Notes about a file, at the place that names it. */
function elsewhere(importing: Importing, path: Path, file: string): Importing {
  return {
    ...importing,
    note: (inner, message, hint) =>
      importing.note(path, `${file}, ${inner.slice(path.length).join('.')}: ${message}`, hint),
  };
}

function testsOf(
  written: Mapping,
  { path, importing, options: inherited }: TestPlace,
): readonly ImportedTest[] {
  const { description, vars, assert, threshold, metadata, options } = written;
  noteOthers(written, KEYS, { path, importing, hints: HINTS });
  const place = { path: [...path, 'options'], importing };
  const own = checkOptions(options, place);
  const checks = importChecks(assert, { ...inherited, ...own }, { path: [...path, 'assert'], importing });
  const rest = given({
    description: typeof description === 'string' ? description : undefined,
    assert: checks.length === 0 ? undefined : checks,
    threshold,
    metadata: isObject(metadata) ? metadata : undefined,
  });
  const id = typeof description === 'string' ? slug(description) : '';
  const around = enclosingVars(options, place);
  return combinations({ ...readVars(vars, [...path, 'vars'], importing), ...around }).map((values) => ({
    id,
    ...(Object.keys(values).length === 0 ? {} : { vars: values }),
    ...rest,
  }));
}

const KEYS = ['description', 'vars', 'assert', 'threshold', 'metadata', 'options'];
const HINTS = {
  provider: 'use `execution: { target: NAME }` in the test',
  providers: 'use `execution: { targets: [...] }` in the test',
  prompts: 'use `execution: { targets: [...] }` in the test',
  assertScoringFunction: 'use a `composite` with the aggregator `code_judge`',
};

function slug(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60);
}

/** Variables of a test; texts may be in files. */
export function readVars(
  written: unknown,
  path: Path,
  importing: Importing,
): Readonly<Record<string, unknown>> {
  if (typeof written === 'string') {
    importing.note(path, `the variables in ${written} are not imported`, 'write them into the test');
    return {};
  }
  if (!isObject(written)) return {};
  return Object.fromEntries(
    Object.entries(written).map(([name, value]) => [name, readVar(value, [...path, name], importing)]),
  );
}

function readVar(value: unknown, path: Path, importing: Importing): unknown {
  if (typeof value !== 'string' || !value.startsWith('file://')) return renamedIn(value, path, importing);
  const text = /\.(?:txt|md)$/.test(value) ? importing.readText(value.slice('file://'.length)) : undefined;
  if (text === undefined)
    importing.note(path, `the variable in ${value} is not imported`, 'write its text here');
  return text?.replace(/\r?\n$/, '') ?? value;
}

/** As in promptfoo, a list of values makes a test of each of them. */
function combinations(vars: Readonly<Record<string, unknown>>): readonly Readonly<Record<string, unknown>>[] {
  return Object.entries(vars).reduce<readonly Readonly<Record<string, unknown>>[]>(
    (rows, [name, value]) =>
      rows.flatMap((row) =>
        (Array.isArray(value) ? value : [value]).map((each: unknown) => ({ ...row, [name]: each })),
      ),
    [{}],
  );
}
