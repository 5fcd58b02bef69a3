/** The question of a case, the same for assay and for the floors. */
export const questionOf = (number) =>
  `Where is my order ORD-${number}? I was told that it would be here on Monday, and it still is not.`;

export const CONTAINS = 'delivered on Tuesday';
export const REGEX = 'ORD-[0-9]{4}';

/** The request body of a hand-written script. */
export const bodyOf = (number) =>
  JSON.stringify({
    messages: [{ role: 'user', content: questionOf(number) }],
    metadata: {
      run_id: 'floor',
      trial: `floor/case-${number}/bot/r1`,
      test_case_id: `case-${number}`,
      repetition: 1,
      turn_index: 0,
      session_id: `s-${number}`,
    },
  });

const pattern = new RegExp(REGEX);

/** Two hand-written assertions, and the stored line. */
export function lineOf(number, answer, startedAt) {
  const output = answer.messages.at(-1).content;
  const grades = [
    { name: 'contains', passed: output.includes(CONTAINS) },
    { name: 'regex', passed: pattern.test(output) },
  ];
  const passed = grades.every((grade) => grade.passed);
  const durationMs = Math.round(performance.now() - startedAt);
  return `${JSON.stringify({ id: `case-${number}`, passed, score: passed ? 1 : 0, grades, output, durationMs })}\n`;
}
