import { useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

import { durationText } from '../../../../src/reading/phrases.ts';
import { Empty, Failed, Loading } from '../../parts/states.tsx';
import { useTranscript } from '../../queries.ts';
import { EntryItem } from './entry-item.tsx';
import { focusTurn, turnOf } from './focus-turn.ts';
import { turnsOf } from './turns.ts';

interface TranscriptProps {
  readonly run: string;
  readonly trial: string;
  /** Turns are named for addresses: only one transcript of a page can be. */
  readonly isNamed?: boolean;
}

/** The transcript by turn. A turn that the address names gets the focus, once its page is loaded. */
export function TranscriptList({ run, trial, isNamed = false }: TranscriptProps) {
  const transcript = useTranscript(run, trial);
  const wanted = turnOf(useLocation({ select: ({ hash }) => hash }));
  const focused = useRef<number>(undefined);
  const { data, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = transcript;
  useEffect(() => {
    if (wanted === undefined || focused.current === wanted || data === undefined) return;
    if (focusTurn(wanted)) focused.current = wanted;
    else if (hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage();
  }, [wanted, data, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage]);
  const latency = new Map(data?.pages[0]?.turns.map((each) => [each.turn, each.latency_ms]));
  return (
    <div className="part">
      <h2>Transcript</h2>
      {transcript.isPending ? <Loading what="the transcript" /> : null}
      {transcript.isError ? <Failed error={transcript.error} /> : null}
      <ol className="transcript">
        {turnsOf(data?.pages.flatMap((page) => page.data) ?? []).map(({ turn, entries }) => (
          <li key={turn} id={isNamed ? `turn-${turn}` : undefined} tabIndex={-1} aria-label={`Turn ${turn}`}>
            <p className="turn">
              <span>
                Turn {turn}
                {latencyText(latency.get(turn))}
              </span>
            </p>
            {entries.map((shown) => (
              <EntryItem key={shown.place} shown={shown} />
            ))}
          </li>
        ))}
      </ol>
      {data?.pages[0]?.data.length === 0 ? <Empty>No messages.</Empty> : null}
      {hasNextPage ? (
        <button type="button" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Load more of the transcript
        </button>
      ) : null}
    </div>
  );
}

function latencyText(ms: number | undefined): string {
  return ms === undefined ? '' : ` · answered after ${durationText(ms)}`;
}
