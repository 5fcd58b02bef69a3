import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

import { sessionQuery } from '../session/use-session.ts';
import { useSignedOut } from '../session/signed-out.ts';
import { applyChanges } from './apply-changes.ts';
import { followFeed } from './follow-feed.ts';
import { isLive } from './is-live.ts';
import { staleQueries } from './stale-queries.ts';

const ADDRESS = '/api/v1/feed';

/** Keeps what a page shows up to date: of one run with its trials, or of all runs; undefined: not yet. */
export function useFeed(of: { readonly run: string } | 'all' | undefined): void {
  const queries = useQueryClient();
  const isOut = useSignedOut();
  const address =
    of === undefined || isOut
      ? undefined
      : of === 'all'
        ? ADDRESS
        : `${ADDRESS}?run=${encodeURIComponent(of.run)}`;
  useEffect(() => {
    if (address === undefined) return undefined;
    const stale = staleQueries(queries);
    let opened = 0;
    let isFirst = true;
    const end = followFeed({
      address,
      onChanges: (changes) => {
        stale.add(applyChanges(queries, changes));
        // What ended between the answer of a list and the first message is told by neither.
        if (isFirst) stale.add(changes.runs.filter(isLive).map(({ id }) => ['trials', id]));
        isFirst = false;
      },
      onOpen: () => {
        if (opened > 0) stale.addAll();
        opened += 1;
      },
      // A feed does not say why it was refused: perhaps the session has ended.
      onRefused: () => void queries.invalidateQueries({ queryKey: sessionQuery.queryKey }),
    });
    return () => {
      end();
      stale.end();
    };
  }, [queries, address]);
}
