import { useParams } from '@tanstack/react-router';

import type { RunCost } from '../../../src/api/resources/cost.ts';
import { useFeed } from '../feed/use-feed.ts';
import { Back } from '../parts/back.tsx';
import { safeText } from '../parts/safe-text.ts';
import { Empty, Failed, Loading } from '../parts/states.tsx';
import { useRowKeys } from '../parts/use-keys.ts';
import { useTitle } from '../parts/use-title.ts';
import { useRun, useRunCost } from '../queries.ts';
import { CaseCosts, SpenderList } from './cost/cases.tsx';
import { RoleTable } from './cost/roles.tsx';
import { TargetCosts } from './cost/targets.tsx';
import { Distributions } from './run/distributions.tsx';

/** What a run spent, in money and time, and on what. */
export function CostPage() {
  const { run: id } = useParams({ from: '/runs/$run/cost' });
  useTitle(`Cost of run ${id}`);
  useRowKeys();
  const run = useRun(id);
  const cost = useRunCost(id);
  useFeed(run.data === undefined ? undefined : { run: run.data.id });
  return (
    <>
      <Back to="/runs/$run" params={{ run: id }}>
        Run {safeText(id)}
      </Back>
      <h1>Cost and time</h1>
      {cost.isPending ? <Loading what="the cost" /> : null}
      {cost.isError ? <Failed error={cost.error} /> : null}
      {cost.data === undefined ? null : <Shown run={id} cost={cost.data} />}
    </>
  );
}

function Shown({ run, cost }: { readonly run: string; readonly cost: RunCost }) {
  const { total, targets, cases, dearest, slowest } = cost;
  if (total.trials === 0) return <Empty>No trial of this run has an end yet.</Empty>;
  return (
    <>
      <section aria-labelledby="roles">
        <h2 id="roles">By role</h2>
        <RoleTable label="By role" spent={total} />
        {total.unknown_trials === 0 ? null : (
          <p className="quiet">
            The cost of {total.unknown_trials} of {total.trials} trials is unknown, so the total is a minimum.
          </p>
        )}
      </section>
      <TargetCosts targets={targets} />
      <div className="sides">
        <SpenderList title="Most expensive trials" run={run} trials={dearest} sort="-cost_usd" />
        <SpenderList title="Slowest trials" run={run} trials={slowest} sort="-duration_ms" />
      </div>
      <CaseCosts run={run} cases={cases} count={cost.case_count} />
      <Distributions isWanted run={run} />
    </>
  );
}
