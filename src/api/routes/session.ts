import { endedSession, session, sessionBody } from '../resources/session.ts';
import { create, readStore, write, type Route } from '../route.ts';

/** The session of a browser. */
export const sessionRoutes = {
  getSession: readStore({
    path: '/session',
    summary: 'The account and token of this request',
    answer: session,
  }),
  signIn: create({
    path: '/session',
    summary: 'Sign in: exchange an API token for a session cookie that is valid for 12 hours',
    body: sessionBody,
    answer: session,
  }),
  signOut: write({
    method: 'DELETE',
    path: '/session',
    summary: 'Sign out: end the session of the cookie',
    answer: endedSession,
  }),
} as const satisfies Readonly<Record<string, Route>>;
