import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useRef, useState, type FormEvent } from 'react';

import type { RunResource } from '../../../src/api/resources/run.ts';
import { askedCases } from '../cases/case-filters.ts';
import { askAgain } from '../long-lists.ts';
import { safeText } from '../parts/safe-text.ts';
import { useIsThere } from '../parts/use-is-there.ts';
import { useTitle } from '../parts/use-title.ts';
import { Refused } from '../session/refused.tsx';
import { isUnknownOutcome } from '../session/unknown-outcome.ts';
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
  const body = bodyOf(asked, select);
  const isThere = useIsThere();
  const { plan, start, planned, error, isUnknown, isBusy } = useNewRun(body, (run) => {
    if (isThere()) void navigate({ to: '/runs/$run', params: { run } });
  });
  const change = (next: Partial<Asked>) => setAsked({ ...asked, ...next });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void (planned === undefined ? plan() : start(planned));
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
          onChange={(next) =>
            void navigate({ to: '/runs/new', search: next, replace: true, resetScroll: false })
          }
        />
      ) : (
        <p>
          <Link to="/runs/new">Choose other test cases</Link>
        </p>
      )}
      <p aria-live="polite">{safeText(selectedText(select))}</p>
      <form className="stack" noValidate onSubmit={submit}>
        <AskedFields asked={asked} onChange={change} />
        {error === undefined ? null : (
          <Refused what={isUnknown ? UNKNOWN : 'This run cannot start'} error={error} />
        )}
        {planned === undefined ? null : <PlanView plan={planned.plan} />}
        <div className="row">
          <button type="submit" className="main" aria-disabled={isBusy}>
            {planned === undefined ? 'Show the plan' : 'Start this run'}
          </button>
        </div>
      </form>
    </>
  );
}

const UNKNOWN = 'It is unknown whether this run started. Start it again: it does not start twice';

/** A plan, and the request that it is the plan of. */
interface Planned {
  readonly body: object;
  readonly plan: Plan;
  /** A start that is sent again, such as after a lost connection, is the same start. */
  readonly key: string;
}

interface Answered {
  readonly planned?: Planned;
  readonly error?: unknown;
  readonly isUnknown?: boolean;
}

/** An answer is shown only while the form asks for what it answers. */
function useNewRun(body: object, onStarted: (run: string) => void) {
  const send = useSend();
  const queries = useQueryClient();
  const [{ of, ...answered }, setAnswered] = useState<Answered & { readonly of?: string }>({});
  const [busyWith, setBusyWith] = useState<string>();
  const underWay = useRef<string>(undefined);
  const asked = JSON.stringify(body);
  const ask = async (work: () => Promise<Answered>) => {
    if (underWay.current === asked) return;
    underWay.current = asked;
    setBusyWith(asked);
    const next = await work();
    if (underWay.current !== asked) return;
    underWay.current = undefined;
    setAnswered({ ...next, of: asked });
    setBusyWith(undefined);
  };
  const post = async (sent: object, options: { readonly idempotencyKey?: string } = {}) =>
    (await send<'startRun'>(['POST', '/runs'], { path: {}, body: { ...sent } }, options)).answer;
  const plan = () =>
    ask(async () => {
      try {
        const answer = await post({ ...body, dry_run: true });
        const shown = answer as unknown as Plan;
        // The run is the one that was shown: without a seed in the config, each plan has another.
        const planned = { body: { ...body, seed: shown.seed }, plan: shown, key: crypto.randomUUID() };
        return { planned };
      } catch (error) {
        return { error };
      }
    });
  const start = (planned: Planned) =>
    ask(async () => {
      try {
        const answer = await post(planned.body, { idempotencyKey: planned.key });
        askAgain(queries, [['runs']]);
        onStarted((answer as RunResource).id);
        return { planned };
      } catch (error) {
        return { planned, error, isUnknown: isUnknownOutcome(error) };
      }
    });
  const { planned, error, isUnknown = false } = of === asked ? answered : NOTHING;
  return { plan, start, planned, error, isUnknown, isBusy: busyWith === asked };
}

const NOTHING: Answered = {};

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
