import { apiClient, taggedClient } from '../../src/api/client.ts';
import { setSignedOut } from './session/signed-out.ts';

/** Below this address is the API. */
export const BASE = '/api/v1';

/** Asks the server, and notes when it answers that nobody is signed in. */
export const ask: typeof fetch = async (...request) => {
  const response = await fetch(...request);
  if (response.status === 401) setSignedOut(true);
  return response;
};

export const api = apiClient(BASE, ask);

/** The same with versions. */
export const tagged = taggedClient(BASE, ask);
