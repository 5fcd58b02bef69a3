import type { ErrorComponentProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { RefusedError } from '../../../src/api/client.ts';
import { messageOf } from '../../../src/core/errors.ts';
import { safeText } from './safe-text.ts';
import { useTitle } from './use-title.ts';

export function Loading({ what }: { readonly what: string }) {
  return (
    <p className="quiet" role="status">
      Loading {what} …
    </p>
  );
}

/** Where a list has no entries: why, or what to do. */
export function Empty({ children }: { readonly children: ReactNode }) {
  return <p className="empty">{children}</p>;
}

/** Why something could not be shown, in the server's words. */
export function Failed({ error }: { readonly error: Error }) {
  const isRefused = error instanceof RefusedError;
  const hint = isRefused ? hintForPeople(error) : 'Is the server still running? Then reload this page.';
  return (
    <div className="problem" role="alert">
      <p>{isRefused ? safeText(error.message) : `The server did not answer: ${safeText(error.message)}`}</p>
      {hint === undefined ? null : <p className="quiet">{safeText(hint)}</p>}
    </div>
  );
}

/** Hints that name a route are for programs. */
function hintForPeople({ problem: { hint } }: RefusedError): string | undefined {
  return hint?.startsWith('GET /') === true ? undefined : hint;
}

export function NotFound() {
  useTitle('Page not found');
  return (
    <>
      <h1>Page not found</h1>
      <p className="problem" role="alert">
        This address has no page. Start again at the overview.
      </p>
    </>
  );
}

/** A page that could not be drawn. */
export function Broken({ error }: ErrorComponentProps) {
  return (
    <>
      <h1>Page not shown</h1>
      <div className="problem" role="alert">
        <p>This page could not be shown: {safeText(messageOf(error))}</p>
        <p className="quiet">
          Reload it. If it happens again, please report it with the address of the page.
        </p>
      </div>
    </>
  );
}
