import { endedSession, session, sessionBody } from '../resources/session.ts';
import { read, write, type Route } from '../route.ts';

/** The session of a browser. */
export const sessionRoutes = {
  getSession: read({
    path: '/session',
    summary: 'The account and token of this request',
    answer: session,
    needs: 'store',
  }),
  signIn: write({
    method: 'POST',
    path: '/session',
    summary: 'Sign in: exchange an API token for a session cookie that is valid for 12 hours',
    body: sessionBody,
    status: 201,
    answer: session,
  }),
  signOut: write({
    method: 'DELETE',
    path: '/session',
    summary: 'Sign out: end the session of the cookie',
    status: 200,
    answer: endedSession,
  }),
} as const satisfies Readonly<Record<string, Route>>;
