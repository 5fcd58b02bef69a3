import { allPages } from '../../api/all-pages.ts';
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
      const runs = await allPages((page) =>
        api.get((get) => get<'listRuns'>('/runs', { path: {}, query: { sort: 'started_at', ...page } })),
      );
      return runs.map(({ id }) => id);
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
