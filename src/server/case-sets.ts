import type { setRoutes } from '../api/routes/sets.ts';
import type { CaseSetResource, MembersResource } from '../api/resources/case-set.ts';
import type { Tagged } from '../api/route.ts';
import type {
  CaseSetStore,
  CaseSetWrite,
  KeptCaseSet,
  MemberProblem,
  MembersWrite,
} from '../core/case-set-store.ts';
import { given } from '../lib/given.ts';
import type { HandlersOf } from './operation.ts';
import { namedPage, namedResource } from './sorted.ts';
import { type BodyProblem, invalidBody, Refusal, stale } from './refusal.ts';

/** The sets of the store. */
export function setHandlers(sets: CaseSetStore): HandlersOf<typeof setRoutes> {
  const found = async (id: string) => {
    const set = await sets.called(id);
    if (set?.id !== id.toLowerCase()) throw setNotFound(id, set);
    return set;
  };
  const written = async (path: Written, write: CaseSetWrite): Promise<Tagged<CaseSetResource>> => {
    if (write.outcome === 'unknown') throw setNotFound(path.id, await sets.called(path.id));
    return settled(path, write);
  };
  const tagged = async (set: KeptCaseSet): Promise<Tagged<MembersResource>> => ({
    answer: membersResource(await sets.members(set.id), set),
    version: set.updatedAt,
  });
  const ofMembers = async (id: string, write: MembersWrite): Promise<Tagged<MembersResource>> => {
    if (write.outcome === 'unknown') throw setNotFound(id, await sets.called(id));
    if (write.outcome === 'stale') throw stale((await tagged(write.set)).answer);
    if (write.outcome === 'refused') throw invalidBody(write.problems.map(memberProblem));
    return await tagged(write.set);
  };
  return {
    listCaseSets: ({ query }) => namedPage(query, sets),
    createCaseSet: async ({ body }) => {
      const { answer, version } = await written({ id: '', name: body.name }, await sets.create(body));
      return { answer, version, location: `/case-sets/${answer.id}` };
    },
    getCaseSet: async ({ path }) => taggedSet(await found(path.id)),
    changeCaseSet: async ({ path, expected, body }) => {
      const { archived: isArchived, ...fields } = body;
      const write = await sets.change(idOf(path), given({ ...fields, isArchived }), expected);
      return await written({ id: path.id, name: fields.name }, write);
    },
    archiveCaseSet: async ({ path, expected }) =>
      await written({ id: path.id }, await sets.change(idOf(path), { isArchived: true }, expected)),
    listMembers: async ({ path }) => await tagged(await found(path.id)),
    replaceMembers: async ({ path, expected, body }) =>
      await ofMembers(path.id, await sets.replaceMembers(idOf(path), body.map(memberOf), expected)),
    addMembers: async ({ path, body }) =>
      await ofMembers(path.id, await sets.addMembers(idOf(path), body.map(memberOf))),
    removeMember: async ({ path, expected }) => {
      const caseId = path.test_case_id.toLowerCase();
      const write = await sets.removeMember(idOf(path), caseId, expected);
      if (write.outcome !== 'refused') return await ofMembers(path.id, write);
      throw new Refusal(404, {
        code: 'member-not-found',
        message: `the set has no member ${path.test_case_id}`,
        param: 'test_case_id',
      });
    },
  };
}

function idOf({ id }: { readonly id: string }): string {
  return id.toLowerCase();
}

/** `named`: the set with this name. */
function setNotFound(id: string, named: KeptCaseSet | undefined): Refusal {
  const shown = JSON.stringify(id);
  return new Refusal(404, {
    code: 'set-not-found',
    message: `no set has the id ${shown}`,
    hint:
      named === undefined
        ? 'GET /api/v1/case-sets lists the sets'
        : `${shown} is a name, and this address takes an id: ${named.id}`,
  });
}

function taggedSet(set: KeptCaseSet): Tagged<CaseSetResource> {
  return { answer: namedResource(set), version: set.updatedAt };
}

/** What is written, and the name that it shall have. */
interface Written {
  readonly id: string;
  readonly name?: string | undefined;
}

function settled(
  { name }: Pick<Written, 'name'>,
  write: Exclude<CaseSetWrite, { readonly outcome: 'unknown' }>,
): Tagged<CaseSetResource> {
  if (write.outcome === 'stale') throw stale(namedResource(write.set));
  if (write.outcome === 'written') return taggedSet(write.set);
  throw new Refusal(409, {
    code: 'name-taken',
    message: `another set has the name ${JSON.stringify(name)}`,
    param: 'name',
    hint: 'choose another name',
  });
}

function memberOf(member: { readonly test_case_id: string; readonly repetitions: number }) {
  return { caseId: member.test_case_id, repetitions: member.repetitions };
}

function membersResource(
  members: readonly { readonly caseId: string; readonly repetitions: number }[],
  { version }: KeptCaseSet,
): MembersResource {
  return { data: members.map(({ caseId, repetitions }) => ({ test_case_id: caseId, repetitions })), version };
}

function memberProblem({ index, caseId, reason }: MemberProblem): BodyProblem {
  const param = `${index}.test_case_id`;
  if (reason === 'duplicate') {
    return { code: 'duplicate-member', param, message: `${caseId} is already a member of the set` };
  }
  return { code: 'unknown-case', param, message: `no test case has the id ${caseId}` };
}
