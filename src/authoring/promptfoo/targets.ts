import { given } from '../../lib/given.ts';
import { jsonEqual, type JsonValue } from '../../lib/json.ts';
import { freeName } from '../../lib/text/free-name.ts';
import type { Importing } from './notes.ts';
import { promptKeys, promptVariants, valueOf, type PromptVariant } from './prompt-variants.ts';
import type { ImportedPrompt } from './prompts.ts';
import type { ImportedProvider } from './providers.ts';

/** The targets of providers and prompts, and the question of all tests. */
export interface ImportedTargets {
  readonly config: Readonly<Record<string, unknown>>;
  readonly input: string | readonly object[];
  /** Names of the targets, if the eval must list them. */
  readonly targets?: readonly string[];
}

/** One prompt is the question itself. Several are variants: most are the user's message to the model. */
export function importedTargets(
  written: readonly ImportedProvider[],
  prompts: readonly ImportedPrompt[],
  importing: Importing,
): ImportedTargets {
  const providers = written.length === 0 ? [PLACEHOLDER] : written;
  const { varied, input } = promptVariants(prompts, importing);
  const settings = Object.assign({}, ...providers.map((each) => each.models ?? {})) as object;
  const shared = Object.keys(settings).length === 0 ? {} : { models: settings };
  const { same, rest } = grouped(providers);
  if (varied.length > 0) noteVaried(rest, importing);
  const others = separate(rest, varied);
  if (same === undefined) return namedTargets(others, { input, shared });
  const { base, name, rows } = same;
  const asked = promptKeys(varied, base['type'] === 'model');
  const over = { ...asked.over, ...rows?.over, ...asked.last };
  const include = rowsOfBoth(asked.include, rows?.include);
  const variants =
    Object.keys(over).length === 0 ? {} : { variants: { base: name, over, ...given({ include }) } };
  const targets = { [name]: { ...base, ...asked.target }, ...others };
  return namedTargets(targets, { input, shared: { ...variants, ...shared } });
}

function namedTargets(
  targets: Readonly<Record<string, unknown>>,
  { input, shared }: Pick<ImportedTargets, 'input'> & { readonly shared: object },
): ImportedTargets {
  const names = Object.keys(targets);
  return { config: { targets, ...shared }, input, ...(names.length > 1 ? { targets: names } : {}) };
}

type Row = Readonly<Record<string, string>>;

/** Each row of the one with each row of the other. A side is undefined if it has all combinations. */
function rowsOfBoth(
  left: readonly Row[] | undefined,
  right: readonly Row[] | undefined,
): readonly Row[] | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  return left.flatMap((row) => right.map((other) => ({ ...row, ...other })));
}

const PLACEHOLDER: ImportedProvider = {
  name: 'agent',
  target: { type: 'mock', response: 'This is a placeholder.' },
};

/** Models that can be variants of one target, or the only provider. The rest are targets of their own. */
function grouped(providers: readonly ImportedProvider[]): Grouped {
  const models = providers.filter(({ target }) => target['type'] === 'model');
  const [only, ...others] = providers;
  const same = sharedBase(only !== undefined && others.length === 0 ? providers : models);
  if (same === undefined) return { same, rest: providers };
  const rest = others.length === 0 ? [] : providers.filter(({ target }) => target['type'] !== 'model');
  const isTaken = rest.some(({ name }) => name === same.name);
  return isTaken ? { same: undefined, rest: providers } : { same, rest };
}

interface Grouped {
  readonly same: SharedBase | undefined;
  readonly rest: readonly ImportedProvider[];
}

/** What several prompts mean for providers that cannot be variants of one target. */
function noteVaried(rest: Grouped['rest'], importing: Importing): void {
  const own = rest.filter(({ target }) => target['type'] !== 'mock').map(({ name }) => `\`${name}\``);
  if (own.length > 0)
    importing.note(
      ['prompts'],
      `each prompt with ${own.join(', ')} is a target of its own: \`compare --by prompt\` cannot compare these targets`,
      'give the providers the same settings, or write `variants` for one of them: see docs/guide/variants.md',
    );
}

