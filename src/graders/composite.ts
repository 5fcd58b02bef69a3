import * as z from 'zod';

import { erroredGrade, gradeOf, type Finding, type Grade, type Grader, type Subject } from '../core/grade.ts';
import type { GraderPlugin, GraderServices } from '../core/plugin.ts';
import type { Expectation } from '../core/test-case.ts';
import { mayDecide } from '../core/verdict.ts';
import { addUsage, type Usage } from '../core/usage.ts';
import { given } from '../lib/given.ts';
import { allEnded } from '../lib/time/all-ended.ts';
import type { JsonObject } from '../lib/json.ts';
import { aggregate } from './composite-aggregate.ts';
import { aggregatorKey, aggregatorOf } from './composite-aggregator.ts';
import { fallenGates, requireDecided } from './composite-gates.ts';
import { scriptFiles } from './code-judge-script.ts';
import { judgeOf, unknownNames, varNames, withoutTimeout } from './judge-keys.ts';
import { llmJudge } from './llm-judge.ts';

const config = z.lazy(() =>
  z.strictObject({
    assert: z
      .array(z.looseObject({}))
      .min(1, 'must have at least one member')
      .refine((members) => members.length === 0 || members.some(mayDecide), {
        error: 'there would be no score: every member has weight 0, and none has `required`',
      })
      .describe('Members: evaluators of any type, each with its own name, weight, required and negate.'),
    aggregator: aggregatorKey.describe(
      'How the member scores are combined: a name, or a mapping. `{ type: threshold, value: 0.6 }`: this share ' +
        'of the members must pass. `{ type: code_judge, script: [...] }`: a program that gets ' +
        '`{ results: { NAME: grade } }` decides. `{ type: llm_judge, prompt: ... }`: a judge decides.',
    ),
  }),
);

type CompositeConfig = z.infer<typeof config>;

export const composite: GraderPlugin<CompositeConfig> = {
  type: 'composite',
  version: 1,
  summary: 'Combines several graders: by mean, minimum, maximum, share, your own program or a judge.',
  config,
  members: ({ assert }) => assert as readonly JsonObject[],
  asksJudge: ({ aggregator }) => aggregatorOf(aggregator).type === 'llm_judge',
  readsCriteria: ({ aggregator }) => {
    const kind = aggregatorOf(aggregator);
    return kind.type === 'llm_judge' && llmJudge.readsCriteria?.(kind) === true;
  },
  readsReference: ({ aggregator }) => {
    const kind = aggregatorOf(aggregator);
    return kind.type === 'llm_judge' && llmJudge.readsReference?.(kind) === true;
  },
  judge: ({ aggregator }) => {
    const kind = aggregatorOf(aggregator);
    return kind.type === 'llm_judge' ? judgeOf(kind) : undefined;
  },
  deciding: (settings) => {
    const { aggregator } = settings;
    const isJudge = typeof aggregator === 'object' && aggregator.type === 'llm_judge';
    return isJudge ? { ...settings, aggregator: withoutTimeout(aggregator) } : settings;
  },
  files: ({ aggregator }) => {
    const kind = aggregatorOf(aggregator);
    if (kind.type === 'llm_judge') return llmJudge.files?.(kind) ?? [];
    return kind.type === 'code_judge' ? scriptFiles(kind) : [];
  },
  touches: ({ aggregator }) => (aggregatorOf(aggregator).type === 'code_judge' ? 'programs' : undefined),
  fileFaults: (content, { aggregator }) =>
    aggregatorOf(aggregator).type === 'llm_judge' ? unknownNames(content) : [],
  fileVars: (content, { aggregator }) =>
    aggregatorOf(aggregator).type === 'llm_judge' ? varNames(content) : [],
  create: createComposite,
};

/** The loader has replaced the entries by checked expectations. */
function createComposite(settings: CompositeConfig, services: GraderServices): Grader {
  const members = settings.assert as unknown as readonly Expectation[];
  const aggregator = aggregatorOf(settings.aggregator);
  return {
    grade: async (subject, signal) => {
      const graded = await allEnded(
        members.map((member) => gradeMember(member, { subject, services, signal })),
      );
      signal.throwIfAborted();
      const grades = graded.flat();
      requireDecided(grades);
      const fallen = fallenGates(grades);
      const finding = await aggregate(aggregator, { grades, subject, services }, signal);
      return [withMembers(finding, grades, fallen), ...fallen.map(gateFinding)];
    },
  };
}

interface Grading {
  readonly subject: Subject;
  readonly services: GraderServices;
  readonly signal: AbortSignal;
}

async function gradeMember(
  member: Expectation,
  { subject, services, signal }: Grading,
): Promise<readonly Grade[]> {
  const startedAt = performance.now();
  const measured = () => ({ durationMs: Math.round(performance.now() - startedAt) });
  try {
    const findings = await services.graderFor(member).grade(subject, signal);
    return findings.map((finding) => gradeOf(member, finding, measured()));
  } catch (error) {
    return [erroredGrade(member, error, measured())];
  }
}

function withMembers(finding: Finding, members: readonly Grade[], fallen: readonly Grade[]): Finding {
  const gates = fallen.map(
    ({ name, score, required, reason }) => `${name} is required (${score} < ${required}): ${reason}`,
  );
  return {
    ...finding,
    ...(fallen.length === 0 ? {} : { passed: false }),
    reason: [...gates, finding.reason].join('\n'),
    members,
    ...spent(members, finding),
  };
}

/** A failed gate of a member fails the trial too. */
function gateFinding({ name, score, required, reason }: Grade): Finding {
  return { part: name, score, weight: 0, ...given({ required }), reason };
}

function spent(members: readonly Grade[], own: Finding): Pick<Finding, 'usage' | 'costUsd'> {
  let usage: Usage | undefined;
  let costUsd: number | null | undefined;
  for (const part of [...members, own]) {
    if (part.usage !== undefined) usage = addUsage(usage, part.usage);
    if (part.costUsd === undefined) continue;
    costUsd = part.costUsd === null || costUsd === null ? null : (costUsd ?? 0) + part.costUsd;
  }
  return given({ usage, costUsd });
}
