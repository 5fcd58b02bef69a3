import { useState } from 'react';

import { RefusedError } from '../../../../../src/api/client.ts';
import { Check, TextInput } from '../../../parts/inputs.tsx';
import { useAction } from '../../../session/use-action.ts';
import { useSend } from '../../../session/use-send.ts';
import type { ActionProps } from './panel-props.ts';
import { Panel } from './panel.tsx';
import { NOTHING_TO_RESUME, resumeBodyOf } from './resume-body.ts';
import { useChangedRun } from './use-changed-run.ts';

/** Runs what has no outcome, and on demand what was errored or cancelled, perhaps with more money. */
export function Resume({ run: { id }, onDone, onClose }: ActionProps) {
  const send = useSend();
  const changed = useChangedRun();
  const [asked, setAsked] = useState(NOTHING_TO_RESUME);
  const { act, ...state } = useAction();
  const change = (next: Partial<typeof asked>) => setAsked({ ...asked, ...next });
  const hasChanged = state.error instanceof RefusedError && state.error.problem.code === 'run-changed';
  const resume = () =>
    void act(async () => {
      const body = resumeBodyOf(asked);
      await send<'resumeRun'>(['POST', '/runs/{run}/resume'], { path: { run: id }, body });
      await changed(id);
      onDone('The run goes on.');
    });
  return (
    <Panel
      title="Resume the run"
      does="Resume this run"
      failed="The run was not resumed"
      {...state}
      onSubmit={resume}
      onClose={onClose}
    >
      <p>
        Trials without an outcome are run, with the cases and agents of the first start. Passed and failed
        trials are not repeated.
      </p>
      <div className="row">
        <Check isOn={asked.errored} onChange={(errored) => change({ errored })}>
          Errored trials again
        </Check>
        <Check isOn={asked.cancelled} onChange={(cancelled) => change({ cancelled })}>
          Cancelled trials again
        </Check>
      </div>
      <div className="row">
        <TextInput label="Cost limit in USD" value={asked.budget} onChange={(budget) => change({ budget })} />
        <TextInput
          label="Trials at once"
          value={asked.concurrency}
          onChange={(concurrency) => change({ concurrency })}
        />
        <Check isOn={asked.unknownCost} onChange={(unknownCost) => change({ unknownCost })}>
          Start even if costs are unknown
        </Check>
      </div>
      <p className="quiet">
        The limit is for the whole run, with what it has cost so far. Empty: the limit of the first start.
      </p>
      {hasChanged || asked.acceptChanges ? (
        <Check isOn={asked.acceptChanges} onChange={(acceptChanges) => change({ acceptChanges })}>
          Resume with what has changed
        </Check>
      ) : null}
    </Panel>
  );
}
