import type { Limits } from '../../core/limits.ts';
import { formatProblem } from '../../core/problem.ts';
import { stripLine } from '../../lib/text/terminal-text.ts';
import { estimateText, type CostEstimate } from './estimate-cost.ts';
import type { PreparedRun } from './prepare-run.ts';
import { plural } from '../../lib/text/plural.ts';

/** The plan in a few lines, with every limit in force. */
export function planText(prepared: PreparedRun): string {
  return `${planLines(prepared).join('\n')}\n`;
}

/** The same with what it may cost, and each case. */
export function dryText(prepared: PreparedRun, estimate: CostEstimate): string {
  const cost = `  estimated cost: ${stripLine(estimateText(estimate))}`;
  return `${[...planLines(prepared), cost, ...caseLines(prepared)].join('\n')}\n`;
}

function planLines(prepared: PreparedRun): readonly string[] {
  const { plan, settings } = prepared;
  const { maxCostUsd } = settings;
  const money = maxCostUsd === undefined ? '' : `; whole run ${maxCostUsd} USD`;
  const trials = prepared.trialsByTarget();
  const targets = plan.targets.map((target) => {
    const { settings: own } = prepared.targets.get(target) ?? {};
    return `${stripLine(target)} (${own?.type ?? '?'}, ${plural(trials[target] ?? 0, 'trial')}, ${prepared.roomOf(target)} at once)`;
  });
  return [
    `${plural(plan.cases.length, 'case')} of ${plural(plan.suites.length, 'suite')}, ${plural(plan.size, 'trial')}`,
    `  targets: ${targets.join(', ')}`,
    `  limits: ${inForce(prepared)}${money}; seed ${settings.seed}`,
    ...prepared.warnings.map((warning) => `  warning: ${formatProblem(warning)}`),
  ];
}

/** The plan as one JSON document. */
export function planJson({ plan, manifest }: PreparedRun, estimate: CostEstimate): string {
  const cases = plan.cases.map(({ suite, id, targets, repeat, skip }) => ({
    suite: plan.suites[suite]?.id,
    id,
    targets,
    repeat,
    ...(skip === undefined ? {} : { skip }),
  }));
  const { settings, trials, seed } = manifest;
  return `${JSON.stringify({ trials, seed, settings, cases, estimatedCostUsd: estimate.usd, estimate })}\n`;
}

function caseLines({ plan }: PreparedRun): string[] {
  return plan.cases.map(({ suite, id, targets, repeat, skip }) => {
    const times = repeat === 1 ? '' : ` x ${repeat}`;
    const not = skip === undefined ? '' : `  (skipped: ${skip.reason ?? skip.kind})`;
    return `  ${stripLine(`${plan.suites[suite]?.id ?? ''}  ${id}  ${targets.join(', ')}${times}${not}`)}`;
  });
}

/** Limits and threshold as trials are held to them; where those differ, the ones of the run. */
function inForce({ plan, settings, ownSettings, settingsFor }: PreparedRun): string {
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
