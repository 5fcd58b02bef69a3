import type { ModelAnswer } from '../../core/model.ts';
import type { AnswerForm } from './answer-form.ts';

/** The one object of an answer that is of the form asked for, or what is wrong, in words that quote nothing. */
export function readAnswer<Answer>(
  answer: ModelAnswer,
  form: AnswerForm<Answer>,
): { readonly answer: Answer } | { readonly fault: string } {
  const reads = answer.objects.map((object) => form.read(object));
  const usable = reads.flatMap((read) => ('answer' in read ? [read] : []));
  if (usable.length === 1 && usable[0] !== undefined) return usable[0];
  if (usable.length > 1)
    return { fault: `it held ${usable.length} valid objects, and exactly one must come` };
  const [first] = reads;
  if (first !== undefined && 'fault' in first) return { fault: first.fault };
  switch (answer.finishReason) {
    case 'length':
      return { fault: 'it was cut off before the JSON object was complete' };
    case 'content-filter':
      return { fault: 'the provider withheld it (content filter)' };
    default:
      return { fault: answer.text.trim() === '' ? 'it was empty' : 'it held no JSON object' };
  }
}
