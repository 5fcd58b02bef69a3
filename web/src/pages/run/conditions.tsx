import type { RunResource } from '../../../../src/api/resources/run.ts';
import type { GateOutcome } from '../../../../src/core/manifest.ts';
import { LongText } from '../../parts/long-text.tsx';
import { safeText } from '../../parts/safe-text.ts';
import { Verdict } from '../../parts/verdict.tsx';

/** What decides about a run in addition to its single trials. */
export function Conditions({ run: { manifest } }: { readonly run: RunResource }) {
  const { gates = [], baseline } = manifest ?? {};
  if (gates.length === 0 && baseline === undefined) return null;
  return (
    <section aria-labelledby="conditions">
      <h2 id="conditions">Gates and baseline</h2>
      <ul className="plain-list">
        {gates.map((gate) => (
          <li key={gate.gate}>
            <GateVerdict gate={gate} /> <code>{safeText(gate.gate)}</code>
            <LongText text={gate.says} most={300} />
          </li>
        ))}
        {baseline === undefined ? null : (
          <li>
            <span className={`change ${baseline.verdict}`}>{baseline.verdict}</span> against{' '}
            <span className="mono">{safeText(baseline.base)}</span>
            <LongText text={baseline.sentence} most={600} />
          </li>
        )}
      </ul>
    </section>
  );
}

function GateVerdict({ gate: { holds } }: { readonly gate: GateOutcome }) {
  if (holds === null) return <Verdict status="errored" word="not measured" />;
  return holds ? <Verdict status="passed" word="met" /> : <Verdict status="failed" word="not met" />;
}
