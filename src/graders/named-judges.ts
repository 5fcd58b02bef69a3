import * as z from 'zod';

import type { Subject } from '../core/grade.ts';
import type { GraderPlugin } from '../core/plugin.ts';
import { given } from '../lib/given.ts';
import type { JsonObject } from '../lib/json.ts';
import { toolCalls } from '../core/transcript.ts';
import { judgeKeys, judgeOf, withoutTimeout, type JudgeKeys } from './judge-keys.ts';
import type { AnswerForm, ScoreAnswer } from './judge/answer-form.ts';
import { scored } from './judge/judging.ts';
import type { MaterialPart } from './judge/material.ts';
import {
  CLOSED_QA_PROMPT,
  factualityPrompt,
  FAITHFULNESS_PROMPT,
  G_EVAL_PROMPT,
  recallPrompt,
  RELEVANCE_PROMPT,
} from './judge/named-prompts.ts';
import { statementsForm } from './judge/statements-form.ts';
import { promptError } from './judge/render-task.ts';

/** What distinguishes one of these graders from the others. */
interface Named<Config extends JudgeKeys> {
  readonly type: string;
  readonly summary: string;
  readonly config: z.ZodType<Config>;
  /** Default: one score. */
  readonly form?: AnswerForm<ScoreAnswer>;
  /** The prompt, without values of a trial. */
  prompt(config: Config): string;
  values?(config: Config): JsonObject;
  /** Whether the expected output of the test is needed. */
  readsReference?(config: Config): boolean;
  readonly context?: (config: Config) => string | undefined;
  /** Whether an empty answer scores 0 without asking the judge. */
  readonly needsAnswer: boolean;
}

function namedJudge<Config extends JudgeKeys>(named: Named<Config>): GraderPlugin<Config> {
  const { type, summary, config, form, needsAnswer } = named;
  return {
    type,
    version: 1,
    summary,
    config,
    readsReference: (settings) => named.readsReference?.(settings) === true,
    asksJudge: () => true,
    judge: judgeOf,
    deciding: withoutTimeout,
    create: (settings, services) => ({
      grade: async (subject, signal) => {
        if (needsAnswer && subject.answer.trim() === '') return [{ score: 0, reason: 'the answer is empty' }];
        const judging = {
          settings,
          template: named.prompt(settings),
          ...given({ form, config: named.values?.(settings) }),
          ...(named.context === undefined ? {} : { more: [contextOf(named.context(settings), subject)] }),
        };
        return scored(judging, { subject, services }, signal);
      },
    }),
  };
}

/** The written context, else everything that tools returned to the agent. */
function contextOf(written: string | undefined, { transcript, case: { id } }: Subject): MaterialPart {
  if (written !== undefined) return { name: 'context', lines: [{ label: 'context', value: written }] };
  const lines = toolCalls(transcript).flatMap(({ call, result }) =>
    result === undefined ? [] : [{ label: `context from ${call.name}`, value: result.output }],
  );
  if (lines.length > 0) return { name: 'context', lines };
  throw promptError(
    `there is no context in the test ${JSON.stringify(id)}: no tool returned anything; write it as \`context\``,
  );
}

const text = z.string().regex(/\S/, 'is empty');
const value = text.optional().describe('The expert answer. Default: the expected output of the test.');
const context = text
  .optional()
  .describe('The context, such as `{{ vars.context }}`. Default: everything that tools returned.');
const criteria = z
  .union([text, z.array(text).min(1)])
  .transform((written) =>
    typeof written === 'string' ? written : written.map((each) => `- ${each}`).join('\n'),
  )
  .describe('What the answer must do: a text, or a list of texts.');

interface WithFacts extends JudgeKeys {
  readonly value?: string | undefined;
}

const factsOf = ({ value: own }: WithFacts): string =>
  own === undefined ? '{{ reference }}' : '{{ config.value }}';
const valuesOf = ({ value: own }: WithFacts): JsonObject => (own === undefined ? {} : { value: own });

export const factuality: GraderPlugin = namedJudge({
  type: 'factuality',
  summary: 'A language model decides whether the facts of the answer agree with an expert answer.',
  config: z.lazy(() => z.strictObject({ value, ...judgeKeys })),
  prompt: (config) => factualityPrompt(factsOf(config)),
  values: (config) => valuesOf(config),
  readsReference: ({ value: own }) => own === undefined,
  needsAnswer: true,
});

export const answerRelevance: GraderPlugin = namedJudge({
  type: 'answer_relevance',
  summary: 'A language model scores how well the answer addresses the question.',
  config: z.lazy(() => z.strictObject({ ...judgeKeys })),
  prompt: () => RELEVANCE_PROMPT,
  needsAnswer: true,
});

export const contextFaithfulness: GraderPlugin = namedJudge({
  type: 'context_faithfulness',
  summary: 'The share of statements in the answer that the context supports, as a model finds them.',
  config: z.lazy(() => z.strictObject({ context, ...judgeKeys })),
  form: statementsForm,
  prompt: () => FAITHFULNESS_PROMPT,
  context: (config) => config.context,
  needsAnswer: true,
});

export const contextRecall: GraderPlugin = namedJudge({
  type: 'context_recall',
  summary: 'The share of statements in an expert answer that the context supports, as a model finds them.',
  config: z.lazy(() => z.strictObject({ value, context, ...judgeKeys })),
  form: statementsForm,
  prompt: (config) => recallPrompt(factsOf(config)),
  values: (config) => valuesOf(config),
  readsReference: ({ value: own }) => own === undefined,
  context: (config) => config.context,
  needsAnswer: false,
});

export const closedQa: GraderPlugin = namedJudge({
  type: 'closed_qa',
  summary: 'A language model says yes or no: whether the answer meets a criterion.',
  config: z.lazy(() => z.strictObject({ criteria, ...judgeKeys })),
  prompt: () => CLOSED_QA_PROMPT,
  values: (config) => ({ criteria: config.criteria }),
  needsAnswer: true,
});

export const gEval: GraderPlugin = namedJudge({
  type: 'g_eval',
  summary: 'A language model turns criteria into steps, takes them one by one, and then scores the answer.',
  config: z.lazy(() => z.strictObject({ criteria, ...judgeKeys })),
  prompt: () => G_EVAL_PROMPT,
  values: (config) => ({ criteria: config.criteria }),
  needsAnswer: true,
});
