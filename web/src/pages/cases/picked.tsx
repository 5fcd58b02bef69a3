import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRef, useState, type FormEvent } from 'react';

import { addressOf, RefusedError } from '../../../../src/api/client.ts';
import type { TestCaseResource } from '../../../../src/api/resources/test-case.ts';
import { messageOf } from '../../../../src/core/errors.ts';
import { BASE } from '../../api.ts';
import { askedCases, type CaseFilters } from '../../cases/case-filters.ts';
import { showChanged } from '../../cases/show-changed.ts';
import { askAgain } from '../../long-lists.ts';
import { lineText } from '../../parts/cut.ts';
import { safeText } from '../../parts/safe-text.ts';
import { useSend } from '../../session/use-send.ts';
import { useMay } from '../../session/use-session.ts';
import { AddToSet, useAddToSet } from './add-to-set.tsx';

interface PickedProps {
  readonly filters: CaseFilters;
  /** The selected ones. */
  readonly cases: readonly TestCaseResource[];
  /** Ids of those that were changed. */
  readonly onDone: (done: ReadonlySet<string>) => void;
}

/** What can be done with the selected cases, or with all of the list. */
export function Picked({ filters, cases, onDone }: PickedProps) {
  const { doFor, doAtOnce, isBusy, told } = useDoFor(onDone);
  const addToSet = useAddToSet();
  const send = useSend();
  const mayWrite = useMay('member');
  const archive = () =>
    doFor(cases, 'archived', ({ id, updated_at: ifMatch }) =>
      send<'archiveTestCase'>(['DELETE', '/test-cases/{id}'], { path: { id } }, { ifMatch }),
    );
  const tag = (added: string) =>
    doFor(cases, `tagged with ${added}`, ({ id, tags, updated_at: ifMatch }) => {
      const body = { tags: [...new Set([...tags, added])] };
      return send<'changeTestCase'>(['PATCH', '/test-cases/{id}'], { path: { id }, body }, { ifMatch });
    });
  const query = cases.length === 0 ? askedCases(filters) : { status: ['any'], id: cases.map(({ id }) => id) };
  const file = addressOf('/test-cases/export', { path: {}, query: { ...query, format: 'jsonl' } });
  return (
    <div className="tools" role="group" aria-label="Selected cases">
      {cases.length === 0 ? null : (
        <>
          <span>{cases.length} selected</span>
          <button type="button" disabled={isBusy} onClick={() => void archive()}>
            Archive
          </button>
          <AddTag isBusy={isBusy} onAdd={(added) => void tag(added)} />
          <AddToSet
            isBusy={isBusy}
            onAdd={({ id, name }) =>
              void doAtOnce(cases, async () => {
                const added = await addToSet(id, cases);
                return `${added} of ${cases.length} added to “${lineText(name, 60)}”.`;
              })
            }
          />
        </>
      )}
      {mayWrite ? (
        <Link
          className="button"
          to="/runs/new"
          search={cases.length === 0 ? filters : { id: cases.map(({ id }) => id) }}
        >
          {cases.length === 0 ? 'Run this list' : 'Run the selected ones'}
        </Link>
      ) : null}
      <a className="button" href={`${BASE}${file}`} download>
        {cases.length === 0 ? 'Export this list' : 'Export the selected ones'}
      </a>
      <p aria-live="polite" className="told">
        {told === undefined ? null : safeText(told)}
      </p>
    </div>
  );
}

function AddTag({ isBusy, onAdd }: { readonly isBusy: boolean; readonly onAdd: (tag: string) => void }) {
  const [text, setText] = useState('');
  const add = (event: FormEvent) => {
    event.preventDefault();
    onAdd(text.trim());
    setText('');
  };
  return (
    <form className="row" onSubmit={add}>
      <label>
        <span>Tag</span>
        <input value={text} size={12} onChange={({ target }) => setText(target.value)} />
      </label>
      <button type="submit" disabled={isBusy || text.trim() === ''}>
        Add tag
      </button>
    </form>
  );
}

type Change = (of: TestCaseResource) => Promise<{ readonly answer: TestCaseResource }>;

/** Does something to one case after the other, and says what was not done. */
function useDoFor(onDone: PickedProps['onDone']) {
  const queries = useQueryClient();
  const isUnderWay = useRef(false);
  const [isBusy, setIsBusy] = useState(false);
  const [told, setTold] = useState<string>();
  const doFor = async (cases: readonly TestCaseResource[], what: string, change: Change) => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    setIsBusy(true);
    const done = new Map<string, TestCaseResource>();
    const stale = new Map<string, TestCaseResource>();
    const wrong: string[] = [];
    for (const each of cases) {
      try {
        done.set(each.id, (await change(each)).answer);
      } catch (error) {
        wrong.push(`“${lineText(each.name, 60)}”: ${messageOf(error)}.`);
        const current = currentOf(error);
        if (current !== undefined) stale.set(each.id, current);
      }
    }
    showChanged(queries, new Map([...done, ...stale]));
    askAgain(queries, [['cases'], ['case'], ['tags']]);
    setTold(toldOf(`${done.size} of ${cases.length} ${what}.`, wrong));
    isUnderWay.current = false;
    setIsBusy(false);
    onDone(new Set(done.keys()));
  };
  /** Does something to all of them in one request. Who is refused keeps the selection. */
  const doAtOnce = async (cases: readonly TestCaseResource[], work: () => Promise<string>) => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    setIsBusy(true);
    try {
      setTold(await work());
      onDone(new Set(cases.map(({ id }) => id)));
    } catch (error) {
      setTold(`Nothing was changed: ${messageOf(error)}`);
    }
    isUnderWay.current = false;
    setIsBusy(false);
  };
  return { doFor, doAtOnce, isBusy, told };
}

/** The case as it is now, where it was changed by somebody else. */
function currentOf(error: unknown): TestCaseResource | undefined {
  const isStale = error instanceof RefusedError && error.status === 412;
  return isStale ? (error.problem.current as TestCaseResource | undefined) : undefined;
}

const MOST_TOLD = 5;

function toldOf(what: string, wrong: readonly string[]): string {
  if (wrong.length === 0) return what;
  const more = wrong.length - MOST_TOLD;
  return [
    what,
    'The others are still selected.',
    ...wrong.slice(0, MOST_TOLD),
    ...(more > 0 ? [`And ${more} more.`] : []),
  ].join(' ');
}
