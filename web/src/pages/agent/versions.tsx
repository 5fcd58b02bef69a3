import { Link } from '@tanstack/react-router';

import type { AgentVersionResource } from '../../../../src/api/resources/agent.ts';
import { useAgentVersions } from '../../agents/queries.ts';
import { Name } from '../../parts/name.tsx';
import { safeText } from '../../parts/safe-text.ts';
import { PagedTable } from '../../parts/paged-table.tsx';
import { Time } from '../../parts/time.tsx';
import { useSession } from '../../session/use-session.ts';

const COLUMNS = ['Version', 'Note', 'Added', 'By'];

/** All versions of an agent, newest first. */
export function Versions({ id, shown }: { readonly id: string; readonly shown: number }) {
  const versions = useAgentVersions(id);
  return (
    <section aria-labelledby="versions">
      <h2 id="versions">Versions</h2>
      <PagedTable of={versions} what="versions" label="Versions" columns={COLUMNS} empty={null}>
        {(version) => (
          <VersionRow key={version.version} id={id} of={version} isShown={version.version === shown} />
        )}
      </PagedTable>
    </section>
  );
}

interface VersionRowProps {
  readonly id: string;
  readonly of: AgentVersionResource;
  readonly isShown: boolean;
}

function VersionRow({ id, of, isShown }: VersionRowProps) {
  const own = useSession()?.account_id;
  return (
    <tr className={isShown ? 'picked' : undefined}>
      <th scope="row">
        <Link data-row to="/agents/$id" params={{ id }} search={{ version: of.version }}>
          Version {of.version}
        </Link>
      </th>
      <td className="why">{of.note === null ? 'none' : <Name text={of.note} />}</td>
      <td className="keep">
        <Time at={of.created_at} />
      </td>
      <td>
        {of.created_by === null
          ? 'unknown'
          : of.created_by === own
            ? 'you'
            : safeText(`account ${of.created_by.slice(0, 8)}`)}
      </td>
    </tr>
  );
}
