import { shellQuote } from '../../lib/process/shell-quote.ts';
import { nearest } from '../../lib/text/suggest.ts';
import type { Command } from '../program-path.ts';

export const PLACEHOLDERS = [
  'PROMPT',
  'PROMPT_FILE',
  'FILES',
  'OUTPUT_FILE',
  'TEST_ID',
  'ATTEMPT',
  'WORKSPACE',
  'MESSAGES_FILE',
  'MCP_CONFIG',
] as const;

export type Placeholder = (typeof PLACEHOLDERS)[number];

/** The value of each placeholder; only `FILES` is a list. */
export type PlaceholderValues = Readonly<Partial<Record<Placeholder, string | readonly string[]>>>;

/** Matches `{UPPER}`, but not `${UPPER}` of a shell. */
const PATTERN = /(?<!\$)\{([A-Z][A-Z0-9_]*)\}/g;

/**
 * Placeholders as other tools write them: `{{ prompt }}` anywhere, and `{prompt}` as a word of its own. Elsewhere single
 * braces can belong to a program, such as `jq '{prompt}'`.
 */
const FOREIGN = /(?<!\$)\{\{\s*([A-Za-z_]+)\s*\}\}|(?<=^|[\s"])\{([a-z_]+)\}(?=$|[\s"])/g;

/** What other tools call the prompt. */
const PROMPT_NAMES: ReadonlySet<string> = new Set(['INPUT', 'QUESTION', 'QUERY', 'MESSAGE']);

/** Unknown placeholders of a text, each with a suggestion. */
export function unknownPlaceholders(text: string): readonly string[] {
  const unknown = namesIn(text)
    .filter((name) => !isPlaceholder(name))
    .map((name) => {
      const meant = nearest(name, PLACEHOLDERS);
      const hint = meant === undefined ? `known: ${PLACEHOLDERS.join(' ')}` : `did you mean {${meant}}?`;
      return `unknown placeholder {${name}}; ${hint}`;
    });
  const foreign = [...text.matchAll(FOREIGN)].flatMap(([written, twice, once]) => {
    const name = (twice ?? once ?? '').toUpperCase();
    const meant = PROMPT_NAMES.has(name) ? 'PROMPT' : name;
    return isPlaceholder(meant) ? [`unknown placeholder ${written}; did you mean {${meant}}?`] : [];
  });
  return [...unknown, ...foreign];
}

export function placeholdersIn(text: string): readonly { readonly name: Placeholder; readonly at: number }[] {
  return [...text.matchAll(PATTERN)].flatMap(({ 1: name = '', index }) =>
    isPlaceholder(name) ? [{ name, at: index }] : [],
  );
}

export function placeholdersOf(command: Command): ReadonlySet<Placeholder> {
  const texts = typeof command === 'string' ? [command] : command;
  return new Set(texts.flatMap(namesIn).filter(isPlaceholder));
}

/** The variable with the prompt, for commands in which a placeholder would be run as code. */
export const PROMPT_VARIABLE = 'ASSAY_PROMPT';

export function namesPromptVariable(command: Command): boolean {
  const texts = typeof command === 'string' ? [command] : command;
  return texts.some((text) => /\bASSAY_PROMPT\b/.test(text));
}

/** The command with its values, for `runProcess`; values are quoted for a shell. */
export function filledCommand(
  command: Command,
  values: PlaceholderValues,
): readonly string[] | { readonly shell: string } {
  if (typeof command === 'string') return { shell: replaced(command, values, shellQuote) };
  return command.flatMap((argument) =>
    argument === '{FILES}' ? (values.FILES ?? []) : [replaced(argument, values, (text) => text)],
  );
}

function replaced(text: string, values: PlaceholderValues, quote: (text: string) => string): string {
  return text.replaceAll(PATTERN, (whole, name: string) => {
    const value = isPlaceholder(name) ? values[name] : undefined;
    if (value === undefined) return whole;
    if (typeof value !== 'string') return value.map(quote).join(' ');
    // Allowed inside quotes, where further quotes would become part of the value.
    return name === 'ATTEMPT' ? value : quote(value);
  });
}

function namesIn(text: string): string[] {
  return [...text.matchAll(PATTERN)].map(([, name = '']) => name);
}

function isPlaceholder(name: string): name is Placeholder {
  return (PLACEHOLDERS as readonly string[]).includes(name);
}
