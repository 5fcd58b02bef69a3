import { Link } from '@tanstack/react-router';

import { Check } from '../../parts/inputs.tsx';
import { safeText } from '../../parts/safe-text.ts';
import { Empty } from '../../parts/states.tsx';
import { AgentRows } from './agent-rows.tsx';
import type { Asked } from './plan.ts';
import type { KnownTargets } from './use-known-targets.ts';

interface TargetFieldsProps extends Pick<Asked, 'targets' | 'agents'> {
  readonly known: KnownTargets;
  readonly onChange: (next: Partial<Asked>) => void;
}

/** What the run tests: targets of the config, and agents of the store. */
export function TargetFields({ known: { ofConfig, stored }, targets, agents, onChange }: TargetFieldsProps) {
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
          {ofConfig.map(({ name, isDefault }) => (
            <Check
              key={name}
              isOn={targets.includes(name)}
              onChange={(isOn) => onChange({ targets: isOn ? [...others(name), name] : others(name) })}
            >
              {safeText(name)}
              {isDefault ? <span className="quiet"> (default)</span> : null}
            </Check>
          ))}
          <span className="quiet">of the config</span>
        </div>
      )}
      {stored.length === 0 ? null : (
        <AgentRows agents={agents} stored={stored} onChange={(next) => onChange({ agents: next })} />
      )}
      {targets.length > 0 || agents.some(({ id }) => id !== '') ? null : (
        <p className="quiet">{unchosenText(ofConfig)}</p>
      )}
    </fieldset>
  );
}

/** What happens where nothing is selected. */
function unchosenText(ofConfig: KnownTargets['ofConfig']): string {
  const names = ofConfig.flatMap(({ name, isDefault }) => (isDefault ? [name] : []));
  if (names.length === 0) return 'Nothing is selected, and there is no default target: select at least one.';
  return `Nothing is selected: the run tests the default target of the config, ${safeText(names.join(', '))}.`;
}
