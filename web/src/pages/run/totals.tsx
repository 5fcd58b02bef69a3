import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import type { RunResource } from '../../../../src/api/resources/run.ts';
import type { Cost } from '../../../../src/core/usage.ts';
import { outcomesText, rateNote, unjudgedNote } from '../../../../src/reading/outcomes.ts';
import {
  boundsText,
  costText,
  percentText,
  ratioText,
  scoreText,
  SPENDER_WORDS,
} from '../../../../src/reading/phrases.ts';
import type { ShownTotals } from '../../../../src/reading/shown-totals.ts';
import { scaleIn } from '../../parts/scale-in.ts';
import { isLive } from '../../feed/is-live.ts';
import { Figure } from '../../parts/facts.tsx';
import { Judging } from '../../parts/judging.tsx';
import { RateRange } from '../../parts/rate.tsx';
import { Shares } from '../../parts/shares.tsx';
import { useProgress } from '../../queries.ts';

interface TotalsProps {
  readonly run: RunResource;
  readonly totals: ShownTotals;
}

/** What the trials of a run with an end come to. */
export function TotalsPart({ run, totals }: TotalsProps) {
  const { passRate, counts, score, simulatorError, retried } = totals;
  const notes = [boundsText(passRate, counts.errored), rateNote(totals)].filter((note) => note !== undefined);
  const unjudged = unjudgedNote(totals);
  return (
    <section aria-label="Totals">
      <dl className="figures">
        <Figure title="Passed" value={passRate.value === null ? 'not measured' : percentText(passRate.value)}>
          {passRate.value === null ? null : (
            <>
              <small>{ratioText(passRate)}</small>
              <RateRange value={passRate.value} interval={passRate.interval} />
              <Judging of={run.judging} run={run.id} />
            </>
          )}
        </Figure>
        <Figure title="Trials" value={counts.total.toLocaleString('en')}>
          <Shares totals={totals} planned={run.planned} />
          <small>{outcomesText(totals, ['passed', 'failed', 'errored'])}</small>
          <Progress run={run} done={counts.total} />
        </Figure>
        <Figure title="Average score" value={averageText(run, score.mean)}>
          <small>
            over {score.n} {score.n === 1 ? 'trial' : 'trials'}
            {retried === 0 ? '' : `, ${retried} retried`}
          </small>
          {simulatorError.simulated === 0 ? null : (
            <small>
              doubtful simulated users: {simulatorError.flagged} of {simulatorError.simulated}
            </small>
          )}
        </Figure>
        <Figure title="Cost of the agent" value={agentCost(totals.costUsd.agent)}>
          {SPENDER_WORDS.map(([spender, word]) =>
            spender === 'agent' || isUnspent(totals.costUsd[spender]) ? null : (
              <small key={spender}>
                {word} {costText(totals.costUsd[spender])}
              </small>
            ),
          )}
          <small>
            <Link to="/runs/$run/cost" params={{ run: run.id }}>
              by role, target and case
            </Link>
          </small>
        </Figure>
      </dl>
      {unjudged === undefined ? null : <p className="warns">{unjudged}.</p>}
      {notes.map((note) => (
        <p key={note} className="quiet">
          {note}
        </p>
      ))}
    </section>
  );
}

/** An unknown cost stands out less than a number. */
function agentCost(cost: Cost): ReactNode {
  return cost.known === 0 ? <span className="quiet">{costText(cost)}</span> : costText(cost);
}

function isUnspent({ known, unknown }: Cost): boolean {
  return known + unknown === 0;
}

/** Stored cases are scored in points of 100, as their trials and their conditions say. */
function averageText({ manifest }: RunResource, mean: number | null): string {
  const scale = scaleIn(manifest);
  return mean !== null && scale === 'percent' ? `${scoreText(mean, scale)} of 100` : scoreText(mean);
}

function Progress({ run, done }: { readonly run: RunResource; readonly done: number }) {
  const progress = useProgress(run.id);
  if (run.planned === null || (!isLive(run) && done === run.planned)) return null;
  const inFlight = (progress?.targets ?? []).reduce((sum, target) => sum + target.in_flight, 0);
  return (
    <>
      {isLive(run) ? <progress value={done} max={run.planned} aria-label="Trials done" /> : null}
      <small>
        {done} of {run.planned} trials done
        {isLive(run) && inFlight > 0 ? `, ${inFlight} running now` : ''}
      </small>
    </>
  );
}
