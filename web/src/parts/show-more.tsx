interface ShowMoreProps {
  readonly of: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => Promise<unknown>;
  };
  readonly what: string;
}

/** Loads the next page of a list, if there is one. */
export function ShowMore({ of, what }: ShowMoreProps) {
  if (!of.hasNextPage) return null;
  return (
    <div>
      <button type="button" disabled={of.isFetchingNextPage} onClick={() => void of.fetchNextPage()}>
        Show more {what}
      </button>
    </div>
  );
}
