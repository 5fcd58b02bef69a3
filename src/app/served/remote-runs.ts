import { AssayError } from '../../core/errors.ts';
import type { RunStore } from '../../core/run-store.ts';
import { remoteRun } from './remote-run.ts';
import type { ServerApi } from './server-api.ts';
import { storeServed } from './store-served.ts';

/** The runs of a server, to be read. What writes them is refused: `store-served`. */
export function remoteRuns(api: ServerApi, folder: string): RunStore {
  const refuse = async (): Promise<never> => {
    throw storeServed(api.url);
  };
  return {
    async find(reference) {
      const [run = '', ...target] = reference.split('#');
      // An address would lose such a path.
      if (/^\.*$/.test(run)) throw unknown(reference);
      const { id } = await api.get((get) => get<'getRun'>('/runs/{run}', { path: { run } }));
      return {
        run: remoteRun(id, api, folder),
        ...(target.length === 0 ? {} : { target: target.join('#') }),
      };
    },
    async list() {
      const ids: string[] = [];
      let cursor: string | undefined;
      do {
        const query = { sort: 'started_at', limit: 200, cursor } as const;
        const page = await api.get((get) => get<'listRuns'>('/runs', { path: {}, query }));
        ids.push(...page.data.map(({ id }) => id));
        cursor = page.next_cursor ?? undefined;
      } while (cursor !== undefined);
      return ids;
    },
    open: (id) => remoteRun(id, api, folder),
    around: async () => undefined,
    create: refuse,
    claim: refuse,
    claimAttempt: refuse,
  };
}

function unknown(reference: string): AssayError {
  return new AssayError('run-not-found', `unknown run "${reference}"`, {
    stage: 'plan',
    hint: 'use a run id, its first characters, or latest',
  });
}
