import { leafFits, type CommandShape } from '../lib/shell/command-shape.ts';
import { leavesOf, type Leaf } from '../lib/shell/leaves.ts';
import { plainReading, type OptionValue } from '../lib/shell/readings.ts';
import { checkMatcher, equals, isMatcher, matcherShown, type Matcher } from './matcher.ts';
import { givenShown } from './given.ts';

/** The expected value of an option; `true`: the option has no value. */
export type OptionMatcher = Matcher | true;

/** The parts of a command; texts must be equal. */
export interface StructuredCommandMatcher {
  executable?: Matcher;
  /** In this order; other arguments may be between them. */
  positionals?: Matcher[];
  /** By name, with dashes. */
  options?: Record<string, OptionMatcher | OptionMatcher[]>;
  /** Requires `--`. */
  endOfOptions?: boolean;
  /** An alias of `strict`. */
  exact?: boolean;
  /** Nothing else is allowed in the command. */
  strict?: boolean;
}

/** What a command can be matched with. */
export type CommandMatcher = Matcher | StructuredCommandMatcher | CommandMatcherBuilder;

/** Builds a command matcher step by step. */
export function commandMatcher(executable?: Matcher): CommandMatcherBuilder {
  const builder = new CommandMatcherBuilder();
  return executable === undefined ? builder : builder.executable(executable);
}

const BUILDER = Symbol.for('assay.command-matcher');

/** Published as a class; every method changes it and returns it. */
export class CommandMatcherBuilder {
  readonly [BUILDER] = true;
  readonly #wanted: StructuredCommandMatcher = {};

  executable(matcher: Matcher): this {
    checkMatcher(matcher);
    this.#wanted.executable = matcher;
    return this;
  }

  arg(matcher: Matcher): this {
    return this.args(matcher);
  }

