import { given } from '../../lib/given.ts';
import { isObject } from '../../lib/json.ts';
import type { Path } from '../yaml/fault.ts';
import type { Importing } from './notes.ts';
import type { ImportedProvider } from './providers.ts';
import { renamedIn } from './template-vars.ts';

/** The variables of a test for `prefix` and `suffix` in its `options`. */
export function enclosingVars(
  options: unknown,
  { path, importing }: { readonly path: Path; readonly importing: Importing },
): Readonly<Record<string, unknown>> {
  if (!isObject(options)) return {};
  const textOf = (key: string) => renamedIn(options[key], [...path, key], importing);
  return given({ __prefix: textOf('prefix'), __suffix: textOf('suffix') });
}

/** Where tests may have texts around their prompts. */
interface EnclosedTests {
  /** The tests and their defaults, as imported. */
  readonly imported: unknown;
  /** The value of `tests`, which may name tables. */
  readonly written: unknown;
}

/** Notes the agents that get several prompts, but not the texts that tests put around prompts. */
export function noteEnclosed(
  tests: EnclosedTests,
  providers: readonly ImportedProvider[],
  importing: Importing,
): void {
  const others = providers.filter(({ target }) => target['type'] !== 'model' && target['type'] !== 'mock');
  if (others.length === 0 || !isEnclosed(tests, importing)) return;
  const names = others.map(({ name }) => `\`${name}\``).join(', ');
  const its = others.length === 1 ? 'gets its prompts' : 'get their prompts';
  importing.note(
    ['prompts'],
    `only prompts for models get \`prefix\` and \`suffix\`: ${names} ${its} without them`,
    'write these texts into the prompts',
  );
}

function isEnclosed({ imported, written }: EnclosedTests, importing: Importing): boolean {
  const hasTexts = (text: string): boolean => /\b__(?:prefix|suffix)\b/.test(text);
  const list: readonly unknown[] = Array.isArray(written) ? written : [written];
  const named = list.map((each) => String(isObject(each) ? each['path'] : each).replace(/^file:\/\//, ''));
  const tables = named
    .filter((path) => path.endsWith('.csv'))
    .flatMap((path) => importing.filesOf(path))
    .map((file) => importing.readText(file) ?? '');
  return hasTexts(JSON.stringify(imported)) || tables.some(hasTexts);
}
