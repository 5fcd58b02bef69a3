import { Link, useSearch } from '@tanstack/react-router';

import type { TrialResource } from '../../../../src/api/resources/trial.ts';
import { neededText } from '../../../../src/reading/phrases.ts';
import { lineText } from '../../parts/cut.ts';
import { safeText } from '../../parts/safe-text.ts';
import { Empty, Failed, Loading } from '../../parts/states.tsx';
import { Verdict } from '../../parts/verdict.tsx';
import { useTrial, useTrials } from '../../queries.ts';
import { Grades } from '../trial/grades.tsx';
import { TranscriptList } from '../trial/transcript-list.tsx';
import { shownTrial } from './shown-trial.ts';
import { trialsOfSide, type AskedSide } from './trials-of-side.ts';

interface SideProps extends AskedSide {
  readonly name: 'base' | 'candidate';
  readonly title: string;
  /** Number of the trial that was chosen. */
  readonly trial: string | undefined;
}

/** One side: its repetitions of the case, and one of them whole. */
export function Side({ name, title, side, suite, caseId, target, trial }: SideProps) {
  const asked = trialsOfSide({ side, suite, caseId, target });
  const { run } = asked;
  const trials = useTrials(asked);
  const found = trials.data?.pages.flatMap(({ data }) => data) ?? [];
  const shown = shownTrial(found, trial);
  return (
    <section aria-label={title}>
      <div className="row between">
        <h2>{title}</h2>
        <Link className="mono" to="/runs/$run" params={{ run }}>
          {safeText(run)}
        </Link>
      </div>
      {trials.isPending ? <Loading what="trials" /> : null}
      {trials.isError ? <Failed error={trials.error} /> : null}
      {trials.data !== undefined && shown === undefined ? <Empty>This side has no trial of it.</Empty> : null}
      <Repetitions name={name} trials={found} shown={shown} />
      {shown === undefined ? null : <Whole key={shown.key} run={run} number={String(shown.number)} />}
    </section>
  );
}

interface RepetitionsProps {
  readonly name: SideProps['name'];
  readonly trials: readonly TrialResource[];
  readonly shown: TrialResource | undefined;
}

function Repetitions({ name, trials, shown }: RepetitionsProps) {
  const search = useSearch({ from: '/compare/trials' });
  if (trials.length < 2) return null;
  const areOfSeveral = new Set(trials.map(({ target }) => target)).size > 1;
  return (
    <nav aria-label={`Trials of the ${name}`} className="chips">
      {trials.map(({ number, target, repetition, status }) => (
        <Link
          key={number}
          to="/compare/trials"
          search={{ ...search, [`${name}_trial`]: String(number) }}
          aria-current={number === shown?.number ? 'true' : undefined}
          activeProps={{}}
          activeOptions={{ exact: true }}
          replace
          resetScroll={false}
        >
          {areOfSeveral ? `${safeText(lineText(target, 40))}, repetition` : 'Repetition'} {repetition}:&nbsp;
          <Verdict status={status} />
        </Link>
      ))}
    </nav>
  );
}

function Whole({ run, number }: { readonly run: string; readonly number: string }) {
  const trial = useTrial(run, number);
  if (trial.isPending) return <Loading what="the trial" />;
  if (trial.isError) return <Failed error={trial.error} />;
  const { data } = trial;
  return (
    <>
      <p className="row">
        <Verdict status={data.status} />
        {data.score === null ? null : <span>{neededText(data.row)}</span>}
        <Link to="/runs/$run/trials/$trial" params={{ run, trial: number }}>
          whole trial
        </Link>
      </p>
      <Grades run={run} trial={data} />
      <TranscriptList run={run} trial={number} />
    </>
  );
}
