import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

import { api } from '../../api.ts';
import { Check } from '../../parts/inputs.tsx';
import { safeText } from '../../parts/safe-text.ts';
import { Empty } from '../../parts/states.tsx';
import { AgentRows } from './agent-rows.tsx';
import { onlyTarget, type Asked } from './plan.ts';

interface TargetFieldsProps extends Pick<Asked, 'targets' | 'agents'> {
  /** Names of the targets of the config. */
  readonly ofConfig: readonly string[];
  readonly onChange: (next: Partial<Asked>) => void;
}

/** What the run tests: targets of the config, and agents of the store. The only one is chosen already. */
export function TargetFields({ ofConfig, targets, agents, onChange }: TargetFieldsProps) {
  const known = useQuery({
    queryKey: ['agents', 'to choose'],
    queryFn: ({ signal }) => api<'listAgents'>('/agents', { path: {}, query: { limit: 200 } }, { signal }),
  });
  const stored = known.data?.data;
  const isChosen = useRef(targets.length + agents.length > 0);
  useEffect(() => {
    if (isChosen.current || stored === undefined) return;
    isChosen.current = true;
    const only = onlyTarget(ofConfig, stored);
    if (only !== undefined) onChange(only);
  });
  if (stored === undefined) return null;
  if (ofConfig.length + stored.length === 0) {
    return (
      <Empty>
        There is nothing to test yet. <Link to="/agents/new">Add an agent</Link> first.
      </Empty>
    );
  }
  const others = (name: string) => targets.filter((each) => each !== name);
  return (
    <fieldset className="field targets">
      <legend>Targets: what the run tests</legend>
      {ofConfig.length === 0 ? null : (
        <div className="row">
          {ofConfig.map((name) => (
            <Check
              key={name}
              isOn={targets.includes(name)}
              onChange={(isOn) => onChange({ targets: isOn ? [...others(name), name] : others(name) })}
            >
              {safeText(name)}
            </Check>
          ))}
          <span className="quiet">of the config</span>
        </div>
      )}
      {stored.length === 0 ? null : (
        <AgentRows agents={agents} stored={stored} onChange={(next) => onChange({ agents: next })} />
      )}
      {ofConfig.length === 0 ? null : (
        <p className="quiet">If you select nothing here, the run tests the default target of the config.</p>
      )}
    </fieldset>
  );
}