  args(...matchers: Matcher[]): this {
    for (const matcher of matchers) checkMatcher(matcher);
    (this.#wanted.positionals ??= []).push(...matchers);
    return this;
  }

  option(name: string, value: OptionMatcher = true): this {
    checkOption(name, [value]);
    const options = (this.#wanted.options ??= {});
    const before = Object.hasOwn(options, name) ? listed(options[name] ?? []) : [];
    options[name] = [...before, value];
    return this;
  }

  flag(name: string): this {
    return this.option(name, true);
  }

  endOfOptions(): this {
    this.#wanted.endOfOptions = true;
    return this;
  }

  exact(): this {
    return this.strict();
  }

  strict(): this {
    this.#wanted.strict = true;
    return this;
  }

  build(): StructuredCommandMatcher {
    return structuredClone(this.#wanted);
  }
}

/** A valid command matcher in its common form. */
export type ReadCommandMatcher =
  | { readonly kind: 'text'; readonly matcher: Matcher; readonly shown: string }
  | { readonly kind: 'structured'; readonly shape: CommandShape; readonly shown: string };

/** Reads any command matcher. Throws a TypeError for an invalid one. */
export function readCommandMatcher(value: unknown): ReadCommandMatcher {
  if (isMatcher(value)) return { kind: 'text', matcher: value, shown: matcherShown(value) };
  const wanted = isBuilder(value) ? value.build() : value;
  checkStructured(wanted);
  return { kind: 'structured', shape: shapeOf(wanted), shown: structuredShown(wanted) };
}

/** How a command line was read: its leaves, with possible option values as positionals. */
export function readingShown(text: string): string {
  return leavesOf(text).map(leafShown).join(' and ');
}

function isBuilder(value: unknown): value is CommandMatcherBuilder {
  return typeof value === 'object' && value !== null && BUILDER in value;
}

const KEYS: ReadonlySet<string> = new Set([
  'executable',
  'positionals',
  'options',
  'endOfOptions',
  'exact',
  'strict',
]);

function checkStructured(value: unknown): asserts value is StructuredCommandMatcher {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TypeError(
      `expected a text, a RegExp or a structured command matcher, got ${givenShown(value)}`,
    );
  }
  const wanted = value as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(wanted).find((key) => !KEYS.has(key));
  if (unknown !== undefined)
    throw new TypeError(`unknown key ${unknown} in a command matcher; known: ${[...KEYS].join(', ')}`);
  const { executable, positionals = [], options = {} } = wanted;
  if (executable !== undefined) checkMatcher(executable);
  if (!Array.isArray(positionals))
    throw new TypeError(`positionals: expected a list, got ${givenShown(positionals)}`);
  for (const matcher of positionals) checkMatcher(matcher);
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new TypeError(`options: expected a mapping, got ${givenShown(options)}`);
  for (const [name, values] of Object.entries(options)) checkOption(name, listed(values));
  for (const key of ['endOfOptions', 'exact', 'strict']) {
    const flag = wanted[key];
    if (flag !== undefined && typeof flag !== 'boolean')
      throw new TypeError(`${key}: expected true or false, got ${givenShown(flag)}`);
  }
}

function checkOption(name: unknown, values: readonly unknown[]): void {
  if (typeof name !== 'string' || !name.startsWith('-'))
    throw new TypeError(`expected an option name with dashes, such as "--watch", got ${givenShown(name)}`);
  for (const value of values) if (value !== true) checkMatcher(value);
}

function listed<T>(value: T | T[]): T[] {
  return Array.isArray(value) ? value : [value];
}

function shapeOf(wanted: StructuredCommandMatcher): CommandShape {
  const test = (matcher: Matcher) => (word: string) => equals(matcher, word);
  const { executable, positionals = [], options = {} } = wanted;
  return {
    ...(executable === undefined ? {} : { executable: test(executable) }),
    positionals: positionals.map(test),
    options: new Map(
      Object.entries(options).map(([name, values]) => [
        name,
        listed(values).map((value) => (value === true ? true : test(value))),
      ]),
    ),
    needsEndOfOptions: wanted.endOfOptions === true,
    isStrict: wanted.strict === true || wanted.exact === true,
  };
}

/** Whether a structured matcher matches a leaf or a wrapper around it. */
export function fitsLeaf(
  { shape }: Extract<ReadCommandMatcher, { kind: 'structured' }>,
  leaf: Leaf,
): boolean {
  return leafFits(leaf, shape);
}

function structuredShown(wanted: StructuredCommandMatcher): string {
  const { executable, positionals, options, endOfOptions } = wanted;
  const parts = [
    ...(executable === undefined ? [] : [`executable=${matcherShown(executable)}`]),
    ...(positionals === undefined ? [] : [`positionals=[${positionals.map(matcherShown).join(', ')}]`]),
    ...(options === undefined
      ? []
      : [
          `options=${optionsShown(
            Object.entries(options).map(([name, values]) => [name, listed(values).map(optionShown)]),
          )}`,
        ]),
    ...(endOfOptions === true ? ['endOfOptions'] : []),
    ...(wanted.strict === true || wanted.exact === true ? ['strict'] : []),
  ];
  return `(${parts.join(', ')})`;
}

function leafShown({ command }: Leaf): string {
  const { positionals, options, hasEndOfOptions } = plainReading(command.args);
  const parts = [
    `executable=${JSON.stringify(command.executable)}`,
    ...(positionals.length === 0
      ? []
      : [`positionals=[${positionals.map((word) => JSON.stringify(word)).join(', ')}]`]),
    ...(options.size === 0
      ? []
      : [`options=${optionsShown([...options].map(([name, values]) => [name, values.map(optionShown)]))}`]),
    ...(hasEndOfOptions ? ['endOfOptions'] : []),
    ...(command.incomplete === true ? ['incomplete'] : []),
  ];
  return `(${parts.join(', ')})`;
}

function optionsShown(options: readonly (readonly [string, readonly string[]])[]): string {
  return `{${options.map(([name, values]) => `${name}: [${values.join(', ')}]`).join(', ')}}`;
}

function optionShown(value: OptionMatcher | OptionValue): string {
  return value === true ? '<flag>' : matcherShown(value);
}
