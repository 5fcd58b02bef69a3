import { apiClient, apiSender, problemOf, RefusedError } from '../../api/client.ts';
import { askingServer, fetchWith, type SaidProblem, type ServerPlace } from '../server-client.ts';

/** The API of a server, as commands use it. Its refusals are thrown as errors of a command. */
export interface ServerApi {
  readonly url: string;
  /** Asks with the client for reading. */
  get<T>(work: (client: ReturnType<typeof apiClient>) => Promise<T>): Promise<T>;
  /** Asks with the client that changes something. `worded`: gives a problem in other words. */
  send<T>(
    work: (client: ReturnType<typeof apiSender>) => Promise<T>,
    worded?: (problem: SaidProblem) => Promise<SaidProblem>,
  ): Promise<T>;
  /** The lines of an answer, as they come. `path`: below `/api/v1`. */
  lines(path: string, request: RequestInit): AsyncGenerator<string>;
}

export function serverApi(server: ServerPlace): ServerApi {
  const base = `${server.url}/api/v1`;
  const ask = fetchWith(server);
  const [reading, sending] = [apiClient(base, ask), apiSender(base, ask)];
  return {
    url: server.url,
    get: (work) => askingServer(server, () => work(reading)),
    send: (work, worded) => askingServer(server, () => work(sending), worded),
    async *lines(path, request) {
      const answer = await askingServer(server, async () => {
        const response = await ask(`${base}${path}`, request);
        if (response.ok) return response;
        throw new RefusedError(response.status, problemOf(await response.json()));
      });
      yield* linesOf(answer);
    },
  };
}

async function* linesOf({ body }: Response): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body ?? []) {
    const pieces = decoder.decode(chunk as Uint8Array, { stream: true }).split('\n');
    pieces[0] = rest + (pieces[0] ?? '');
    rest = pieces.pop() ?? '';
    yield* pieces;
  }
  if (rest !== '') yield rest;
}
