import { stripControls } from '../../lib/text/terminal-text.ts';
import type { ExplainFile } from '../running/code-suites/explain-file.ts';
import type { Answer, Round } from './explanations.ts';

/** All rounds so far, as text. */
export function roundsText({ questions }: ExplainFile, rounds: readonly Round[]): string {
  const texts = rounds.map(({ startedAt, answers }, index) => {
    const head = `Round ${index + 1}, ${startedAt}\n`;
    const missing = questions.length - answers.length;
    const rest =
      missing <= 0
        ? ''
        : `${missing} of ${questions.length} questions were not answered; --rerun asks again\n`;
    return head + answers.map((answer, position) => answerText(answer, position + 1)).join('') + rest;
  });
  return texts.join('\n');
}

/** A question with its source and its answer. */
export function answerText({ question, source, answer, error }: Answer, number: number): string {
  const place = source === undefined ? '' : `   ${source.file}:${source.line}:${source.column}\n`;
  const said = answer ?? `(no answer: ${error ?? 'empty'})`;
  return `${number}. ${stripControls(question)}\n${place}${indented(stripControls(said))}\n\n`;
}

function indented(text: string): string {
  return text
    .trim()
    .split('\n')
    .map((line) => (line === '' ? '' : `   ${line}`))
    .join('\n');
}
