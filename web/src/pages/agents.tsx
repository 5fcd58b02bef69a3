import { Link, useNavigate, useSearch } from '@tanstack/react-router';

import type { AgentSummary } from '../../../src/api/resources/agent.ts';
import { useAgentList } from '../agents/queries.ts';
import type { ArchivedFilter } from '../parts/archived.ts';
import { ArchivedChoice } from '../parts/archived-choice.tsx';
import { DataTable, numbers } from '../parts/data-table.tsx';
import { Name } from '../parts/name.tsx';
import { ShowMore } from '../parts/show-more.tsx';
import { Empty, Failed, Loading } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { useRowKeys } from '../parts/use-keys.ts';
import { useTitle } from '../parts/use-title.ts';
import { useMay } from '../session/use-session.ts';
import { ConfigTargets } from './agents/config-targets.tsx';

const COLUMNS = ['Agent', numbers('Version'), 'Changed', 'State'];

/** The agents of the store. */
export function AgentsPage() {
  useTitle('Agents');
  useRowKeys();
  const filter = useSearch({ from: '/agents' });
  const navigate = useNavigate({ from: '/agents' });
  const mayWrite = useMay('member');
  const agents = useAgentList(filter);
  const found = agents.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <>
      <div className="row between">
        <h1>Agents</h1>
        {mayWrite ? (
          <Link className="button" to="/agents/new">
            New agent
          </Link>
        ) : null}
      </div>
      <ArchivedChoice
        filter={filter}
        onChange={(next) => void navigate({ search: next, replace: true, resetScroll: false })}
      />
      {agents.isPending ? <Loading what="agents" /> : null}
      {agents.isError ? <Failed error={agents.error} /> : null}
      {agents.data === undefined ? null : found.length === 0 ? (
        <None filter={filter} />
      ) : (
        <DataTable label="Agents" columns={COLUMNS}>
          {found.map((agent) => (
            <AgentRow key={agent.id} of={agent} />
          ))}
        </DataTable>
      )}
      <ShowMore of={agents} what="agents" />
      <ConfigTargets />
    </>
  );
}

function AgentRow({ of }: { readonly of: AgentSummary }) {
  return (
    <tr>
      <th scope="row">
        <Link data-row to="/agents/$id" params={{ id: of.id }}>
          <Name text={of.name} />
        </Link>
        {of.description === null ? null : (
          <small>
            <Name text={of.description} />
          </small>
        )}
      </th>
      <td className="number">{of.version}</td>
      <td className="keep">
        <Time at={of.updated_at} />
      </td>
      <td>{of.archived_at === null ? 'in use' : 'archived'}</td>
    </tr>
  );
}

function None({ filter: { archived } }: { readonly filter: ArchivedFilter }) {
  if (archived === 'true') return <Empty>No agent is archived.</Empty>;
  return (
    <Empty>
      No agents yet. The server keeps all versions of an agent, so that runs can use and compare them.
    </Empty>
  );
}
