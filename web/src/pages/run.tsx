import { Link, useParams, useSearch } from '@tanstack/react-router';

import type { RunResource } from '../../../src/api/resources/run.ts';
import { durationText } from '../../../src/reading/phrases.ts';
import { useFeed } from '../feed/use-feed.ts';
import { lineName, runTitle } from '../parts/line-name.ts';
import { LongText } from '../parts/long-text.tsx';
import { evidenceWords } from '../parts/page-words.ts';
import { safeText } from '../parts/safe-text.ts';
import { StateMark } from '../parts/state-mark.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { useRowKeys } from '../parts/use-keys.ts';
import { useTitle } from '../parts/use-title.ts';
import { useRun, useTrials } from '../queries.ts';
import { Actions } from './run/actions.tsx';
import { Attention } from './run/attention.tsx';
import { CompareLink } from './run/compare-link.tsx';
import { Conditions } from './run/conditions.tsx';
import { Distributions } from './run/distributions.tsx';
import { Errored } from './run/errored.tsx';
import { Exports } from './run/exports.tsx';
import { Judges } from './run/judges.tsx';
import { Matrix } from './run/matrix.tsx';
import { Settings } from './run/settings.tsx';
import { Targets } from './run/targets.tsx';
import { TotalsPart } from './run/totals.tsx';
import { Trials } from './run/trials.tsx';

/** One run: what needs attention, what it came to, and its trials. */
export function RunPage() {
  const { run: id } = useParams({ from: '/runs/$run' });
  useTitle(`Run ${id}`);
  useRowKeys();
  const run = useRun(id);
  useFeed(run.data === undefined ? undefined : { run: run.data.id });
  if (run.data === undefined) {
    return (
      <>
        <h1>Run {safeText(id)}</h1>
        {run.isPending ? <Loading what="the run" /> : <Failed error={run.error} />}
      </>
    );
  }
  return (
    <>
      {run.isError ? <Failed error={run.error} /> : null}
      <Shown key={run.data.id} run={run.data} />
    </>
  );
}

function Shown({ run }: { readonly run: RunResource }) {
  const { id, totals, error, manifest } = run;
  const filters = useSearch({ from: '/runs/$run' });
  // What is above the list reads all rows once more: the list comes first.
  const isListed = !useTrials({ run: id, filters }).isPending;
  return (
    <>
      <RunHead run={run} isListed={isListed} />
      {error === null ? null : (
        <div className="problem">
          <p>{safeText(error.message)}</p>
          {error.hint === undefined ? null : <p className="quiet">{safeText(error.hint)}</p>}
        </div>
      )}
      {manifest?.noEvidence === undefined ? null : (
        <p className="problem">{safeText(evidenceWords(manifest.noEvidence))}</p>
      )}
      {totals === null ? null : (
        <>
          <TotalsPart run={run} totals={totals} />
          <div className="columns">
            <Attention run={id} totals={totals} />
            <div className="stack">
              <Conditions run={run} />
              <Errored run={id} by={totals.erroredBy} />
              {isListed ? <Judges run={id} /> : null}
              <Settings run={run} />
              <Exports run={id} />
            </div>
          </div>
          <Targets run={run} />
          <Distributions run={id} isWanted={isListed} />
          <Matrix run={id} />
          <Trials run={id} />
        </>
      )}
    </>
  );
}

interface RunHeadProps {
  readonly run: RunResource;
  readonly isListed: boolean;
}

function RunHead({ run, isListed }: RunHeadProps) {
  const { id, state, started_at: started, source_run_id: source } = run;
  return (
    <div className="head">
      <h1>{safeText(runTitle(run))}</h1>
      <p className="row quiet">
        <StateMark state={state} />
        {started === null ? null : <Time at={started} />}
        {run.duration_ms === null ? null : <span>{durationText(run.duration_ms)}</span>}
        {run.archived_at === null ? null : <span>archived</span>}
        {run.name === null || run.line === null ? null : <span>{safeText(lineName(run.line))}</span>}
        {run.targets.length === 0 ? null : <span>→ {safeText(run.targets.join(', '))}</span>}
        <span className="mono">{safeText(id)}</span>
      </p>
      {run.tags.length === 0 ? null : (
        <ul className="chips" aria-label="Tags of the run">
          {run.tags.map((tag) => (
            <li key={tag} className="chip">
              {safeText(tag)}
            </li>
          ))}
        </ul>
      )}
      {run.note === null ? null : <LongText text={run.note} />}
      {source === null ? null : (
        <p className="quiet">
          Graded again; the trials are those of run{' '}
          <Link to="/runs/$run" params={{ run: source }}>
            {safeText(source)}
          </Link>
        </p>
      )}
      {run.totals === null ? null : <CompareLink run={run} isWanted={isListed} />}
      <Actions run={run} />
    </div>
  );
}
