import { endedSession, session, sessionBody } from '../resources/session.ts';
import { read, write, type Route } from '../route.ts';

/** The session of a browser. */
export const sessionRoutes = {
  getSession: read({
    path: '/session',
    summary: 'Who makes this request',
    answer: session,
    needs: 'store',
  }),
  signIn: write({
    method: 'POST',
    path: '/session',
    summary: 'Exchange an API token for the cookie of a session of 12 hours',
    body: sessionBody,
    status: 201,
    answer: session,
  }),
  signOut: write({
    method: 'DELETE',
    path: '/session',
    summary: 'End the session of the cookie',
    status: 200,
    answer: endedSession,
  }),
} as const satisfies Readonly<Record<string, Route>>;
