import { apiClient, taggedClient } from '../../src/api/client.ts';
import { askInSession } from './session/ask-in-session.ts';
import { setSignedOut, signInCount } from './session/signed-out.ts';

/** Below this address is the API. */
export const BASE = '/api/v1';

/** Asks the server, and notes when it answers that nobody is signed in. */
export const ask = askInSession((...request) => fetch(...request), {
  signInCount,
  ended: () => setSignedOut(true),
});

export const api = apiClient(BASE, ask);

/** The same with versions. */
export const tagged = taggedClient(BASE, ask);
