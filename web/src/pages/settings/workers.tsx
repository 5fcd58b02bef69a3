import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';

import type { WorkerResource } from '../../../../src/api/resources/worker.ts';
import { plural } from '../../../../src/lib/text/plural.ts';
import { Name } from '../../parts/name.tsx';
import { safeText } from '../../parts/safe-text.ts';
import { PagedTable } from '../../parts/paged-table.tsx';
import { Empty } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { useWorkers } from '../../settings/queries.ts';

const COLUMNS = ['Worker', 'State', 'Running trials', 'Refused runs'];

/** The processes that take trials: who is alive, where, on what, and what it refused. */
export function Workers() {
  const workers = useWorkers();
  return (
    <section aria-labelledby="workers">
      <h2 id="workers">Workers</h2>
      <PagedTable
        of={workers}
        what="workers"
        label="Workers"
        columns={COLUMNS}
        empty={
          <Empty>
            No <code>assay worker</code> was running in the last 24 hours.
          </Empty>
        }
      >
        {(worker) => <WorkerRow key={worker.id} of={worker} />}
      </PagedTable>
    </section>
  );
}

function WorkerRow({ of }: { readonly of: WorkerResource }) {
  return (
    <tr>
      <th scope="row">
        <Name text={of.name} />
        <small>{safeText(`process ${of.pid} on ${of.host}, assay ${of.version}`)}</small>
      </th>
      <td>
        {of.stopping ? 'stopping, ' : null}
        {of.alive ? 'running since ' : 'last seen '}
        <Time at={of.alive ? of.started_at : of.seen_at} />
        <small>up to {plural(of.slots, 'trial')} at once</small>
      </td>
      <td>
        {of.trials.length === 0 ? 'none' : null}
        {of.trials.map(({ run_id: run, trial, since }) => (
          <Fragment key={`${run} ${trial}`}>
            <RunLink run={run} />
            <small>
              {safeText(trial)} since <Time at={since} />
            </small>
          </Fragment>
        ))}
      </td>
      <td>
        {of.refusals.length === 0 ? 'none' : null}
        {of.refusals.map(({ run_id: run, reason }) => (
          <Fragment key={run}>
            <RunLink run={run} />
            <small>{safeText(reason)}</small>
          </Fragment>
        ))}
      </td>
    </tr>
  );
}

function RunLink({ run }: { readonly run: string }) {
  return (
    <Link to="/runs/$run" params={{ run }}>
      {run}
    </Link>
  );
}
