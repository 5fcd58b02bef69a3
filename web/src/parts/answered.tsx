import type { ReactNode } from 'react';

import { Failed, Loading } from './states.tsx';

interface AnsweredProps<Data> {
  readonly of: {
    readonly data: Data | undefined;
    readonly error: Error | null;
    readonly isPending: boolean;
  };
  readonly what: string;
  readonly children: (data: Data) => ReactNode;
}

/** What the server answered, or that it is loading, or why it could not be loaded. */
export function Answered<Data>({ of: { data, error, isPending }, what, children }: AnsweredProps<Data>) {
  return (
    <>
      {isPending ? <Loading what={what} /> : null}
      {error === null ? null : <Failed error={error} />}
      {data === undefined ? null : children(data)}
    </>
  );
}
