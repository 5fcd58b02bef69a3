import { Link, useNavigate, useSearch } from '@tanstack/react-router';

import type { MetricResource } from '../../../../src/api/resources/metric.ts';
import { ArchivedChoice } from '../../parts/archived-choice.tsx';
import { numbers } from '../../parts/data-table.tsx';
import { Name } from '../../parts/name.tsx';
import { safeText } from '../../parts/safe-text.ts';
import { PagedTable } from '../../parts/paged-table.tsx';
import { Empty } from '../../parts/states.tsx';
import { AddLink } from '../../session/add-link.tsx';
import { useMetricList } from '../../settings/queries.ts';

const COLUMNS = ['Metric', 'Tier', 'Kind', numbers('Default weight'), 'From'];

/** The judge metrics: built-in ones, those of the config, and those of the store. */
export function Metrics() {
  const filter = useSearch({ from: '/settings' });
  const navigate = useNavigate({ from: '/settings' });
  const metrics = useMetricList(filter);
  return (
    <section aria-labelledby="metrics">
      <div className="row between">
        <h2 id="metrics">Judge metrics</h2>
        <AddLink to="/metrics/new">New metric</AddLink>
      </div>
      <ArchivedChoice
        filter={filter}
        onChange={(next) => void navigate({ search: next, replace: true, resetScroll: false })}
      />
      <PagedTable
        of={metrics}
        what="metrics"
        label="Judge metrics"
        columns={COLUMNS}
        empty={<Empty>No metric is archived.</Empty>}
      >
        {(metric) => <MetricRow key={metric.id} of={metric} />}
      </PagedTable>
    </section>
  );
}

function MetricRow({ of }: { readonly of: MetricResource }) {
  return (
    <tr>
      <th scope="row">
        <Link data-row to="/metrics/$id" params={{ id: of.id }}>
          {of.id}
        </Link>
        {of.display_name === null ? null : (
          <small>
            <Name text={of.display_name} />
          </small>
        )}
      </th>
      <td>{of.tier === null ? 'none' : <Name text={of.tier} />}</td>
      <td>{of.kind}</td>
      <td className="number">{of.default_weight ?? 'none'}</td>
      <td>{safeText(of.archived_at === null ? of.origin : `${of.origin}, archived`)}</td>
    </tr>
  );
}
