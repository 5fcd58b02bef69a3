import type { Limits } from '../core/limits.ts';
import { formatProblem } from '../core/problem.ts';
import { stripLine } from '../lib/text/terminal-text.ts';
import type { PreparedRun } from './prepare-run.ts';

/** The plan in a few lines, with every limit in force; with `cases`, each case too. */
export function planText(prepared: PreparedRun, detail: 'short' | 'cases' = 'short'): string {
  const { plan, settings } = prepared;
  const trials = prepared.trialsByTarget();
  const targets = plan.targets.map((target) => {
    const { settings: own } = prepared.targets.get(target) ?? {};
    return `${stripLine(target)} (${own?.type ?? '?'}, ${count(trials[target] ?? 0, 'trial')}, ${prepared.roomOf(target)} at once)`;
  });
  const lines = [
    `${count(plan.cases.length, 'case')} of ${count(plan.suites.length, 'suite')}, ${count(plan.size, 'trial')}`,
    `  targets: ${targets.join(', ')}`,
    `  limits: ${inForce(prepared)}; seed ${settings.seed}`,
    ...prepared.warnings.map((warning) => `  warning: ${formatProblem(warning)}`),
  ];
  if (detail === 'cases') lines.push('  estimated cost: unknown', ...caseLines(prepared));
  return `${lines.join('\n')}\n`;
}

/** The plan as one JSON document. */
export function planJson({ plan, manifest }: PreparedRun): string {
  const cases = plan.cases.map(({ suite, id, targets, repeat, skip }) => ({
    suite: plan.suites[suite]?.id,
    id,
    targets,
    repeat,
    ...(skip === undefined ? {} : { skip }),
  }));
  const { settings, trials, seed } = manifest;
  return `${JSON.stringify({ trials, seed, settings, cases, estimatedCostUsd: null })}\n`;
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

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
