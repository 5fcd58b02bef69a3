import { useParams } from '@tanstack/react-router';

import type { RunResource } from '../../../src/api/resources/run.ts';
import { outcomesText, rateNote } from '../../../src/reading/outcomes.ts';
import {
  boundsText,
  costText,
  durationText,
  scoreText,
  SPENDER_WORDS,
} from '../../../src/reading/phrases.ts';
import type { Totals } from '../../../src/reading/totals.ts';
import { Rate } from '../parts/rate.tsx';
import { safeText } from '../parts/safe-text.ts';
import { StateMark } from '../parts/state-mark.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { timeText } from '../parts/times.ts';
import { useRowKeys } from '../parts/use-keys.ts';
import { useTitle } from '../parts/use-title.ts';
import { useRun } from '../queries.ts';
import { Attention } from './run/attention.tsx';
import { Errored } from './run/errored.tsx';
import { Matrix } from './run/matrix.tsx';
import { Targets } from './run/targets.tsx';
import { Trials } from './run/trials.tsx';

/** One run: what needs attention, what it came to, and its trials. */
export function RunPage() {
  const { run: id } = useParams({ from: '/runs/$run' });
  useTitle(`Run ${id}`);
  useRowKeys();
  const run = useRun(id);
  if (run.data === undefined) {
    return (
      <>
        <h1>Run {safeText(id)}</h1>
        {run.isPending ? <Loading what="the run" /> : <Failed error={run.error} />}
      </>
    );
  }
  return <Shown key={run.data.id} run={run.data} />;
}

function Shown({ run }: { readonly run: RunResource }) {
  const { id, totals, state, error, started_at: started, manifest } = run;
  return (
    <>
      <h1>Run {id}</h1>
      <p className="quiet">
        <StateMark state={state} /> {started === null ? '' : `· ${timeText(started)} `}
        {run.duration_ms === null ? '' : `· ${durationText(run.duration_ms)} `}·{' '}
        {safeText(run.line ?? 'unknown tests')} → {safeText(run.targets.join(', '))}
      </p>
      {error === null ? null : <p className="problem">{safeText(error.message)}</p>}
      {manifest?.noEvidence === undefined ? null : (
        <p className="problem">The results are inconclusive: {safeText(manifest.noEvidence)}</p>
      )}
      {totals === null ? null : (
        <>
          <TotalsPart run={run} totals={totals} />
          <Attention run={id} state={state} count={attentionCount(totals)} />
          <Errored run={id} by={totals.erroredBy} />
          <Targets run={run} />
          <Matrix run={id} state={state} />
          <Trials run={id} state={state} />
        </>
      )}
    </>
  );
}

function attentionCount({ byStatus }: Totals): number {
  return byStatus.failed + byStatus.errored + byStatus['unexpected-passed'];
}

function TotalsPart({ run, totals }: { readonly run: RunResource; readonly totals: Totals }) {
  const bounds = boundsText(totals.passRate, totals.counts.errored);
  const note = rateNote(totals);
  const { simulatorError } = totals;
  return (
    <section aria-label="Totals" className="totals">
      <p className="large">
        Passed: <Rate rate={totals.passRate} />
      </p>
      <p>
        {outcomesText(totals, ['passed', 'failed', 'errored'])}
        {run.planned === null ? '' : `; ${totals.counts.total} of ${run.planned} trials done`}
      </p>
      {run.state === 'running' && run.planned !== null ? (
        <progress value={totals.counts.total} max={run.planned} aria-label="Trials done" />
      ) : null}
      {bounds === undefined ? null : <p>{bounds}</p>}
      {note === undefined ? null : <p className="quiet">{note}</p>}
      <dl className="facts">
        <Fact title="Average score">
          {scoreText(totals.score.mean)} over {totals.score.n}
        </Fact>
        {SPENDER_WORDS.map(([spender, word]) => (
          <Fact key={spender} title={`Cost of ${word}`}>
            {costText(totals.costUsd[spender])}
          </Fact>
        ))}
        {totals.retried === 0 ? null : <Fact title="Retried">{totals.retried} trials</Fact>}
        {simulatorError.simulated === 0 ? null : (
          <Fact title="Doubtful simulated users">
            {simulatorError.flagged} of {simulatorError.simulated}
          </Fact>
        )}
        {run.manifest?.exitCode === undefined ? null : <Fact title="Exit code">{run.manifest.exitCode}</Fact>}
      </dl>
      <Conditions run={run} />
    </section>
  );
}

function Fact({ title, children }: { readonly title: string; readonly children: React.ReactNode }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Conditions({ run: { manifest } }: { readonly run: RunResource }) {
  const gates = manifest?.gates ?? [];
  return (
    <>
      {gates.map(({ gate, holds, says }) => (
        <p key={gate}>
          Gate <code>{safeText(gate)}</code>:{' '}
          {holds === null ? 'could not be measured' : holds ? 'met' : 'not met'} ({safeText(says)})
        </p>
      ))}
      {manifest?.baseline === undefined ? null : (
        <p>Baseline {safeText(`${manifest.baseline.base}: ${manifest.baseline.sentence}`)}</p>
      )}
    </>
  );
}
