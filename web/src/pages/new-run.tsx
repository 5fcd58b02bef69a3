import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useRef, useState, type FormEvent } from 'react';

import type { RunResource } from '../../../src/api/resources/run.ts';
import { askedCases } from '../cases/case-filters.ts';
import { safeText } from '../parts/safe-text.ts';
import { useTitle } from '../parts/use-title.ts';
import { Refused } from '../session/refused.tsx';
import { useAction } from '../session/use-action.ts';
import { useSend } from '../session/use-send.ts';
import { FilterBar } from './cases/filter-bar.tsx';
import { AskedFields } from './new-run/asked-fields.tsx';
import { bodyOf, NOTHING_ASKED, type Asked, type Plan } from './new-run/plan.ts';
import { PlanView } from './new-run/plan-view.tsx';

/** A run of the cases that the address selects: its plan and its cost first, then the start. */
export function NewRunPage() {
  useTitle('New run');
  const { id, ...filters } = useSearch({ from: '/runs/new' });
  const select = { ...askedCases(filters), ...(id === undefined ? {} : { id }) };
  const navigate = useNavigate();
  const [asked, setAsked] = useState<Asked>(NOTHING_ASKED);
  const { plan, start, forget, planned, error, isBusy } = useNewRun(select, (run) => {
    void navigate({ to: '/runs/$run', params: { run } });
  });
  const change = (next: Partial<Asked>) => {
    setAsked({ ...asked, ...next });
    forget();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void (planned === undefined ? plan(asked) : start(asked));
  };
  return (
    <>
      <p className="path">
        <Link to="/cases" search={filters}>
          ← Cases
        </Link>
      </p>
      <h1>New run</h1>
      {id === undefined ? (
        <FilterBar
          isListed
          filters={filters}
          onChange={(next) => {
            forget();
            void navigate({ to: '/runs/new', search: next, replace: true, resetScroll: false });
          }}
        />
      ) : (
        <p>
          <Link to="/runs/new">Choose other test cases</Link>
        </p>
      )}
      <p aria-live="polite">{safeText(selectedText(select))}</p>
      <form className="stack" noValidate onSubmit={submit}>
        <AskedFields asked={asked} onChange={change} />
        {error === undefined ? null : <Refused what="This run cannot start" error={error} />}
        {planned === undefined ? null : <PlanView plan={planned} />}
        <div className="row">
          <button type="submit" className="main" aria-disabled={isBusy}>
            {planned === undefined ? 'Show the plan' : 'Start this run'}
          </button>
        </div>
      </form>
    </>
  );
}

function useNewRun(select: object, onStarted: (run: string) => void) {
  const send = useSend();
  const queries = useQueryClient();
  const [planned, setPlanned] = useState<Plan>();
  const { act, isBusy, error } = useAction();
  // A start that is sent again, such as after a lost connection, is the same start.
  const key = useRef('');
  const post = (body: object, idempotencyKey?: string) =>
    send<'startRun'>(
      ['POST', '/runs'],
      { path: {}, body: { ...body } },
      idempotencyKey === undefined ? {} : { idempotencyKey },
    );
  return {
    planned,
    error,
    isBusy,
    forget: () => setPlanned(undefined),
    plan: (asked: Asked) =>
      act(async () => {
        const { answer } = await post({ ...bodyOf(asked, select), dry_run: true });
        key.current = crypto.randomUUID();
        setPlanned(answer as unknown as Plan);
      }),
    start: (asked: Asked) =>
      act(async () => {
        const { answer } = await post({ ...bodyOf(asked, select), ...seedOf(planned) }, key.current);
        void queries.invalidateQueries({ queryKey: ['runs'] });
        onStarted((answer as RunResource).id);
      }),
  };
}

/** The run is the one that was shown: without a seed in the config, each plan has another. */
function seedOf(planned: Plan | undefined): object {
  return planned === undefined ? {} : { seed: planned.seed };
}

const WORDS: Readonly<Record<string, string>> = {
  tag_any: 'any of the tags',
  tag_all: 'all of the tags',
  search: 'the text',
  set: 'the set',
};

function selectedText(select: Readonly<Record<string, unknown>>): string {
  const { id, ...rest } = select;
  if (Array.isArray(id))
    return id.length === 1 ? 'One selected test case.' : `${id.length} selected test cases.`;
  const parts = Object.entries(rest).map(
    ([name, value]) => `${WORDS[name] ?? name} ${[value].flat().join(', ')}`,
  );
  return parts.length === 0 ? 'All active test cases.' : `Test cases with ${parts.join('; ')}.`;
}
