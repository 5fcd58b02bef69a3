/** A value of an option; `true`: the option has no value. */
export type OptionValue = string | true;

/** One way to read the arguments of a command. */
export interface Reading {
  readonly positionals: readonly string[];
  /** By name, with dashes. */
  readonly options: ReadonlyMap<string, readonly OptionValue[]>;
  /** Whether the last positionals come after `--`. */
  readonly hasEndOfOptions: boolean;
}

/** Maximum number of words that may be option values or positionals; further ones are read as values. */
const MOST_UNDECIDED = 12;

/** All ways to read arguments: a word after an option is its value in one reading and a positional in another. */
export function* readingsOf(args: readonly string[]): Generator<Reading> {
  const items = itemsOf(args);
  const undecided = items.filter(({ kind }) => kind === 'undecided').length;
  const free = Math.min(undecided, MOST_UNDECIDED);
  for (let choice = 0; choice < 2 ** free; choice++)
    yield reading(items, (index) => index >= free || (choice >> index) % 2 === 0);
}

/** The reading in which such words are positionals. */
export function plainReading(args: readonly string[]): Reading {
  return reading(itemsOf(args), () => false);
}

type Item =
  | { readonly kind: 'positional'; readonly text: string }
  | { readonly kind: 'option'; readonly name: string; readonly value: OptionValue }
  /** Comes directly after an option. */
  | { readonly kind: 'undecided'; readonly text: string }
  | { readonly kind: 'end of options' };

function itemsOf(args: readonly string[]): readonly Item[] {
  const items: Item[] = [];
  for (const [index, word] of args.entries()) {
    if (word === '--')
      return [...items, { kind: 'end of options' }, ...args.slice(index + 1).map(positional)];
    const last = items.at(-1);
    const mayBeValue = last?.kind === 'option' && last.value === true;
    if (mayBeValue && (!isOption(word) || /^-[\d.]/.test(word)))
      items.push({ kind: 'undecided', text: word });
    else if (isOption(word)) items.push(...optionsIn(word));
    else items.push(positional(word));
  }
  return items;
}

function isOption(word: string): boolean {
  return word.startsWith('-') && word !== '-';
}

function positional(text: string): Item {
  return { kind: 'positional', text };
}

function optionsIn(word: string): readonly Item[] {
  const option = (name: string, value: OptionValue): Item => ({ kind: 'option', name, value });
  if (word.startsWith('--')) {
    const equals = word.indexOf('=');
    return [equals === -1 ? option(word, true) : option(word.slice(0, equals), word.slice(equals + 1))];
  }
  const [, letters = '', rest = ''] = /^-([A-Za-z]+)(.*)$/s.exec(word) ?? [];
  if (letters === '') return [option(word, true)];
  const flags = [...letters];
  const last = flags.pop() ?? '';
  return [
    ...flags.map((letter) => option(`-${letter}`, true)),
    option(`-${last}`, rest === '' ? true : rest.replace(/^=/, '')),
  ];
}

function reading(items: readonly Item[], isValue: (index: number) => boolean): Reading {
  const positionals: string[] = [];
  const options = new Map<string, OptionValue[]>();
  let undecided = 0;
  let last: OptionValue[] = [];
  let hasEndOfOptions = false;
  for (const item of items) {
    if (item.kind === 'option') {
      last = options.get(item.name) ?? [];
      last.push(item.value);
      options.set(item.name, last);
    } else if (item.kind === 'undecided' && isValue(undecided++)) {
      last[last.length - 1] = item.text;
    } else if (item.kind === 'end of options') {
      hasEndOfOptions = true;
    } else {
      positionals.push(item.text);
    }
  }
  return { positionals, options, hasEndOfOptions };
}
