import type { TokenMetric } from '../core/session-report.ts';
import { round9 } from '../lib/text/decimals.ts';

/** The recorded tokens of a case on a target. */
export interface TokenBaseline {
  readonly caseId: string;
  readonly runnerId: string;
  readonly metric: TokenMetric;
  readonly value: number;
  readonly agentType: string;
  readonly model: string;
  /** ISO 8601. */
  readonly updatedAt: string;
}

/** Allowed increase over the baseline. Without either member, no increase is allowed. */
export interface TokenTolerance {
  readonly absolute?: number | undefined;
  readonly percent?: number | undefined;
}

/** The measured tokens of a case on a target in one run. */
export interface MeasuredTokens extends Omit<TokenBaseline, 'value' | 'updatedAt'> {
  /** Tokens of each counting trial, at least one. Undefined if its provider did not report them. */
  readonly values: readonly (number | undefined)[];
}

/** The mean over the trials. Undefined if any is unknown. */
export function meanTokens({ values }: Pick<MeasuredTokens, 'values'>): number | undefined {
  let sum = 0;
  for (const value of values) {
    if (value === undefined) return undefined;
    sum += value;
  }
  return round9(sum / values.length);
}

/** Name of a case on a target, in the file and in messages. */
export function pairName({ caseId, runnerId }: Pick<TokenBaseline, 'caseId' | 'runnerId'>): string {
  return `${caseId}::${runnerId}`;
}

/** Why these tokens violate the baseline. Undefined if they do not. Fewer tokens are always accepted. */
export function baselineFault(
  measured: MeasuredTokens,
  baseline: TokenBaseline | undefined,
  tolerance: TokenTolerance,
): string | undefined {
  const { metric, values, agentType, model } = measured;
  const pair = pairName(measured);
  const actual = meanTokens(measured);
  if (actual === undefined) {
    const silent = values.filter((value) => value === undefined).length;
    return `${pair}: ${silent} of ${values.length} trials did not report ${metric}, so the baseline cannot be checked`;
  }
  if (baseline === undefined)
    return `${pair} has no token baseline; record one with --update-snapshots and commit the file`;
  if (baseline.metric !== metric || baseline.agentType !== agentType) {
    return `${pair}: the baseline has ${baseline.metric} of ${baseline.agentType}, but this run measured ${metric} of ${agentType}; record it again with --update-snapshots`;
  }
  const limit = limitOf(baseline.value, tolerance);
  if (actual <= limit) return undefined;
  const changed = baseline.model === model ? '' : `; the model changed from ${baseline.model} to ${model}`;
  return `${pair}: ${metric} ${actual} is above the limit ${limit} (baseline ${baseline.value}${toleranceText(tolerance)})${changed}`;
}

/** The lower one of two limits. */
function limitOf(value: number, { absolute, percent }: TokenTolerance): number {
  const limits = [
    ...(absolute === undefined ? [] : [value + absolute]),
    ...(percent === undefined ? [] : [value * (1 + percent / 100)]),
  ];
  return round9(limits.length === 0 ? value : Math.min(...limits));
}

function toleranceText({ absolute, percent }: TokenTolerance): string {
  const parts = [
    ...(absolute === undefined ? [] : [`+${absolute}`]),
    ...(percent === undefined ? [] : [`+${percent} %`]),
  ];
  return parts.length === 0 ? '' : `, ${parts.join(' and ')} allowed`;
}
