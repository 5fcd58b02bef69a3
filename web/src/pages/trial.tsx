import { Link, useParams, useSearch } from '@tanstack/react-router';

import type { WholeTrial } from '../../../src/api/resources/trial.ts';
import { durationText, neededText } from '../../../src/reading/phrases.ts';
import { LongText } from '../parts/long-text.tsx';
import { safeText } from '../parts/safe-text.ts';
import { Failed, Loading } from '../parts/states.tsx';
import { timeText } from '../parts/times.ts';
import { useTitle } from '../parts/use-title.ts';
import { Verdict } from '../parts/verdict.tsx';
import { useTrial } from '../queries.ts';
import { Grades } from './trial/grades.tsx';
import { Kept } from './trial/kept.tsx';
import { Neighbours } from './trial/neighbours.tsx';
import { Spending } from './trial/spending.tsx';
import { TranscriptList } from './trial/transcript-list.tsx';

/** One trial: how it was graded, what was said and done, what it cost. */
export function TrialPage() {
  const { run, trial: named } = useParams({ from: '/runs/$run/trials/$trial' });
  const filters = useSearch({ from: '/runs/$run/trials/$trial' });
  const trial = useTrial(run, named);
  useTitle(trial.data === undefined ? `Trial ${named}` : safeText(trial.data.case_id));
  return (
    <>
      <p className="path">
        <Link to="/runs/$run" params={{ run }} search={filters}>
          ← Run {run}
        </Link>
        <Neighbours run={run} number={numberOf(named) ?? trial.data?.number} />
      </p>
      {trial.data === undefined ? <h1>Trial {safeText(named)}</h1> : null}
      {trial.isPending ? <Loading what="the trial" /> : null}
      {trial.isError ? <Failed error={trial.error} /> : null}
      {trial.data === undefined ? null : <Whole key={trial.data.key} run={run} trial={trial.data} />}
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
}

function Whole({ run, trial }: WholeProps) {
  const { row } = trial;
  return (
    <>
      <h1>{safeText(trial.case_id)}</h1>
      <p className="large">
        <Verdict status={trial.status} />{' '}
        {row.score === null ? <span className="quiet">no score</span> : neededText(row)}
      </p>
      <p className="quiet">
        {safeText(trial.suite)} → {safeText(trial.target)} · {durationText(trial.duration_ms)} ·{' '}
        {timeText(trial.started_at)}
        {trial.tags.length === 0 ? '' : ` · tags: ${safeText(trial.tags.join(', '))}`}
        {trial.difficulty === null ? '' : ` · ${trial.difficulty}`}
      </p>
      <Repetitions run={run} trial={trial} />
      <Problem trial={trial} />
      <Remarks trial={trial} />
      <Grades run={run} trial={trial} />
      <TranscriptList run={run} trial={String(trial.number)} />
      <Spending row={row} />
      <Kept run={run} trial={trial} />
    </>
  );
}

function Repetitions({ run, trial }: WholeProps) {
  const filters = useSearch({ from: '/runs/$run/trials/$trial' });
  if (trial.repetitions.length < 2) return null;
  return (
    <nav aria-label="Repetitions" className="tabs">
      <span className="quiet">Repetitions</span>
      {trial.repetitions.map(({ number, key, repetition, status }) => (
        <Link
          key={key}
          to="/runs/$run/trials/$trial"
          params={{ run, trial: String(number) }}
          search={filters}
          aria-current={number === trial.number ? 'page' : undefined}
        >
          {repetition} <Verdict status={status} />
        </Link>
      ))}
    </nav>
  );
}

function Problem({ trial: { row } }: { readonly trial: WholeTrial }) {
  if (row.skipped !== undefined) return <p className="problem">Skipped: {row.skipped}</p>;
  if (row.error === undefined) return null;
  return (
    <div className="problem">
      <p>
        Not measured: {safeText(row.error.kind)} ({safeText(row.error.stage)})
      </p>
      <LongText text={row.error.message} />
      {row.error.hint === undefined ? null : <p className="quiet">{safeText(row.error.hint)}</p>}
    </div>
  );
}

function Remarks({ trial: { row } }: { readonly trial: WholeTrial }) {
  const { failureClass, flags = [], notes = [], limit, unenforced = [], end } = row;
  const remarks = [
    ...(failureClass === undefined ? [] : [`Failure class: ${failureClass.label ?? failureClass.id}`]),
    ...(end === undefined ? [] : [`Ended by ${end.by}${end.reason === undefined ? '' : `: ${end.reason}`}`]),
    ...(limit === undefined ? [] : [`Limit reached: ${JSON.stringify(limit)}`]),
    ...(unenforced.length === 0 ? [] : [`Limits that could not be enforced: ${unenforced.join(', ')}`]),
    ...flags.map((flag) => `Flag: ${flag}`),
    ...notes.map((note) => `Note: ${note}`),
  ];
  if (remarks.length === 0) return null;
  return (
    <ul className="remarks">
      {remarks.map((remark) => (
        <li key={remark}>
          <LongText text={remark} most={600} />
        </li>
      ))}
    </ul>
  );
}
