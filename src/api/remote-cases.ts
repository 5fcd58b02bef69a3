import type {
  CaseFields,
  CaseStore,
  CaseWithMocks,
  CaseWrite,
  ImportChoice,
  ImportedCase,
  ImportOutcome,
} from '../core/case-store.ts';
import { SELECTOR_NAMES } from '../core/request-names.ts';
import type { CaseSelector } from '../core/run-options.ts';
import { renamed } from '../lib/renamed.ts';
import { addressOf, apiClient, apiSender, RefusedError } from './client.ts';
import { exportedIn, importLines, keptCase, mockOf } from './case-lines.ts';
import type { TestCaseResource } from './resources/test-case.ts';

/** The test cases of a server, as commands use them. */
export type RemoteCases = Pick<
  CaseStore,
  'selected' | 'takeWithMocks' | 'called' | 'hasSet' | 'mocks' | 'replace' | 'import'
>;

/** The test cases of the server with this base address of its API. */
export function remoteCases(base: string, ask: typeof fetch): RemoteCases {
  const get = apiClient(base, ask);
  const send = apiSender(base, ask);
  const mocks = async (id: string) => {
    const { data } = await get<'getTestCaseMocks'>('/test-cases/{id}/mocks', { path: { id } });
    return data.map(mockOf);
  };
  /** An export holds cases and mocks as they were at one time. */
  const exported = async (selector: CaseSelector): Promise<readonly CaseWithMocks[]> => {
    const query = { ...renamed(selector, SELECTOR_NAMES), format: 'jsonl' };
    const response = await ask(`${base}${addressOf('/test-cases/export', { path: {}, query })}`);
    const text = await response.text();
    if (!response.ok) throw new RefusedError(response.status, problemIn(text));
    const lines = text.split('\n').filter((line) => line !== '');
    return lines.flatMap(exportedIn).map(({ kept, mocks: own }) => ({ ...kept, mocks: own }));
  };
  return {
    selected: exported,
    takeWithMocks: async (selector, take) => take(await exported(selector)),
    async called(idOrName) {
      try {
        const query = { id: [idOrName], limit: 200 };
        const { data } = await get<'listTestCases'>('/test-cases', { path: {}, query });
        return data.map(keptCase);
      } catch (error) {
        if (error instanceof RefusedError && error.status === 404) return [];
        throw error;
      }
    },
    async hasSet(set) {
      try {
        await get<'listTestCases'>('/test-cases', { path: {}, query: { set, limit: 1 } });
        return true;
      } catch (error) {
        if (error instanceof RefusedError && error.status === 404) return false;
        throw error;
      }
    },
    mocks,
    replace: (id, fields, expected) => replaced(send, { id, fields, expected }),
    import: (cases, how) => imported(send, cases, how),
  };
}

type Send = ReturnType<typeof apiSender>;

interface Replaced {
  readonly id: string;
  readonly fields: CaseFields;
  readonly expected: string | undefined;
}

/** Changes the fields that this program knows: those of a newer server stay as they are. */
async function replaced(send: Send, { id, fields, expected = '*' }: Replaced): Promise<CaseWrite> {
  try {
    const sent = { path: { id }, body: { ...fields } };
    const how = { ifMatch: expected };
    const { answer } = await send<'changeTestCase'>(['PATCH', '/test-cases/{id}'], sent, how);
    return { outcome: 'written', case: keptCase(answer) };
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    if (error.status === 404) return { outcome: 'unknown' };
    if (error.status !== 412) throw error;
    return { outcome: 'stale', case: keptCase(error.problem.current as TestCaseResource) };
  }
}

async function imported(
  send: Send,
  cases: readonly ImportedCase[],
  { onConflict, match, isDryRun = false }: ImportChoice,
): Promise<ImportOutcome> {
  const query = { on_conflict: onConflict, match, dry_run: String(isDryRun) };
  const file = { type: 'application/jsonl', text: importLines(cases) } as const;
  try {
    const sent = { path: {}, query, file };
    const { answer } = await send<'importTestCases'>(['POST', '/test-cases/import'], sent);
    return { items: answer.items.map(({ id, result }) => ({ result, ...(id === undefined ? {} : { id }) })) };
  } catch (error) {
    const problems = error instanceof RefusedError ? conflictsIn(error) : undefined;
    if (problems === undefined) throw error;
    return { problems };
  }
}

type Conflict = Extract<ImportOutcome, { readonly problems: unknown }>['problems'][number];

/** The problems of an import that are about cases of the store; undefined if it has others. */
function conflictsIn({ problem: { problems = [] } }: RefusedError): readonly Conflict[] | undefined {
  const conflicts = problems.flatMap(({ code, param, message }): readonly Conflict[] => {
    const [, index] = /^items\.(\d+)$/.exec(param) ?? [];
    const isConflict = code === 'case-exists' || code === 'ambiguous-name';
    return index !== undefined && isConflict ? [{ index: Number(index), code, message }] : [];
  });
  return conflicts.length > 0 && conflicts.length === problems.length ? conflicts : undefined;
}

function problemIn(text: string): RefusedError['problem'] {
  return (JSON.parse(text) as { readonly error: RefusedError['problem'] }).error;
}
