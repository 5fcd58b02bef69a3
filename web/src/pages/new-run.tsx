import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';

import { given } from '../../../src/lib/given.ts';
import { askedCases, caseFilters, type CaseFilters } from '../cases/case-filters.ts';
import { Failed, Loading } from '../parts/states.tsx';
import { useIsThere } from '../parts/use-is-there.ts';
import { useTitle } from '../parts/use-title.ts';
import { useRun } from '../queries.ts';
import { FilterBar } from './cases/filter-bar.tsx';
import { AddedSince } from './new-run/added-since.tsx';
import { againOf, type Again } from './new-run/again.ts';
import { AskedFields } from './new-run/asked-fields.tsx';
import { BackToOpener } from './new-run/back-to-opener.tsx';
import { FilledIn } from './new-run/filled-in.tsx';
import { modelsBefore } from './new-run/models-before.ts';
import { modelProblems } from './new-run/model-problems.ts';
import { bodyOf, firstChoice, isTargetChosen, NOTHING_ASKED, type Asked } from './new-run/plan.ts';
import { Selected } from './new-run/selected.tsx';
import { Start } from './new-run/start.tsx';
import { useKnownTargets, type KnownTargets } from './new-run/use-known-targets.ts';
import { useNewRun } from './new-run/use-new-run.ts';
import { useSubmit } from './new-run/use-submit.ts';

/** A run of the cases that the address selects: its plan and its cost first, then the start. */
export function NewRunPage() {
  useTitle('New run');
  const { again, agent, ...selected } = useSearch({ from: '/runs/new' });
  const { known, error } = useKnownTargets();
  if (known === undefined) return <Opening what="what can be tested" error={error} />;
  if (again !== undefined) return <OfRun known={known} run={again} agent={agent} />;
  const chosen = agent === undefined ? firstChoice(known) : onlyAgent(agent);
  const before = modelsBefore(known.runs, selected);
  const asked = { ...NOTHING_ASKED, ...chosen, ...before?.models };
  return <Form known={known} asked={asked} more={NOTHING_MORE} modelsOf={before?.run} />;
}

/** An agent in its newest version. */
function onlyAgent(id: string): Pick<Asked, 'targets' | 'agents'> {
  return { targets: [], agents: [{ id, version: '' }] };
}

const NOTHING_MORE: Again['more'] = {};

interface OpeningProps {
  readonly what: string;
  /** Null while nothing has failed. */
  readonly error: Error | null;
}

function Opening({ what, error }: OpeningProps) {
  return (
    <>
      <h1>New run</h1>
      {error === null ? <Loading what={what} /> : <Failed error={error} />}
    </>
  );
}

interface OfRunProps {
  readonly known: KnownTargets;
  readonly run: string;
  /** That is tested instead of what the run tested; undefined: the same is tested. */
  readonly agent: string | undefined;
}

/** The same plan as that of an earlier run. */
function OfRun({ known, run: id, agent }: OfRunProps) {
  const run = useRun(id);
  if (run.data === undefined) return <Opening what="the earlier run" error={run.error} />;
  const { asked, more } = againOf(run.data) ?? { asked: NOTHING_ASKED, more: NOTHING_MORE };
  const now = agent === undefined ? asked : { ...asked, ...onlyAgent(agent) };
  return <Form key={id} known={known} asked={now} more={more} />;
}

interface FormProps extends Pick<Again, 'asked' | 'more'> {
  readonly known: KnownTargets;
  /** Id of the run whose models are filled in, where nothing else is as in that run. */
  readonly modelsOf?: string | undefined;
}

function Form({ known, asked: first, more, modelsOf }: FormProps) {
  const { id, again, agent, ...filters } = useSearch({ from: '/runs/new' });
  const select = { ...askedCases(filters), ...(id === undefined ? {} : { id }) };
  const navigate = useNavigate();
  const [asked, setAsked] = useState<Asked>(first);
  const kept = given({ again, agent });
  const isThere = useIsThere();
  const run = useNewRun({
    body: { ...more, ...bodyOf(asked, select) },
    isComplete: isTargetChosen(asked, known),
    onStarted(started) {
      if (isThere()) void navigate({ to: '/runs/$run', params: { run: started } });
    },
  });
  const { isWithoutModels } = asked;
  const { target } = asked.judge;
  const problems = useMemo(
    () => modelProblems(run.error, { isWithoutModels, judge: { target } }),
    [run.error, isWithoutModels, target],
  );
  const { part, submit, marked } = useSubmit(run, problems);
  const narrow = (next: (now: CaseFilters) => CaseFilters) => {
    // Of the address as it is then: it may be ahead of what is drawn.
    const search = (now: CaseFilters) => ({ ...next(caseFilters({ ...now })), ...kept });
    void navigate({ to: '/runs/new', search, replace: true, resetScroll: false });
  };
  const change = (next: Partial<Asked>) => setAsked({ ...asked, ...next });
  return (
    <>
      <BackToOpener run={again} ids={id} filters={filters} />
      <h1>New run</h1>
      {id === undefined ? (
        <FilterBar isListed filters={filters} onChange={narrow} />
      ) : (
        <p>
          <Link to="/runs/new" search={kept}>
            Choose other test cases
          </Link>
        </p>
      )}
      <Selected ids={id} filters={filters} />
      {again === undefined ? null : <FilledIn as={again} more={more} />}
      {again === undefined || id !== undefined ? null : (
        <AddedSince run={again} agent={agent} filters={filters} />
      )}
      <form ref={part} className="stack" noValidate onSubmit={submit}>
        <AskedFields known={known} asked={asked} problems={marked} modelsOf={modelsOf} onChange={change} />
        <Start run={run} problems={problems} isMarked={marked !== undefined} />
      </form>
    </>
  );
}
