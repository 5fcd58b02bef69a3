import { useEffect, useState } from 'react';

import type { TrialResource } from '../../../../src/api/resources/trial.ts';
import type { TrialFilters } from '../../filters.ts';
import { Name } from '../../parts/name.tsx';
import { safeText } from '../../parts/safe-text.ts';
import { Empty, Failed, Loading } from '../../parts/states.tsx';
import { useTrials } from '../../queries.ts';
import { tellsGrades } from '../../review/review-search.ts';
import { useSession } from '../../session/use-session.ts';
import { TranscriptList } from '../trial/transcript-list.tsx';
import { Verdicts } from './verdicts.tsx';

interface QueueProps {
  readonly run: string;
  readonly filters: TrialFilters;
  readonly trial: string | undefined;
  readonly onShow: (number: number) => void;
}

/** The trials to review, one at a time. Trials that were skipped have nothing to judge. */
export function Queue({ run, filters, trial, onShow }: QueueProps) {
  const trials = useTrials({ run, filters });
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = trials;
  const all = data?.pages.flatMap((page) => page.data).filter(({ status }) => status !== 'skipped') ?? [];
  const first = useFirst(JSON.stringify([run, filters]), all[0]?.number);
  const meant = trial ?? first;
  const at = meant === undefined ? 0 : all.findIndex(({ number }) => String(number) === meant);
  const isNearEnd = data !== undefined && (at === -1 || at >= all.length - 2);
  useEffect(() => {
    if (isNearEnd && hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [isNearEnd, hasNextPage, isFetchingNextPage, fetchNextPage]);
  const shown = all[at];
  const [before, next] = [all[at - 1], at === -1 ? all[0] : all[at + 1]];
  if (trials.isPending) return <Loading what="trials" />;
  if (trials.isError) return <Failed error={trials.error} />;
  if (all.length === 0) return <Empty>No trial matches these filters, or none has ended yet.</Empty>;
  return (
    <>
      <div className="row">
        <span aria-live="polite">
          {shown === undefined
            ? `Trial ${meant} is not in this queue.`
            : `${at + 1} of ${all.length}${hasNextPage ? ' or more' : ''}`}
        </span>
        <Step text="Previous" to={before} onShow={onShow} />
        <Step text="Skip to the next" to={next} onShow={onShow} />
      </div>
      {shown === undefined ? null : (
        <Reviewed key={shown.key} run={run} of={shown} isTold={tellsGrades(filters)} />
      )}
    </>
  );
}

/** The first trial of a queue stays the same, also when others end meanwhile. */
function useFirst(queue: string, number: number | undefined): string | undefined {
  const [first, setFirst] = useState<{ readonly queue: string; readonly number: number }>();
  if (first?.queue === queue) return String(first.number);
  if (number === undefined) return undefined;
  setFirst({ queue, number });
  return String(number);
}

interface StepProps {
  readonly text: string;
  readonly to: TrialResource | undefined;
  readonly onShow: (number: number) => void;
}

function Step({ text, to, onShow }: StepProps) {
  return (
    <button
      type="button"
      aria-disabled={to === undefined}
      onClick={() => (to === undefined ? undefined : onShow(to.number))}
    >
      {text}
    </button>
  );
}

interface ReviewedProps {
  readonly run: string;
  readonly of: TrialResource;
  /** The filters tell its grades. */
  readonly isTold: boolean;
}

function Reviewed({ run, of, isTold }: ReviewedProps) {
  const session = useSession();
  return (
    <>
      <h2>
        <Name text={of.case_name ?? of.case_id} />
      </h2>
      <p className="quiet">
        Trial {of.number} → {safeText(of.target)}
      </p>
      <div className="columns">
        <TranscriptList run={run} trial={String(of.number)} />
        {session === undefined ? (
          <Loading what="your reviews" />
        ) : (
          <Verdicts run={run} number={of.number} session={session} isTold={isTold} />
        )}
      </div>
    </>
  );
}
