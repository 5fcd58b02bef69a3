import type { Importing } from './notes.ts';
import type { ImportedPrompt } from './prompts.ts';
import { namesIn } from './template-vars.ts';

/** A prompt among others: the message of the user, or a chat whose question the others share. */
export interface PromptVariant extends ImportedPrompt {
  readonly system?: string;
}

interface PromptVariants {
  /** Empty: there is one prompt, which is `input`. */
  readonly varied: readonly PromptVariant[];
  /** The question of all tests. */
  readonly input: string | readonly object[];
}

/** Several prompts are variants. Chats are among them if they differ only in their system prompt. */
export function promptVariants(prompts: readonly ImportedPrompt[], importing: Importing): PromptVariants {
  const [only, ...others] = prompts;
  if (only === undefined || others.length === 0)
    return { varied: [], input: only?.content ?? '{{ vars.prompt }}' };
  const questions = prompts.flatMap((prompt) => chatParts(prompt)?.question ?? []);
  const [question] = questions;
  const varied = prompts.flatMap((prompt): readonly PromptVariant[] => {
    if (typeof prompt.content === 'string') return [prompt];
    const parts = chatParts(prompt);
    if (parts !== undefined && parts.question === question) return [{ ...prompt, system: parts.system }];
    importing.note(
      ['prompts'],
      `the prompt \`${prompt.name}\` is not imported: its chat differs from the others in more than the system prompt`,
      'write an eval for it, with the messages as `input`',
    );
    return [];
  });
  return { varied, input: question ?? questionFor(varied) };
}

/**
 * The keys of variants and of their base for several prompts. Other agents than models get each prompt as the message of
 * the user. `last`: names of targets end with it, because tables cut long names.
 */
export function promptKeys(varied: readonly PromptVariant[], isModel: boolean) {
  if (varied.length === 0) return { over: {}, last: {}, target: {} };
  const over = { prompt: promptValues(varied, isModel) };
  const roles = new Set(varied.map(roleOf));
  if (!isModel || !roles.has('system')) return { over, last: {}, target: { promptRole: 'user' } };
  if (roles.size === 1) return { over, last: {}, target: {} };
  return {
    over,
    last: { promptRole: { user: 'user', system: 'system' } },
    include: varied.map((prompt) => ({ prompt: prompt.name, promptRole: roleOf(prompt) })),
    target: {},
  };
}

/** What a target has as `prompt`. Other agents than models get a chat as JSON, as from promptfoo. */
export function valueOf({ content, file, system }: PromptVariant, isModel: boolean): unknown {
  if (system === undefined) return file ?? content;
  return isModel ? system : JSON.stringify(content);
}

function roleOf({ system }: PromptVariant): 'user' | 'system' {
  return system === undefined ? 'user' : 'system';
}

/** The parts of a chat that has a system prompt and a question. */
function chatParts({
  content,
}: ImportedPrompt): { readonly system: string; readonly question: string } | undefined {
  if (typeof content === 'string' || content.length !== 2) return undefined;
  const [first, second] = content;
  if (first?.role !== 'system' && first?.role !== 'developer') return undefined;
  return second?.role === 'user' ? { system: first.content, question: second.content } : undefined;
}

/** The question of a test, where the prompts are variants: the variables that the prompts read. */
function questionFor(prompts: readonly ImportedPrompt[]): string {
  const names = [...new Set(prompts.flatMap(({ content }) => namesIn(String(content))))];
  const [first] = names;
  if (first === undefined) return 'Follow the prompt.';
  if (names.length === 1) return `{{ vars.${first} }}`;
  return names.map((name) => `${name}: {{ vars.${name} }}`).join('\n');
}

function promptValues(prompts: readonly PromptVariant[], isModel: boolean): unknown {
  const isListed = prompts.every(
    ({ file, name }) => file?.replace(/^.*\//, '').replace(/\.\w+$/, '') === name,
  );
  if (isListed) return prompts.map((prompt) => valueOf(prompt, isModel));
  return Object.fromEntries(prompts.map((prompt) => [prompt.name, valueOf(prompt, isModel)]));
}
