import type { Limits } from '../../core/limits.ts';
import { formatProblem } from '../../core/problem.ts';
import { given } from '../../lib/given.ts';
import { stripLine } from '../../lib/text/terminal-text.ts';
import { estimateText, type CostEstimate } from './estimate-cost.ts';
import type { BoundRun } from '../binding/bind.ts';
import { countByTarget } from '../binding/planned-cases.ts';
import { mostParallel } from '../binding/most-parallel.ts';
import { settingsIn } from '../binding/trial-settings.ts';
import { passingOf } from './passing-of.ts';
import type { PlannedRun } from './plan-run.ts';
import { expectingNothingText, leavingOutcomesText } from '../../reading/phrases.ts';
import { plural } from '../../lib/text/plural.ts';
import { printableLine } from '../../lib/text/printable-json.ts';

/** A planned run on this machine. */
export interface ShownPlan extends Pick<PlannedRun, 'manifest' | 'warnings' | 'missing' | 'ownSettings'> {
  readonly bound: BoundRun;
}

/** The plan in a few lines, with all limits. */
export function planText(planned: ShownPlan): string {
  return `${planLines(planned).join('\n')}\n`;
}

/** The same with the estimated cost and each case. */
export function dryText(planned: ShownPlan, estimate: CostEstimate): string {
  const cost = `  estimated cost: ${stripLine(estimateText(estimate))}`;
  const { expectingNothing, leavingOutcomes } = passingOf(planned.bound);
  const without = [
    ...(expectingNothing === 0 ? [] : [`  ${expectingNothingText(expectingNothing)}`]),
    ...(leavingOutcomes === 0 ? [] : [`  ${leavingOutcomesText(leavingOutcomes)}`]),
  ];
  return `${[...planLines(planned), ...without, cost, ...caseLines(planned)].join('\n')}\n`;
}

function planLines(planned: ShownPlan): readonly string[] {
  const { bound, warnings, missing } = planned;
  const { plan, use, spec } = bound;
  const { maxCostUsd } = spec.options;
  const money = maxCostUsd === undefined ? '' : `; whole run ${maxCostUsd} USD`;
  const trials = countByTarget(spec);
  const targets = plan.targets.map((target) => {
    const { settings: own } = use.targets.get(target) ?? {};
    return `${stripLine(target)} (${own?.type ?? '?'}, ${plural(trials[target] ?? 0, 'trial')}, ${mostParallel(bound, target)} at once)`;
  });
  return [
    `${plural(plan.cases.length, 'case')} of ${plural(plan.suites.length, 'suite')}, ${plural(plan.size, 'trial')}`,
    `  targets: ${targets.join(', ')}`,
    `  limits: ${inForce(planned)}${money}; seed ${spec.settings.seed}`,
    ...[...missing, ...warnings].map((warning) => `  warning: ${formatProblem(warning)}`),
  ];
}

/** The plan as one JSON document. `problems` is what a start on this machine would be refused for. */
export function planJson({ bound, manifest, warnings, missing }: ShownPlan, estimate: CostEstimate): string {
  const { plan } = bound;
  const cases = Array.from(plan.cases, ({ suite, id, targets, repeat, skip }) => ({
    suite: plan.suites[suite]?.id,
    id,
    targets,
    repeat,
    ...given({ skip }),
  }));
  const { settings, trials, seed } = manifest;
  const { groups: passing, expectingNothing, leavingOutcomes } = passingOf(bound);
  const estimated = { estimatedCostUsd: estimate.usd, estimate };
  const told = { problems: missing, warnings };
  const graded = { passing, expectingNothing, leavingOutcomes };
  return printableLine({ trials, seed, settings, ...graded, cases, ...told, ...estimated });
}

function caseLines({ bound: { plan } }: ShownPlan): string[] {
  return Array.from(plan.cases, ({ suite, id, targets, repeat, skip }) => {
    const times = repeat === 1 ? '' : ` x ${repeat}`;
    const not = skip === undefined ? '' : `  (skipped: ${skip.reason ?? skip.kind})`;
    return `  ${stripLine(`${plan.suites[suite]?.id ?? ''}  ${id}  ${targets.join(', ')}${times}${not}`)}`;
  });
}

/** Limits and threshold of the trials. If these differ, those of the run. */
function inForce({ bound, ownSettings }: ShownPlan): string {
  const { plan, spec } = bound;
  const { settings } = spec;
  const settingsFor = settingsIn(bound);
  const texts = new Set(
    ownSettings.flatMap((own) =>
      plan.targets.map((target) => {
        const { limits, threshold } = settingsFor(own, target);
        return `${limitsText(limits)}; threshold ${threshold}`;
      }),
    ),
  );
  const [only] = texts;
  if (only !== undefined && texts.size === 1) return only;
  return `${limitsText(settings.limits)}; threshold ${settings.threshold}; some cases or targets set their own`;
}

function limitsText(limits: Limits): string {
  const texts = [
    time('trial', limits.timeoutMs),
    time('turn', limits.turnTimeoutMs),
    time('silence', limits.idleTimeoutMs),
    ceilingText('turns', limits.maxTurns),
    ceilingText('steps', limits.maxSteps),
    ceilingText('tokens', limits.maxTokens),
    ceilingText('USD', limits.maxCostUsd),
  ];
  return texts.filter((text) => text !== undefined).join(', ') || 'none';
}

function time(what: string, ms: number | null): string | undefined {
  return ms === null ? undefined : `${what} ${ms / 1000} s`;
}

function ceilingText(what: string, ceiling: number | null): string | undefined {
  return ceiling === null ? undefined : `${ceiling} ${what}`;
}
