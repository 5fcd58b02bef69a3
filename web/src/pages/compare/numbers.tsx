import { pText } from '../../../../src/lib/text/p-text.ts';
import { Figure } from '../../parts/facts.tsx';
import type { ScoreScale } from '../../../../src/core/test-case.ts';
import type { ComparedValue, TargetComparison } from '../../../../src/core/run-comparison.ts';
import { pointsText, ratioTexts, smallestText, valueText } from './points.ts';

interface NumbersProps {
  readonly comparison: Pick<TargetComparison, 'result' | 'means' | 'ratios'>;
  readonly on: ComparedValue;
  readonly scale: ScoreScale;
}

/** The numbers of a comparison: of the cases that both sides measured, each counting once. */
export function Numbers({ comparison: { result, means, ratios }, on, scale }: NumbersProps) {
  if (result === null) return null;
  const kinds = ['costUsd', 'tokens', 'latencyMs'] as const;
  return (
    <dl className="figures">
      <Figure title="Mean difference" value={pointsText(result.difference)}>
        <small>
          95 % interval {pointsText(result.interval.lower)} to {pointsText(result.interval.upper)}
        </small>
        {means === null ? null : (
          <small>
            {on === 'score' ? 'score' : 'passed'} {valueText({ on, scale }, means.base)} →{' '}
            {valueText({ on, scale }, means.candidate)}
          </small>
        )}
      </Figure>
      <Figure title="Smallest change it could have seen" value={smallestText(result)}>
        <small>
          with {result.pairs === 1 ? '1 case' : `${result.pairs} cases`}, {result.informative} of them differ
        </small>
      </Figure>
      <Figure title="p" value={pText(result.p).replace('= ', '')}>
        <small>how often chance alone would give such a difference</small>
      </Figure>
      {kinds.map((kind) => {
        const found = ratios?.[kind] ?? null;
        if (found === null || found.ratio === null) return null;
        const { title, value, interval, medians } = ratioTexts(kind, found);
        return (
          <Figure key={kind} title={title} value={value}>
            {interval === undefined ? null : <small>{interval}</small>}
            <small>{medians}</small>
          </Figure>
        );
      })}
    </dl>
  );
}
