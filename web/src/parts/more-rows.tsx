import { safeText } from './safe-text.ts';

/** A list that is loaded page by page. */
interface PagedList {
  readonly error: Error | null;
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly isFetchNextPageError: boolean;
  fetchNextPage(): unknown;
}

/** Loads more; undefined if all are loaded, more are on their way, or the last try failed. */
export function moreOf(list: PagedList): (() => void) | undefined {
  const isReady = list.hasNextPage && !list.isFetchingNextPage && !list.isFetchNextPageError;
  return isReady ? () => void list.fetchNextPage() : undefined;
}

/** A page that failed is asked for again only on demand. */
export function MoreFailed({ list }: { readonly list: PagedList }) {
  if (!list.isFetchNextPageError) return null;
  return (
    <div className="problem" role="alert">
      <p>The rest of the list could not be loaded: {safeText(list.error?.message ?? '')}</p>
      <button type="button" disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
        Try again
      </button>
    </div>
  );
}
