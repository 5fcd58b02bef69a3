import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { RefusedError } from '../../../src/api/client.ts';
import type { KeptEdit } from '../form/kept-edit.ts';
import { useKeptEdit } from '../form/use-kept-edit.ts';
import { useAction } from '../session/use-action.ts';
import { useSend } from '../session/use-send.ts';
import { isSameList, memberList, membersBody, type MemberList } from './member-list.ts';
import { refreshSets, wholeSetQuery, type WholeSet } from './queries.ts';

/** What is wrong with members, by their case. */
type Wrong = ReadonlyMap<string, string>;

const NONE: Wrong = new Map();

/** The members of a set while they are edited: they are saved all at once. */
export function useMembers(whole: WholeSet) {
  const { id } = whole.set;
  const queries = useQueryClient();
  const send = useSend();
  const { edit, isChanged, isRestored, change, rebase, discard } = useKeptEdit(
    `set ${id} members`,
    storedMembers(whole),
  );
  const [theirs, setTheirs] = useState<MemberList>();
  const [wrong, setWrong] = useState<Wrong>(NONE);
  const [isSaved, setIsSaved] = useState(false);
  const { act, isBusy, error } = useAction();
  const put = (ifMatch: string) =>
    send<'replaceMembers'>(
      ['PUT', '/case-sets/{id}/members'],
      { path: { id }, body: membersBody(edit.now) },
      { ifMatch },
    );
  /** Where only the name or the state of the set changed, the members are saved all the same. */
  const putOnNewer = async (): Promise<'saved' | 'stale'> => {
    const now = storedMembers(await queries.fetchQuery({ ...wholeSetQuery(id), staleTime: 0 }));
    if (isSameList(now.now, edit.base)) {
      await put(now.version);
      return 'saved';
    }
    rebase({ ...now, now: edit.now });
    setTheirs(now.now);
    return 'stale';
  };
  const save = () =>
    act(async () => {
      setWrong(NONE);
      setTheirs(undefined);
      setIsSaved(false);
      const outcome = await put(edit.version)
        .catch((thrown: unknown) => {
          if (thrown instanceof RefusedError && thrown.status === 412) return putOnNewer();
          throw thrown;
        })
        .catch((thrown: unknown) => {
          const found = wrongMembers(thrown, edit.now);
          setWrong(found);
          if (found.size === 0) throw thrown;
          return 'wrong';
        });
      if (outcome === 'stale' || outcome === 'wrong') return;
      await refreshSets(queries, id);
      discard();
      setIsSaved(true);
    });
  return { edit, isChanged, isRestored, change, discard, save, isBusy, isSaved, error, wrong, theirs };
}

function storedMembers({ set, members }: WholeSet): KeptEdit<MemberList> {
  const list = memberList(members);
  return { now: list, base: list, version: set.updated_at };
}

function wrongMembers(error: unknown, list: MemberList): Wrong {
  const problems = error instanceof RefusedError ? (error.problem.problems ?? []) : [];
  return new Map(
    problems.map(({ param, message, hint }) => {
      // The row and its field say where.
      const words = message.replace(/^\[\d+\]\.\w+: /, '');
      return [list[Number.parseInt(param, 10)]?.id ?? '', hint === undefined ? words : `${words} (${hint})`];
    }),
  );
}
