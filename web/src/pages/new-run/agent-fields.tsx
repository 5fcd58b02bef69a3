import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { api } from '../../api.ts';
import { Choice, TextInput } from '../../parts/inputs.tsx';
import { safeText } from '../../parts/safe-text.ts';
import type { AskedAgent } from './plan.ts';

interface AgentFieldsProps {
  readonly agents: readonly AskedAgent[];
  readonly onChange: (agents: readonly AskedAgent[]) => void;
}

/** Agents of the store that are tested, each in one version or in several. */
export function AgentFields({ agents, onChange }: AgentFieldsProps) {
  const known = useQuery({
    queryKey: ['agents', 'to choose'],
    queryFn: ({ signal }) => api<'listAgents'>('/agents', { path: {}, query: { limit: 200 } }, { signal }),
  });
  const [id, setId] = useState('');
  const [version, setVersion] = useState('');
  const stored = known.data?.data ?? [];
  if (stored.length === 0) return null;
  const chosen = stored.find((each) => each.id === id);
  const add = () => {
    if (chosen === undefined) return;
    const added = { id, name: chosen.name, version: version.trim() };
    onChange([...agents.filter((each) => !isSame(each, added)), added]);
    setVersion('');
  };
  return (
    <fieldset className="field targets">
      <legend>Agents of the store</legend>
      <div className="row">
        <Choice
          label="Agent"
          value={id}
          choices={[['', 'none'], ...stored.map((each) => [each.id, safeText(each.name)] as const)]}
          onChange={setId}
        />
        <TextInput label="Version" size={4} value={version} onChange={setVersion} />
        <button type="button" aria-disabled={chosen === undefined} onClick={add}>
          Add agent
        </button>
        {agents.map((agent) => (
          <button
            key={`${agent.id} ${agent.version}`}
            type="button"
            className="chip"
            aria-label={`Remove the agent ${safeText(agent.name)} ${agent.version}`}
            onClick={() => onChange(agents.filter((each) => !isSame(each, agent)))}
          >
            {safeText(agent.name)} {agent.version === '' ? '' : `@${agent.version}`}
            <span aria-hidden="true">×</span>
          </button>
        ))}
      </div>
      <p className="quiet">
        Without a version: the newest{chosen === undefined ? '' : `, ${chosen.version}`}.
      </p>
    </fieldset>
  );
}

function isSame(agent: AskedAgent, other: AskedAgent): boolean {
  return agent.id === other.id && agent.version === other.version;
}
