import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';

import { CONFIGURED_JUDGE, judgeOf } from '../../../parts/asked-judge.ts';
import { Check, Choice, TextInput } from '../../../parts/inputs.tsx';
import { JudgeFields } from '../../../parts/judge-fields.tsx';
import { numberOf } from '../../../parts/number-of.ts';
import { safeText } from '../../../parts/safe-text.ts';
import { useAction } from '../../../session/use-action.ts';
import { useSend } from '../../../session/use-send.ts';
import type { ActionProps } from './panel-props.ts';
import { Panel } from './panel.tsx';
import { useChangedRun } from './use-changed-run.ts';

/** Grades the stored trials again, into a new run, and leads to that run. */
export function Regrade({ run: { id, targets }, onClose }: ActionProps) {
  const send = useSend();
  const navigate = useNavigate();
  const changed = useChangedRun();
  const [asked, setAsked] = useState({ judge: CONFIGURED_JUDGE, target: '', budget: '', unknownCost: false });
  const { act, ...state } = useAction();
  const change = (next: Partial<typeof asked>) => setAsked({ ...asked, ...next });
  const regrade = () =>
    void act(async () => {
      const judge = judgeOf(asked.judge);
      const body = {
        ...(judge === undefined ? {} : { judge }),
        ...(asked.target === '' ? {} : { target: asked.target }),
        ...(asked.budget.trim() === '' ? {} : { budget_usd: numberOf(asked.budget) }),
        ...(asked.unknownCost ? { allow_unknown_cost: true } : {}),
      };
      const { answer } = await send<'regradeRun'>(['POST', '/runs/{run}/regrade'], {
        path: { run: id },
        body,
      });
      await changed(id);
      await navigate({ to: '/runs/$run', params: { run: answer.id } });
    });
  return (
    <Panel
      title="Grade the run again"
      does="Grade again"
      failed="The run was not graded again"
      {...state}
      onSubmit={regrade}
      onClose={onClose}
    >
      <p>
        The stored conversations are graded again, into a new run. No target is started, and this run does not
        change.
      </p>
      <JudgeFields judge={asked.judge} onChange={(judge) => change({ judge })} />
      <div className="row">
        {targets.length < 2 ? null : (
          <Choice
            label="Trials of"
            value={asked.target}
            choices={[['', 'all targets'], ...targets.map((name) => [name, safeText(name)] as const)]}
            onChange={(target) => change({ target })}
          />
        )}
        <TextInput label="Cost limit in USD" value={asked.budget} onChange={(budget) => change({ budget })} />
        <Check isOn={asked.unknownCost} onChange={(unknownCost) => change({ unknownCost })}>
          Start even if costs are unknown
        </Check>
      </div>
    </Panel>
  );
}
