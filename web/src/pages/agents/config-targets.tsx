import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';

import type { ConfigTargetResource } from '../../../../src/api/resources/config-target.ts';
import { configTargetsQuery } from '../../agents/queries.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Name } from '../../parts/name.tsx';
import { safeText } from '../../parts/safe-text.ts';
import { Failed } from '../../parts/states.tsx';
import { useMay } from '../../session/use-session.ts';

const COLUMNS = ['Target', 'Type', 'As an agent'];

/** The targets of the config, of which agents can be made. Nothing where the config has none. */
export function ConfigTargets() {
  const targets = useQuery(configTargetsQuery);
  if (targets.isError) return <Failed error={targets.error} />;
  if (targets.data === undefined || targets.data.length === 0) return null;
  return (
    <section aria-labelledby="config-targets">
      <h2 id="config-targets">Targets of the config</h2>
      <p className="quiet">Runs can test them, too. To change one here, make an agent of it.</p>
      <DataTable label="Targets of the config" columns={COLUMNS}>
        {targets.data.map((target) => (
          <TargetRow key={target.name} of={target} />
        ))}
      </DataTable>
    </section>
  );
}

function TargetRow({
  of: { name, type, is_default: isDefault, agent, problems },
}: {
  readonly of: ConfigTargetResource;
}) {
  const mayWrite = useMay('member');
  return (
    <tr>
      <th scope="row">
        <Name text={name} />
        {isDefault ? <small>default</small> : null}
      </th>
      <td>{safeText(type)}</td>
      <td>
        {agent === null ? (
          <span className="quiet">
            not possible: {safeText(problems.map(({ message }) => message).join('; '))}
          </span>
        ) : mayWrite ? (
          <Link className="button" to="/agents/new" search={{ target: name }}>
            Make an agent of it
          </Link>
        ) : (
          'possible'
        )}
      </td>
    </tr>
  );
}
