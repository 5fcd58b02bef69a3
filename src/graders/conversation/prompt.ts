import { conversationForm } from './answer-form.ts';
import type { Metric } from './metrics.ts';
import { TASK_WORDS } from './task.ts';

/** The part of a conversation judge's prompt that is the same for every trial: task, rubrics and form. */
export function conversationPrompt(metrics: readonly Metric[], outcomes: readonly string[]) {
  const form = conversationForm({ metrics, outcomes });
  const rubrics = metrics.map(({ id, rubric }) => `${id}\n${rubric}`);
  return { form, template: [TASK_WORDS, ...rubrics].join('\n\n') };
}
