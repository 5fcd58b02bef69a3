import * as z from 'zod';

import { enclosingTexts } from '../core/enclosing-texts.ts';
import type { UserMessage } from '../core/message.ts';
import type { World } from '../core/target.ts';
import { given } from '../lib/given.ts';
import { namedValue, renderTemplate } from '../lib/text/template.ts';

/** The key that says how an agent gets `prompt`. `usual`: how it gets it without the key. */
export const promptRole = (usual: string) =>
  z
    .enum(['system', 'user'])
    .optional()
    .describe(
      `How the agent gets \`prompt\`: ${usual} (system, default), or as the first message of the user, instead of the question (user).`,
    );

/** The prompt of a target for one case. */
export interface GivenPrompt {
  /** Absent if there is no prompt, or if it is the first message. */
  readonly apart?: string;
  /** The first message of the user: the prompt instead of the text of the question, if the role is `user`. */
  opening(message: UserMessage | undefined): UserMessage | undefined;
}

/** A prompt in the role `user` has the texts around it that the case puts around its question. */
export function givenPrompt(
  { prompt, role }: { readonly prompt: string | undefined; readonly role: 'system' | 'user' | undefined },
  world: Pick<World, 'vars'>,
): GivenPrompt {
  const rendered = prompt === undefined ? undefined : renderedPrompt(prompt, world);
  if (rendered === undefined || role !== 'user')
    return { ...given({ apart: rendered }), opening: (message) => message };
  const { prefix, suffix } = enclosingTexts(world.vars);
  const asked = { text: `${prefix}${rendered}${suffix}` };
  const isKept = (part: object): boolean => !('text' in part || 'json' in part);
  return { opening: (message) => ({ parts: [asked, ...(message?.parts ?? []).filter(isKept)] }) };
}

/** The prompt of a target with the variables of the case: `{{ vars.name }}`. Other placeholders stay. */
function renderedPrompt(prompt: string, { vars = {} }: Pick<World, 'vars'>): string {
  const valueOf = (name: string) => (name.startsWith('vars.') ? namedValue({ vars }, name) : undefined);
  return renderTemplate(prompt, valueOf);
}
