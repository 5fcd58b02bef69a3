const QUESTION_AND_ANSWER = `
The question that the agent was given: {{ question }}
Its answer: {{ answer }}`;

/** The prompt of `factuality`, with the facts of the author or the ideal answer. */
export const factualityPrompt = (
  facts: string,
): string => `Compare the facts in the answer of the agent with the expert answer. Ignore differences in style, grammar, order and length.

Score 1 when no fact of the answer contradicts the expert answer, and the answer gives what was asked for. It may say more or less, as long as nothing contradicts. Score 0 when a fact contradicts the expert answer, or when the answer does not give what was asked for.

The expert answer: ${facts}
${QUESTION_AND_ANSWER}`;

export const RELEVANCE_PROMPT = `Say how well the answer of the agent addresses the question. Whether the answer is true does not matter here.

Score 1 when it answers the whole question and adds nothing beside the point. Take off for parts of the question that are left out, for evasions, and for text that has nothing to do with the question. Score 0 when it does not address the question.
${QUESTION_AND_ANSWER}`;

export const FAITHFULNESS_PROMPT = `List the statements of fact that the answer of the agent makes. Say of each whether the context supports it. What you know yourself does not count: a true statement that the context does not support is not supported.

The context: [context, in the material]
${QUESTION_AND_ANSWER}`;

/** The prompt of `context_recall`, with the facts of the author or the ideal answer. */
export const recallPrompt = (
  facts: string,
): string => `List the statements of fact in the expert answer. Say of each whether the context supports it. What you know yourself does not count. The answer of the agent does not matter here.

The context: [context, in the material]
The expert answer: ${facts}

The question that the agent was given: {{ question }}`;

export const CLOSED_QA_PROMPT = `Say whether the answer of the agent meets the criterion. Score 1 when it does and 0 when it does not; there is nothing between.

The criterion:
{{ config.criteria }}
${QUESTION_AND_ANSWER}`;

export const G_EVAL_PROMPT = `Grade the answer of the agent by the criteria. First turn the criteria into three or four concrete steps of evaluation. Then take the steps one after the other, and give in "evidence" what each step showed. Only then choose the score.

The criteria:
{{ config.criteria }}
${QUESTION_AND_ANSWER}`;
