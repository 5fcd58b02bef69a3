import type { ErrorComponentProps } from '@tanstack/react-router';

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

/** Why something could not be shown, in the server's words. */
export function Failed({ error }: { readonly error: Error }) {
  const hint = error instanceof RefusedError ? error.problem.hint : 'Is `assay view` still running?';
  return (
    <div className="problem" role="alert">
      <p>{safeText(error.message)}</p>
      {hint === undefined ? null : <p className="quiet">{safeText(hint)}</p>}
    </div>
  );
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
    <div className="problem" role="alert">
      <h1>Page not shown</h1>
      <p>This page could not be shown: {safeText(messageOf(error))}</p>
      <p className="quiet">Reload it. If it happens again, please report it with the address of the page.</p>
    </div>
  );
}
