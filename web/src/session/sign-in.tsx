import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, type FormEvent } from 'react';

import { apiSender, RefusedError } from '../../../src/api/client.ts';
import { messageOf } from '../../../src/core/errors.ts';
import { BASE } from '../api.ts';
import { askAgain } from '../long-lists.ts';
import { safeText } from '../parts/safe-text.ts';
import { setSignedOut } from './signed-out.ts';
import { sessionQuery } from './use-session.ts';

const send = apiSender(BASE);

/** Stands over the page that was wanted. That page keeps its address, and what somebody typed. */
export function SignIn() {
  const field = useRef<HTMLInputElement>(null);
  const { signIn, hadSession, wrong, isBusy } = useSignIn();
  const [token, setToken] = useState('');
  useTitleMeanwhile('Sign in · assay');
  useEffect(() => {
    field.current?.focus();
    return () => document.getElementById('main')?.focus();
  }, []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void signIn(token.trim()).then(() => field.current?.focus());
  };
  return (
    <main className="sign-in">
      <h1>Sign in</h1>
      {hadSession ? (
        <p aria-live="polite">Your session has ended. Sign in again: what you typed is kept.</p>
      ) : null}
      <form className="stack" onSubmit={submit}>
        <div className="field">
          <label htmlFor="token">API token</label>
          <input
            ref={field}
            id="token"
            type="password"
            autoComplete="current-password"
            required
            value={token}
            aria-invalid={wrong !== undefined}
            aria-describedby="token-help token-wrong"
            onChange={({ target }) => setToken(target.value)}
          />
          <p id="token-wrong" className="wrong" role="alert">
            {wrong === undefined ? null : safeText(wrong)}
          </p>
          <p id="token-help" className="quiet">
            Ask an admin for a token, or create one: <code>assay tokens create EMAIL --name NAME</code>. The
            session lasts 12 hours.
          </p>
        </div>
        <div>
          <button type="submit" className="main" disabled={isBusy}>
            Sign in
          </button>
        </div>
      </form>
    </main>
  );
}

function useSignIn() {
  const queries = useQueryClient();
  const [wrong, setWrong] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const signIn = async (token: string) => {
    setIsBusy(true);
    try {
      const { answer } = await send<'signIn'>(['POST', '/session'], { path: {}, body: { token } });
      const former = queries.getQueryData(sessionQuery.queryKey);
      // Nothing that another account saw or typed stays in memory.
      if (former !== undefined && former.account_id !== answer.account_id) return location.reload();
      queries.setQueryData(sessionQuery.queryKey, answer);
      setSignedOut(false);
      void queries.resetQueries({ predicate: ({ state }) => state.status === 'error' });
      askAgain(queries, [[]]);
    } catch (error) {
      setWrong(wordsOf(error));
      setIsBusy(false);
    }
  };
  const hadSession = queries.getQueryData(sessionQuery.queryKey) !== undefined;
  return { signIn, hadSession, wrong, isBusy };
}

function wordsOf(error: unknown): string {
  if (!(error instanceof RefusedError)) return `The server did not answer: ${messageOf(error)}`;
  const { code, message, hint } = error.problem;
  if (code === 'unauthorized') return 'This token is unknown, expired or revoked.';
  return hint === undefined ? message : `${message}: ${hint}`;
}

/** The page below keeps the title that it gave itself. */
function useTitleMeanwhile(title: string): void {
  useEffect(() => {
    const before = document.title;
    document.title = title;
    return () => {
      document.title = before;
    };
  }, [title]);
}
