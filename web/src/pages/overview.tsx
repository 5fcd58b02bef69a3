import { Link } from '@tanstack/react-router';

import type { RunResource } from '../../../src/api/resources/run.ts';
import { isLive } from '../feed/is-live.ts';
import { useFeed } from '../feed/use-feed.ts';
import { lineName, runTitle } from '../parts/line-name.ts';
import { safeText } from '../parts/safe-text.ts';
import { Shares } from '../parts/shares.tsx';
import { NoRuns } from '../parts/no-runs.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { useRowKeys } from '../parts/use-keys.ts';
import { useTitle } from '../parts/use-title.ts';
import { useRunning, useRuns } from '../queries.ts';
import { AddLink } from '../session/add-link.tsx';
import { useSettings } from '../session/use-session.ts';
import { LastRunTable } from './overview/last-run-table.tsx';
import { lastRuns } from './overview/last-runs.ts';
import { Attention } from './run/attention.tsx';

/** Runs in progress, and the last run of everything. */
export function OverviewPage() {
  useTitle('Overview');
  useRowKeys();
  useFeed('all');
  const settings = useSettings();
  const running = useRunning();
  const runs = useRuns({});
  const recent = runs.data?.pages[0]?.data ?? [];
  const fresh = new Map(recent.map((run) => [run.id, run]));
  const live = (running.data?.data ?? []).map((run) => fresh.get(run.id) ?? run).filter(isLive);
  return (
    <>
      <div className="row between">
        <h1>{settings.data === undefined ? 'Overview' : safeText(settings.data.project)}</h1>
        <AddLink to="/runs/new">New run</AddLink>
      </div>
      {settings.data?.mode === 'serve' && settings.data.auth === 'none' ? (
        <p className="note">
          No authentication: every program on this machine may use this server. Start it with{' '}
          <code>--auth token</code> to make people sign in.
        </p>
      ) : null}
      {runs.isPending ? <Loading what="runs" /> : null}
      {runs.isError ? <Failed error={runs.error} /> : null}
      {live.length === 0 ? null : (
        <section aria-labelledby="running">
          <h2 id="running">In progress</h2>
          <ul className="list">
            {live.map((run) => (
              <Running key={run.id} run={run} />
            ))}
          </ul>
        </section>
      )}
      {runs.data === undefined ? null : <Last runs={recent} />}
    </>
  );
}

function Running({ run }: { readonly run: RunResource }) {
  const { totals, planned } = run;
  const done = totals?.counts.total ?? 0;
  return (
    <li>
      <div className="row between">
        <span>
          <Link data-row to="/runs/$run" params={{ run: run.id }}>
            {safeText(runTitle(run))}
          </Link>{' '}
          <span className="quiet">→ {safeText(run.targets.join(', '))}</span>
        </span>
        <span>
          {done} of {planned ?? '?'} trials
        </span>
      </div>
      {totals === null ? null : (
        <>
          <Shares totals={totals} planned={planned} />
          <p className="quiet">
            {totals.counts.passed} passed, {totals.counts.failed} failed, {totals.counts.errored} errored so
            far
          </p>
        </>
      )}
    </li>
  );
}

function Last({ runs }: { readonly runs: readonly RunResource[] }) {
  if (runs.length === 0) {
    return <NoRuns />;
  }
  const last = lastRuns(runs);
  const [newest] = last;
  return (
    <>
      <section aria-labelledby="last">
        <div className="row between">
          <h2 id="last">Last runs</h2>
          <Link to="/runs">All runs</Link>
        </div>
        <LastRunTable runs={last} />
      </section>
      {newest?.last.totals === undefined || newest.last.totals === null ? null : (
        <Attention
          run={newest.last.id}
          totals={newest.last.totals}
          title={`Needs attention in the last run of ${safeText(lineName(newest.last.line ?? 'its tests'))}`}
        />
      )}
    </>
  );
}
