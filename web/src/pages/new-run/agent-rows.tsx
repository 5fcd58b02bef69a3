import { Choice, TextInput } from '../../parts/inputs.tsx';
import { safeText } from '../../parts/safe-text.ts';
import { NO_AGENT, type AskedAgent } from './plan.ts';
import type { KnownTargets } from './use-known-targets.ts';

type Stored = KnownTargets['stored'][number];

interface AgentRowsProps {
  readonly agents: readonly AskedAgent[];
  readonly stored: readonly Stored[];
  readonly onChange: (agents: readonly AskedAgent[]) => void;
}

/** Agents of the store that are tested, each in one version or in several. */
export function AgentRows({ agents, stored, onChange }: AgentRowsProps) {
  const rows = agents.length === 0 ? [NO_AGENT] : agents;
  return (
    <>
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
    </>
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
        label="Agent of the store"
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
