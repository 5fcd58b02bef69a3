import { Link, useParams, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';

import type { WholeTrial } from '../../../src/api/resources/trial.ts';
import { STORED_SUITE } from '../../../src/core/test-case.ts';
import { isUnjudged, UNJUDGED } from '../../../src/reading/outcomes.ts';
import { durationText, neededText } from '../../../src/reading/phrases.ts';
import { LongText } from '../parts/long-text.tsx';
import { lineText } from '../parts/cut.ts';
import { safeText } from '../parts/safe-text.ts';
import { Failed, Loading } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { useTitle } from '../parts/use-title.ts';
import { Verdict } from '../parts/verdict.tsx';
import type { TrialFilters } from '../filters.ts';
import { useRun, useTrial } from '../queries.ts';
import { noteSeenGrades } from '../review/seen-grades.ts';
import { useMay, useSession } from '../session/use-session.ts';
import { ChangeAgent } from './run/change-agent.tsx';
import { decidingText } from './trial/deciding-text.ts';
import { Grades } from './trial/grades.tsx';
import { Gradings } from './trial/gradings.tsx';
import { Kept } from './trial/kept.tsx';
import { Neighbours } from './trial/neighbours.tsx';
import { Remarks } from './trial/remarks.tsx';
import { Spending } from './trial/spending.tsx';
import { TranscriptList } from './trial/transcript-list.tsx';

/** One trial: how it was graded, what was said and done, what it cost. */
export function TrialPage() {
  const { run, trial: named } = useParams({ from: '/runs/$run/trials/$trial' });
  const { grading, ...filters } = useSearch({ from: '/runs/$run/trials/$trial' });
  const trial = useTrial(run, named, grading);
  useTitle(
    trial.data === undefined
      ? `Trial ${named}`
      : safeText(lineText(trial.data.case_name ?? trial.data.case_id, 80)),
  );
  return (
    <>
      <div className="path">
        <Link to="/runs/$run" params={{ run }} search={filters}>
          ← Run {safeText(run)}
        </Link>
        <Neighbours run={run} number={numberOf(named) ?? trial.data?.number} />
      </div>
      {trial.data === undefined ? <h1>Trial {safeText(named)}</h1> : null}
      {trial.isPending ? <Loading what="the trial" /> : null}
      {trial.isError ? <Failed error={trial.error} /> : null}
      {trial.isError && grading !== undefined ? (
        <p>
          <Link to="/runs/$run/trials/$trial" params={{ run, trial: named }} search={filters}>
            Show the first grading
          </Link>
        </p>
      ) : null}
      {trial.data === undefined ? null : (
        <Whole key={trial.data.key} run={run} trial={trial.data} filters={filters} />
      )}
    </>
  );
}

/** A trial is named by its number or by its key; the number is known before the trial is loaded. */
function numberOf(named: string): number | undefined {
  return /^[1-9]\d*$/.test(named) ? Number(named) : undefined;
}

interface WholeProps {
  readonly run: string;
  readonly trial: WholeTrial;
  readonly filters: TrialFilters;
}

function Whole({ run, trial, filters }: WholeProps) {
  const { row } = trial;
  const mayWrite = useMay('member');
  const tried = useRun(run);
  const deciding = decidingText(row);
  useNotedGrades(run, trial);
  return (
    <>
      <div className="head">
        <h1 title={safeText(trial.case_id)}>{safeText(trial.case_name ?? trial.case_id)}</h1>
        <p className="row">
          <Verdict status={trial.status} />
          {isUnjudged(row) ? <span className="warns">{UNJUDGED}</span> : null}
          {row.score === null ? <span className="quiet">no score</span> : <span>{neededText(row)}</span>}
          {deciding === undefined ? null : <span>{safeText(deciding)}</span>}
          <span className="quiet">→ {safeText(trial.target)}</span>
          <span className="quiet">{durationText(trial.duration_ms)}</span>
          <span className="quiet">
            <Time at={trial.started_at} />
          </span>
        </p>
        <Labels run={run} trial={trial} />
        <Repetitions run={run} trial={trial} filters={filters} />
        <Gradings run={run} trial={trial} filters={filters} />
        {mayWrite ? (
          <p className="row">
            <ChangeAgent run={tried.data} />
            <Link className="button" to="/cases/new" search={{ run, trial: String(trial.number) }}>
              Make a draft case of this trial
            </Link>
          </p>
        ) : null}
        {trial.grading === null ? null : <GradedBy grading={trial.grading} />}
      </div>
      <Problem trial={trial} />
      <div className="columns">
        <div className="stack">
          <Grades run={run} trial={trial} />
          <TranscriptList isNamed run={run} trial={String(trial.number)} />
        </div>
        <div className="stack">
          <Remarks row={row} />
          <Spending row={row} />
          <Kept run={run} trial={trial} />
        </div>
      </div>
    </>
  );
}

/** A review that comes later says that its author saw the grades. */
function useNotedGrades(run: string, { number, row }: WholeTrial): void {
  const account = useSession()?.account_id;
  const hasGrades = row.grades.length > 0;
  useEffect(() => {
    if (account !== undefined && hasGrades) noteSeenGrades({ account, run, trial: number });
  }, [account, run, number, hasGrades]);
}

/** The run whose grades are shown instead of the first ones. */
function GradedBy({ grading }: { readonly grading: string }) {
  return (
    <p className="quiet">
      Verdict, grades and costs are those of run{' '}
      <Link className="mono" to="/runs/$run" params={{ run: grading }}>
        {safeText(grading)}
      </Link>
      , which graded the same transcript again.
    </p>
  );
}

function Labels({ run, trial }: Pick<WholeProps, 'run' | 'trial'>) {
  const hasStore = useSession() !== undefined;
  const names = [...trial.tags, ...(trial.difficulty === null ? [] : [trial.difficulty])];
  return (
    <ul className="chips" aria-label="Suite and tags">
      <li className="chip">
        {hasStore && trial.suite === STORED_SUITE ? (
          <Link to="/cases/$id" params={{ id: trial.case_id }}>
            Test case
          </Link>
        ) : (
          safeText(trial.suite)
        )}
      </li>
      {names.map((name) => (
        <li key={name} className="chip">
          {trial.tags.includes(name) ? (
            <Link to="/runs/$run" params={{ run }} search={{ tag: name }} hash="trials">
              {safeText(name)}
            </Link>
          ) : (
            safeText(name)
          )}
        </li>
      ))}
    </ul>
  );
}

function Repetitions({ run, trial, filters }: WholeProps) {
  if (trial.repetitions.length < 2) return null;
  return (
    <nav aria-label="Repetitions" className="chips">
      {trial.repetitions.map(({ number, key, repetition, status }) => (
        <Link
          key={key}
          to="/runs/$run/trials/$trial"
          params={{ run, trial: String(number) }}
          search={filters}
          aria-current={number === trial.number ? 'page' : undefined}
        >
          Repetition {repetition}:&nbsp;
          <Verdict status={status} />
        </Link>
      ))}
    </nav>
  );
}

function Problem({ trial: { row } }: { readonly trial: WholeTrial }) {
  if (row.skipped !== undefined) return <p className="problem">Skipped: {safeText(row.skipped)}</p>;
  if (row.error === undefined) return null;
  return (
    <div className="problem">
      <p>
        Not measured: {safeText(row.error.kind)} ({safeText(row.error.stage)})
      </p>
      <LongText isCode text={row.error.message} />
      {row.error.hint === undefined ? null : <p className="quiet">{safeText(row.error.hint)}</p>}
    </div>
  );
}
