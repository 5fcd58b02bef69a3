/** What is known of the sessions of this browser. */
export interface Sessions {
  signInCount(): number;
  /** The server answered that nobody is signed in. */
  ended(): void;
}

/** Notes a 401. One that is older than the last sign-in says nothing of the new session: the request is sent again. */
export function askInSession(ask: typeof fetch, sessions: Sessions): typeof fetch {
  const asking: typeof fetch = async (...request) => {
    const before = sessions.signInCount();
    const response = await ask(...request);
    if (response.status !== 401) return response;
    if (before === sessions.signInCount()) {
      sessions.ended();
      return response;
    }
    const method = request[1]?.method ?? 'GET';
    return method === 'GET' ? await asking(...request) : response;
  };
  return asking;
}
