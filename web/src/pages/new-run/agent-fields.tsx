import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

import type { AgentResource } from '../../../../src/api/resources/agent.ts';
import { api } from '../../api.ts';
import { Choice, TextInput } from '../../parts/inputs.tsx';
import { safeText } from '../../parts/safe-text.ts';
import { Empty } from '../../parts/states.tsx';
import { NO_AGENT, type AskedAgent } from './plan.ts';

interface AgentFieldsProps {
  readonly agents: readonly AskedAgent[];
  /** The config has targets, so that a run needs no agent of the store. */
  readonly hasTargets: boolean;
  readonly onChange: (agents: readonly AskedAgent[]) => void;
}

/** Agents of the store that are tested, each in one version or in several. */
export function AgentFields(props: AgentFieldsProps) {
  const known = useQuery({
    queryKey: ['agents', 'to choose'],
    queryFn: ({ signal }) => api<'listAgents'>('/agents', { path: {}, query: { limit: 200 } }, { signal }),
  });
  if (known.data === undefined) return null;
  if (known.data.data.length > 0) return <Rows {...props} stored={known.data.data} />;
  return props.hasTargets ? null : (
    <Empty>
      There is no agent to test yet. <Link to="/agents/new">Add an agent</Link> first.
    </Empty>
  );
}

type Stored = Pick<AgentResource, 'id' | 'name' | 'version'>;

interface RowsProps extends AgentFieldsProps {
  readonly stored: readonly Stored[];
}

function Rows({ agents, hasTargets, onChange, stored }: RowsProps) {
  const isChosen = useRef(false);
  const [only, ...others] = stored;
  useEffect(() => {
    if (isChosen.current || hasTargets || only === undefined || others.length > 0) return;
    isChosen.current = true;
    if (agents.length === 0) onChange([{ id: only.id, version: '' }]);
  });
  const rows = agents.length === 0 ? [NO_AGENT] : agents;
  return (
    <fieldset className="field targets">
      <legend>Agents of the store</legend>
      {rows.map((row, at) => (
        <AgentRow
          // Rows have nothing else that tells them apart.
          key={at}
          row={row}
          stored={stored}
          onChange={(next) => onChange(rows.with(at, next))}
          onRemove={rows.length === 1 ? undefined : () => onChange(rows.toSpliced(at, 1))}
        />
      ))}
      <div>
        <button
          type="button"
          aria-disabled={rows.at(-1)?.id === ''}
          onClick={() => (rows.at(-1)?.id === '' ? undefined : onChange([...rows, NO_AGENT]))}
        >
          Another agent or version
        </button>
      </div>
    </fieldset>
  );
}

interface AgentRowProps {
  readonly row: AskedAgent;
  readonly stored: readonly Stored[];
  readonly onChange: (row: AskedAgent) => void;
  /** Absent: it is the only one. */
  readonly onRemove: (() => void) | undefined;
}

function AgentRow({ row, stored, onChange, onRemove }: AgentRowProps) {
  const chosen = stored.find(({ id }) => id === row.id);
  return (
    <div className="row">
      <Choice
        label="Agent"
        value={row.id}
        choices={[['', 'none'], ...stored.map(({ id, name }) => [id, safeText(name)] as const)]}
        onChange={(id) => onChange({ ...row, id })}
      />
      <TextInput
        label="Version"
        size={4}
        value={row.version}
        onChange={(version) => onChange({ ...row, version })}
      />
      {onRemove === undefined ? null : (
        <button
          type="button"
          aria-label={`Remove the agent ${safeText(chosen?.name ?? '')} ${row.version}`.trim()}
          onClick={onRemove}
        >
          Remove
        </button>
      )}
      {chosen === undefined || row.version.trim() !== '' ? null : (
        <span className="quiet">the newest version, {chosen.version}</span>
      )}
    </div>
  );
}