/** A target for one provider, or for several models that have the same keys. */
function sharedBase(providers: readonly ImportedProvider[]): SharedBase | undefined {
  const [first, ...others] = providers;
  if (first === undefined) return undefined;
  const { type, ...rest } = first.target;
  if (others.length === 0)
    return type === 'mock' ? undefined : { base: first.target, name: first.name, rows: undefined };
  if (rest['model'] === undefined) return undefined;
  const keys = Object.keys(rest);
  const isAlike = ({ target }: ImportedProvider): boolean =>
    target['type'] === type &&
    Object.keys(target).length === keys.length + 1 &&
    keys.every((key) => key in target);
  if (!others.every(isAlike)) return undefined;
  const rows = providerRows(providers, keys);
  return rows && { base: { type, ...rest }, name: 'model', rows };
}

interface SharedBase {
  readonly base: Readonly<Record<string, unknown>>;
  readonly name: string;
  readonly rows: ProviderRows | undefined;
}

/** The keys in which models differ, with all of their values, and which of the combinations are meant. */
interface ProviderRows {
  readonly over: Readonly<Record<string, unknown>>;
  /** Absent if all combinations are meant. */
  readonly include?: readonly Readonly<Record<string, string>>[];
}

/** Undefined: two providers are the same, or differ in a value that has no short name. */
function providerRows(
  providers: readonly ImportedProvider[],
  keys: readonly string[],
): ProviderRows | undefined {
  const valuesOf = (key: string): readonly unknown[] => [
    ...new Set(providers.map(({ target }) => target[key])),
  ];
  const differing = keys.filter(
    (key) =>
      !providers.every(({ target }) =>
        jsonEqual(target[key] as JsonValue, providers[0]?.target[key] as JsonValue),
      ),
  );
  const others = differing.filter((key) => key !== 'model');
  if (others.some((key) => valuesOf(key).some((value) => !['number', 'string'].includes(typeof value))))
    return undefined;
  const hasNames = valuesOf('model').length === providers.length;
  const nameIn = (key: string, { name, target }: ImportedProvider): string => {
    if (key !== 'model') return String(target[key]);
    return hasNames ? name : shortModel(target['model']);
  };
  const over = Object.fromEntries(
    differing.map((key) => {
      if (
        key === 'model' &&
        providers.every((each) => nameIn(key, each) === shortModel(each.target['model']))
      )
        return [key, valuesOf(key)];
      return [key, Object.fromEntries(providers.map((each) => [nameIn(key, each), each.target[key]]))];
    }),
  );
  const include = providers.map((each) =>
    Object.fromEntries(differing.map((key) => [key, nameIn(key, each)])),
  );
  if (new Set(include.map((row) => JSON.stringify(row))).size < providers.length) return undefined;
  const all = differing.reduce((count, key) => count * valuesOf(key).length, 1);
  return { over, ...(all > providers.length ? { include } : {}) };
}

function shortModel(model: unknown): string {
  return String(model).split('/').slice(1).join('/');
}

/** A target for each provider, and for each of its prompts. */
function separate(
  providers: readonly ImportedProvider[],
  prompts: readonly PromptVariant[],
): Readonly<Record<string, unknown>> {
  const targets: Record<string, unknown> = {};
  const add = (name: string, target: object): void => {
    targets[freeName(name, (each) => Object.hasOwn(targets, each))] = target;
  };
  for (const { name, target } of providers) {
    const isModel = target['type'] === 'model';
    if (prompts.length === 0 || target['type'] === 'mock') add(name, target);
    else
      for (const prompt of prompts)
        add(`${name}-${prompt.name}`, {
          ...target,
          ...promptKeys([prompt], isModel).target,
          prompt: valueOf(prompt, isModel),
        });
  }
  return targets;
}
