import { useState } from 'react';

import { useCaseNames } from '../../cases/queries.ts';
import { Refused } from '../../session/refused.tsx';
import { safeText } from '../../parts/safe-text.ts';
import { Empty, Loading } from '../../parts/states.tsx';
import { useSession } from '../../session/use-session.ts';
import { covers } from '../../../../src/core/access.ts';
import { memberList, type MemberList } from '../../sets/member-list.ts';
import { useCasesOfSet, type WholeSet } from '../../sets/queries.ts';
import { useMembers } from '../../sets/use-members.ts';
import { AddCases } from './add-cases.tsx';
import { MemberTable, ReadMembers, type KnownCases } from './member-table.tsx';

const PAGE = 200;
/** Members of each version that are shown with a name: one request may ask for twice as many. */
const NAMED = 100;

/** The members of a set in their order. */
export function Members({ of }: { readonly of: WholeSet }) {
  const session = useSession();
  const loaded = useCasesOfSet(of.set.id);
  const [count, setCount] = useState(PAGE);
  if (session === undefined) return <Loading what="the members" />;
  const cases: KnownCases = new Map(
    loaded.data?.pages.flatMap(({ data }) => data).map(({ id, name, status }) => [id, { name, status }]),
  );
  const showMore = () => {
    setCount(count + PAGE);
    if (loaded.hasNextPage) void loaded.fetchNextPage();
  };
  const shown = { of, cases, count, showMore };
  return covers(session.role, 'member') ? <EditedMembers {...shown} /> : <OnlyRead {...shown} />;
}

interface ShownMembers {
  readonly of: WholeSet;
  readonly cases: KnownCases;
  /** Members that are shown. */
  readonly count: number;
  readonly showMore: () => void;
}

function OnlyRead({ of, cases, count, showMore }: ShownMembers) {
  const list = memberList(of.members);
  return (
    <section aria-labelledby="members">
      <h2 id="members">Members</h2>
      {list.length === 0 ? (
        <Empty>This set has no members yet.</Empty>
      ) : (
        <ReadMembers list={list.slice(0, count)} cases={cases} />
      )}
      <More list={list} count={count} showMore={showMore} />
    </section>
  );
}

function EditedMembers({ of, cases, count, showMore }: ShownMembers) {
  const { edit, isChanged, isRestored, change, discard, save, isBusy, isSaved, error, wrong, theirs } =
    useMembers(of);
  const list = edit.now;
  const changeShown = (shown: MemberList) => change([...shown, ...list.slice(count)]);
  return (
    <>
      <section aria-labelledby="members">
        <h2 id="members">Members</h2>
        {isRestored ? (
          <p className="note" aria-live="polite">
            Your changes that were not saved are here again.
          </p>
        ) : null}
        {theirs === undefined ? null : (
          <OtherMembers own={list} theirs={theirs} cases={cases} onTake={() => change(theirs)} />
        )}
        {list.length === 0 ? (
          <Empty>This set has no members yet. Search for cases below, and add them.</Empty>
        ) : (
          <MemberTable
            list={list.slice(0, count)}
            cases={cases}
            wrong={wrong}
            isBusy={isBusy}
            onChange={changeShown}
          />
        )}
        <More list={list} count={count} showMore={showMore} />
        {wrong.size === 0 ? null : (
          <p className="problem" role="alert">
            {wrong.size === 1 ? 'One member is' : `${wrong.size} members are`} wrong. Nothing was saved.
          </p>
        )}
        <Refused what="Not saved" error={error} />
        <div className="row">
          <button
            type="button"
            className="main"
            aria-disabled={isBusy || !isChanged}
            onClick={() => (isChanged ? void save() : undefined)}
          >
            Save members
          </button>
          {isChanged ? (
            <button type="button" disabled={isBusy} onClick={discard}>
              Discard changes
            </button>
          ) : null}
          <span aria-live="polite">{isSaved && !isChanged ? 'Saved.' : ''}</span>
        </div>
      </section>
      <AddCases list={list} isBusy={isBusy} onChange={change} />
    </>
  );
}

interface MoreProps {
  readonly list: MemberList;
  readonly count: number;
  readonly showMore: () => void;
}

function More({ list, count, showMore }: MoreProps) {
  if (list.length <= count) return null;
  return (
    <div className="row">
      <button type="button" onClick={showMore}>
        Show more members
      </button>
      <span className="quiet">
        {count} of {list.length.toLocaleString('en')} are shown
      </span>
    </div>
  );
}

interface OtherMembersProps {
  readonly own: MemberList;
  readonly theirs: MemberList;
  readonly cases: KnownCases;
  readonly onTake: () => void;
}

/** Both versions of the members, after somebody else saved theirs. */
function OtherMembers({ own, theirs, cases, onTake }: OtherMembersProps) {
  const first = [own, theirs].flatMap((list) => list.slice(0, NAMED).map(({ id }) => id));
  const names = useCaseNames([...new Set(first)]);
  const named = (list: MemberList) =>
    list.map((member) => ({ ...member, name: names.get(member.id) ?? member.name ?? member.id }));
  return (
    <div className="problem" role="alert">
      <h3>Somebody else saved other members meanwhile</h3>
      <p>Nothing was saved yet. Save again to replace their members, or take theirs.</p>
      <div className="sides">
        <Version title="Yours" list={named(own)} cases={cases} />
        <Version title="Saved by somebody else" list={named(theirs)} cases={cases} />
      </div>
      <div>
        <button type="button" onClick={onTake}>
          Take the other members
        </button>
      </div>
    </div>
  );
}

interface VersionProps {
  readonly title: string;
  readonly list: MemberList;
  readonly cases: KnownCases;
}

function Version({ title, list, cases }: VersionProps) {
  return (
    <div className="panel">
      <p className="quiet">{title}</p>
      <ol>
        {list.slice(0, PAGE).map(({ id, name, repetitions }) => (
          <li key={id}>
            {safeText(cases.get(id)?.name ?? name ?? id)} × {safeText(repetitions)}
          </li>
        ))}
      </ol>
      {list.length > PAGE ? <p className="quiet">and {list.length - PAGE} more</p> : null}
    </div>
  );
}
