import type { GateOutcome, Manifest } from '../core/manifest.ts';
import type { ManifestHead } from '../core/run-store.ts';
import { plural } from '../lib/text/plural.ts';
import { undoneIn } from './undone.ts';
import { partialText } from './partial-text.ts';

/** A condition on the whole run, beyond its single trials: a gate, the baseline, or why it stopped. */
export interface Condition {
  readonly name: string;
  readonly came: 'holds' | 'failed' | 'not measured';
  /** The reason, without markup. */
  readonly says: string;
}

/** All conditions on a run, in the words of all reports. `ended`: number of trials with an outcome. */
export function conditionsOf(manifest: ManifestHead, ended: number): readonly Condition[] {
  const { gates = [], baseline, noEvidence, partial } = manifest;
  const conditions = [
    ...stopped(manifest, manifest.trials - ended),
    ...(partial === undefined ? [] : [ofShards(partial)]),
    ...gates.map(ofGate),
    ...(baseline === undefined ? [] : [ofBaseline(baseline)]),
  ];
  const seemsGood = conditions.length > 0 && conditions.every(({ came }) => came === 'holds');
  if (noEvidence === undefined || !seemsGood) return conditions;
  return [...conditions, { name: 'evidence', came: 'not measured', says: noEvidence }];
}

/** `2 gates: 1 failed`. */
export function conditionsTitle(conditions: readonly Condition[]): string {
  const fallen = conditions.filter(({ came }) => came === 'failed').length;
  const unmeasured = conditions.filter(({ came }) => came === 'not measured').length;
  const parts = [
    ...(fallen === 0 ? [] : [`${fallen} failed`]),
    ...(unmeasured === 0 ? [] : [`${unmeasured} not measured`]),
  ];
  const count = plural(conditions.length, 'condition');
  return `${count} on the whole run: ${parts.length === 0 ? 'all hold' : parts.join(', ')}`;
}

function ofGate({ gate, holds, value, says }: GateOutcome): Condition {
  return {
    name: `gate ${gate}`,
    came: holds === null ? 'not measured' : holds ? 'holds' : 'failed',
    says: value === null ? says : `is ${measuredText(gate, value)}, ${says}`,
  };
}

/** With four decimals, or as many as needed to differ from 0 and from the limit of the gate. */
export function measuredText(gate: string, value: number): string {
  const bar = Number(/\S+$/.exec(gate)?.[0]);
  for (let decimals = 4; decimals < 9; decimals++) {
    const shown = Number(value.toFixed(decimals));
    if (shown === value || (shown !== bar && shown !== 0)) return String(shown);
  }
  return String(value);
}

function ofBaseline({ base, verdict, sentence }: NonNullable<Manifest['baseline']>): Condition {
  return {
    name: `baseline ${base}`,
    came: verdict === 'regressed' ? 'failed' : verdict === 'invalid' ? 'not measured' : 'holds',
    says: sentence,
  };
}

function ofShards(partial: NonNullable<Manifest['partial']>): Condition {
  return {
    name: 'shards',
    came: partial.isAllowed ? 'holds' : 'not measured',
    says: partialText(partial),
  };
}

function stopped(manifest: ManifestHead, remaining: number): readonly Condition[] {
  const kind = undoneIn(manifest);
  const skipped = `${plural(remaining, 'trial')} skipped; assay resume runs the remaining trials`;
  if (kind === 'budget') {
    return [
      { name: kind, came: 'not measured', says: `the budget was used up: ${skipped} with a higher limit` },
    ];
  }
  if (kind === undefined || remaining <= 0) return [];
  return [{ name: 'stopped', came: 'not measured', says: `the run was stopped: ${skipped}` }];
}
