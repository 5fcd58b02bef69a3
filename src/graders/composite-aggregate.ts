import type { Finding, Grade, Subject } from '../core/grade.ts';
import type { GraderServices } from '../core/plugin.ts';
import { weightedScore } from '../core/verdict.ts';
import { given } from '../lib/given.ts';
import { round9 } from '../lib/text/decimals.ts';
import type { JsonObject } from '../lib/json.ts';
import { askScript, scriptVariables } from './code-judge-run.ts';
import { moduleOf } from './code-judge-script.ts';
import { snakeUsage } from './code-judge-entry.ts';
import type { Aggregator } from './composite-aggregator.ts';
import { countedMembers, holds } from './composite-gates.ts';
import { askAggregator } from './composite-judge.ts';
import { askModule } from './kept-module.ts';

interface Aggregating {
  readonly grades: readonly Grade[];
  readonly subject: Subject;
  readonly services: GraderServices;
}

/** Combines the grades of all members to one finding. */
export async function aggregate(
  aggregator: Aggregator,
  { grades, subject, services }: Aggregating,
  signal: AbortSignal,
): Promise<Finding> {
  switch (aggregator.type) {
    case 'code_judge': {
      const results = resultsOf(grades);
      const { config } = aggregator;
      const document = { results, ...given({ config }) };
      const asked = { variables: scriptVariables(subject), services };
      const path = moduleOf(aggregator, services.directory);
      if (path !== undefined) return await askModule(aggregator, { ...asked, path, document }, signal);
      return await askScript(aggregator, { ...asked, document: JSON.stringify(document) }, signal);
    }
    case 'llm_judge':
      return await askAggregator(aggregator, { results: resultsOf(grades), subject, services }, signal);
    default:
      return computed(aggregator, countedMembers(grades));
  }
}

type Computed = Exclude<Aggregator, { readonly type: 'code_judge' | 'llm_judge' }>;

function computed(aggregator: Computed, counted: readonly Grade[]): Finding {
  const passed = counted.filter((grade) => grade.passed && holds(grade)).length;
  const share = `${passed} of ${counted.length} members passed`;
  const scores = counted.map(({ score }) => score ?? 0);
  switch (aggregator.type) {
    case 'weighted_average': {
      const score = weightedScore(counted) ?? round9(counted.filter(holds).length / counted.length);
      return { score, reason: told(`the weighted average is ${score}`, counted) };
    }
    case 'threshold': {
      const score = round9(passed / counted.length);
      const reached = score >= round9(aggregator.value);
      return { score, passed: reached, reason: told(`${share}, ${aggregator.value} of them must`, counted) };
    }
    case 'min':
      return {
        score: Math.min(...scores),
        reason: told(`the lowest score is ${Math.min(...scores)}`, counted),
      };
    case 'max':
      return {
        score: Math.max(...scores),
        reason: told(`the highest score is ${Math.max(...scores)}`, counted),
      };
    case 'all':
      return { score: passed === counted.length ? 1 : 0, reason: told(`${share}, all must`, counted) };
    case 'any':
      return { score: passed > 0 ? 1 : 0, reason: told(`${share}, one must`, counted) };
    default:
      return aggregator satisfies never;
  }
}

/** The computed value, then the reason of each failed member. */
function told(what: string, counted: readonly Grade[]): string {
  const lines = counted
    .filter(({ passed }) => !passed)
    .map(({ name, score, reason }) => `${name} (${score}): ${reason}`);
  return [what, ...lines].join('\n');
}

function resultsOf(grades: readonly Grade[]): Readonly<Record<string, JsonObject>> {
  return Object.fromEntries(grades.map((grade) => [grade.name, snakeGrade(grade)]));
}

/** A grade with our keys in snake_case; details of the member are unchanged. */
function snakeGrade(grade: Grade): JsonObject {
  const { durationMs, costUsd, failureCode, usage, members, evidence, digest: _, ...same } = grade;
  return {
    ...same,
    duration_ms: durationMs,
    ...given({ cost_usd: costUsd, failure_code: failureCode }),
    ...(usage === undefined ? {} : { usage: snakeUsage(usage) }),
    ...(evidence === undefined ? {} : { evidence: evidence.map((piece) => ({ ...piece })) }),
    ...(members === undefined ? {} : { members: members.map(snakeGrade) }),
  };
}
