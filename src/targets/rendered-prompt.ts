import type { World } from '../core/target.ts';
import { namedValue, renderTemplate } from '../lib/text/template.ts';

/** The prompt of a target with the variables of the case: `{{ vars.name }}`. Other placeholders stay. */
export function renderedPrompt<Prompt extends string | undefined>(
  prompt: Prompt,
  { vars = {} }: Pick<World, 'vars'>,
): Prompt {
  if (prompt === undefined) return prompt;
  const valueOf = (name: string) => (name.startsWith('vars.') ? namedValue({ vars }, name) : undefined);
  return renderTemplate(prompt, valueOf) as Prompt;
}
