import { useState } from 'react';

import type { AnswerOf } from '../../../../src/api/route.ts';
import type { Table } from '../../../../src/api/table.ts';
import { Fact } from '../../parts/facts.tsx';
import { Json } from '../../parts/json.tsx';
import { LongText } from '../../parts/long-text.tsx';
import { Refused } from '../../session/refused.tsx';
import { safeText } from '../../parts/safe-text.ts';
import { useAction } from '../../session/use-action.ts';
import { useSend } from '../../session/use-send.ts';
import type { JsonObject } from '../../../../src/lib/json.ts';

type Probed = AnswerOf<Table['probeAgent']>;

/** Sends one message to a version, and shows its answer or its error. */
export function Probe({ id, version }: { readonly id: string; readonly version: number }) {
  const send = useSend();
  const [probed, setProbed] = useState<Probed>();
  const { act, isBusy, error } = useAction();
  const probe = () =>
    act(async () => {
      setProbed(undefined);
      const sent = { path: { id }, body: { version } };
      setProbed((await send<'probeAgent'>(['POST', '/agents/{id}/probe'], sent)).answer);
    });
  return (
    <section aria-labelledby="probe">
      <h2 id="probe">Does it answer?</h2>
      <div className="row">
        <button type="button" aria-disabled={isBusy} onClick={() => void probe()}>
          Send “Hello” to version {version}
        </button>
        <span className="quiet" aria-live="polite">
          {isBusy ? 'Waiting for its answer …' : ''}
        </span>
      </div>
      <Refused what="Not sent" error={error} />
      <div aria-live="polite" className="part">
        {probed === undefined ? null : <Result of={probed} />}
      </div>
    </section>
  );
}

function Result({ of: { version, answer, error, usage, duration_ms: duration } }: { readonly of: Probed }) {
  return (
    <>
      {error === null ? (
        <div className="panel">
          <p className="quiet">Answer of version {version}</p>
          <LongText text={answer ?? ''} />
        </div>
      ) : (
        <div className="problem">
          <p>
            Version {version} did not answer ({safeText(error.kind)}): {safeText(error.message)}
          </p>
          {error.detail === null ? null : <LongText isCode text={error.detail} most={1000} />}
          {error.hint === null ? null : <p className="quiet">{safeText(error.hint)}</p>}
        </div>
      )}
      <dl className="facts">
        <Fact title="Duration">{(duration / 1000).toFixed(1)} s</Fact>
      </dl>
      {usage === null ? null : <Json title="Tokens" value={usage as JsonObject} />}
    </>
  );
}
