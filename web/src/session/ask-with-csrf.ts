import type { Problem } from '../../../src/api/resources/problem.ts';

/** Where the text that proves a page of ours comes from. */
export interface CsrfSource {
  csrf(): Promise<string | null>;
  /** The text as the server has it now. */
  fresh(): Promise<string | null>;
}

/** Adds `X-Assay-CSRF` to requests. Another tab may have signed in again: then the text is asked for once more. */
export function askWithCsrf(ask: typeof fetch, source: CsrfSource): typeof fetch {
  return async (place, request) => {
    const sent = async (csrf: string | null) => {
      const headers = new Headers(request?.headers);
      if (csrf !== null) headers.set('X-Assay-CSRF', csrf);
      return await ask(place, { ...request, headers });
    };
    const answer = await sent(await source.csrf());
    return (await isForged(answer)) ? await sent(await source.fresh()) : answer;
  };
}

async function isForged(answer: Response): Promise<boolean> {
  if (answer.status !== 403) return false;
  return ((await answer.clone().json()) as Problem).error.code === 'csrf';
}
