import type { TakenCase } from '../../../authoring/stored/map.ts';
import type { AskedCases } from '../../../authoring/stored/selector.ts';
import type { KeptCase } from '../../../core/case-store.ts';
import type { Problem } from '../../../core/problem.ts';
import type { Store } from '../../../core/store.ts';
import type { ToolMock } from '../../../core/test-case.ts';
import type { CaseSource } from './case-source.ts';
import { casesCalled } from './cases-called.ts';

type Cases = Pick<Store['cases'], 'selected' | 'hasSet' | 'mocksOf'>;

/** The test cases of the store. `folder`: where paths of the expectations of a run start. */
export function casesOfStore(
  { place, cases }: Pick<Store, 'place'> & { cases: Cases },
  folder: string,
): CaseSource {
  return {
    folder,
    tellsEmpty: true,
    async read({ among, ...selector }: AskedCases) {
      const problems = [
        ...(await setFaults(cases, selector.set, place)),
        ...(await nameFaults(cases, selector.ids ?? [], place)),
      ];
      if (problems.length > 0) return { cases: [], problems };
      const found =
        among === undefined
          ? await cases.selected(selector)
          : (await cases.selected({ ids: [...among], ...selector })).filter(({ id }) => among.has(id));
      return { cases: await withMocks(cases, found, folder), problems };
    },
  };
}

const NONE: readonly ToolMock[] = [];

/** Cases with their mocks, as a run takes them. */
export async function withMocks(
  cases: Pick<Cases, 'mocksOf'>,
  kept: readonly KeptCase[],
  directory: string,
): Promise<readonly TakenCase[]> {
  const mocks = await cases.mocksOf(kept.map(({ id }) => id));
  return kept.map(({ id, fields, member }) => {
    const taken = takenCase({ id, fields, mocks: mocks.get(id) ?? NONE }, directory);
    return member === undefined ? taken : { ...taken, repeatFactor: member.repetitions };
  });
}

/** A case of the store or of a frozen copy as a run takes it. */
export function takenCase(
  { id, fields, mocks }: Pick<KeptCase, 'id' | 'fields'> & { readonly mocks: readonly ToolMock[] },
  directory: string,
): TakenCase {
  return { id, case: fields as TakenCase['case'], directory, mocks, movedMocks: 0 };
}

async function setFaults(
  cases: Pick<Cases, 'hasSet'>,
  set: string | undefined,
  file: string,
): Promise<readonly Problem[]> {
  if (set === undefined || (await cases.hasSet(set))) return [];
  const message = `no set in the store has the id or name ${JSON.stringify(set)}`;
  return [{ file, path: ['select', 'set'], code: 'unknown-set', message, hint: 'correct the id or name' }];
}

/** Names that no case has, or several. */
async function nameFaults(cases: Cases, ids: readonly string[], file: string): Promise<readonly Problem[]> {
  const problems: Problem[] = [];
  const called = await casesCalled(cases, ids);
  for (const id of ids) {
    const found = called(id);
    const name = JSON.stringify(id);
    if (found.length === 0) {
      const message = `no test case in the store has the id or name ${name}`;
      problems.push({
        file,
        path: ['select', 'id'],
        code: 'unknown-case',
        message,
        hint: '`assay cases list --status any` shows them',
      });
    } else if (found.length > 1) {
      const message = `${found.length} test cases in the store are named ${name}`;
      const known = found.map((each) => each.id).join(', ');
      const hint = `use the id of one of them: ${known}`;
      problems.push({ file, path: ['select', 'id'], code: 'ambiguous-name', message, hint });
    }
  }
  return problems;
}
