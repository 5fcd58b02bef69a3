import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';

import type { RunResource } from '../../../src/api/resources/run.ts';
import { costsText } from '../../../src/reading/phrases.ts';
import { api } from '../api.ts';
import { Rate } from '../parts/rate.tsx';
import { safeText } from '../parts/safe-text.ts';
import { Failed, Loading } from '../parts/states.tsx';
import { timeText } from '../parts/times.ts';
import { useRowKeys } from '../parts/use-keys.ts';
import { useTitle } from '../parts/use-title.ts';
import { useRuns } from '../queries.ts';
import { lastRuns } from './overview/last-runs.ts';

/** Runs in progress, and the last run of everything. */
export function OverviewPage() {
  useTitle('Overview');
  useRowKeys();
  const settings = useQuery({
    queryKey: ['settings'],
    queryFn: ({ signal }) => api<'getSettings'>('/settings', { path: {} }, { signal }),
  });
  const running = useRuns({ state: 'running' });
  const runs = useRuns({});
  const live = running.data?.pages[0]?.data ?? [];
  const recent = runs.data?.pages[0]?.data ?? [];
  return (
    <>
      <h1>{settings.data === undefined ? 'Overview' : safeText(settings.data.project)}</h1>
      {runs.isPending ? <Loading what="runs" /> : null}
      {runs.isError ? <Failed error={runs.error} /> : null}
      {live.length === 0 ? null : (
        <section aria-labelledby="running">
          <h2 id="running">In progress</h2>
          <ul className="attention">
            {live.map((run) => (
              <Running key={run.id} run={run} />
            ))}
          </ul>
        </section>
      )}
      {runs.data === undefined ? null : <Last runs={recent} />}
      {recent.length === 0 ? null : (
        <p>
          <Link to="/runs">All runs</Link>
        </p>
      )}
    </>
  );
}

function Running({ run }: { readonly run: RunResource }) {
  const done = run.totals?.counts.total ?? 0;
  return (
    <li>
      <Link data-row to="/runs/$run" params={{ run: run.id }}>
        {safeText(run.line ?? run.id)}
      </Link>{' '}
      <span className="quiet">→ {safeText(run.targets.join(', '))}</span>
      <p>
        {run.planned === null ? null : (
          <progress value={done} max={run.planned} aria-label={`Trials of ${run.id} done`} />
        )}{' '}
        {done} of {run.planned ?? '?'} trials, {run.totals?.counts.failed ?? 0} failed,{' '}
        {run.totals?.counts.errored ?? 0} errored
      </p>
    </li>
  );
}

function Last({ runs }: { readonly runs: readonly RunResource[] }) {
  if (runs.length === 0) {
    return (
      <p className="quiet">
        No runs here yet. Start one with <code>assay run</code>.
      </p>
    );
  }
  return (
    <section aria-labelledby="last">
      <h2 id="last">Last runs</h2>
      <div className="scroll" tabIndex={0} role="group" aria-labelledby="last">
        <table>
          <thead>
            <tr>
              <th scope="col">Tests</th>
              <th scope="col">Targets</th>
              <th scope="col">Last run</th>
              <th scope="col">Passed</th>
              <th scope="col">Errored</th>
              <th scope="col">Doubtful users</th>
              <th scope="col">Cost</th>
              <th scope="col">Before</th>
            </tr>
          </thead>
          <tbody>
            {lastRuns(runs).map(({ last, before }) => (
              <LastRow key={last.id} last={last} before={before} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

interface LastRowProps {
  readonly last: RunResource;
  readonly before: RunResource | undefined;
}

function LastRow({ last, before }: LastRowProps) {
  const { totals, started_at: started } = last;
  if (totals === null || started === null) return null;
  const { simulated, flagged } = totals.simulatorError;
  return (
    <tr>
      <th scope="row">{safeText(last.line ?? '')}</th>
      <td>{safeText(last.targets.join(', '))}</td>
      <td>
        <Link data-row to="/runs/$run" params={{ run: last.id }}>
          {timeText(started)}
        </Link>
      </td>
      <td>
        <Rate rate={totals.passRate} />
      </td>
      <td>{totals.counts.errored}</td>
      <td>{simulated === 0 ? '-' : `${flagged} of ${simulated}`}</td>
      <td>{costsText(totals.costUsd) ?? '-'}</td>
      <td>
        {before === undefined ? (
          <span className="quiet">first run</span>
        ) : (
          <Link to="/compare" search={{ base: before.id, candidate: last.id }}>
            compare
          </Link>
        )}
      </td>
    </tr>
  );
}
