import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState, type ComponentType } from 'react';

import type { RunResource } from '../../../../src/api/resources/run.ts';
import { isLive } from '../../feed/is-live.ts';
import { Refused } from '../../session/refused.tsx';
import { useAction } from '../../session/use-action.ts';
import { useSend } from '../../session/use-send.ts';
import { againOf } from '../new-run/again.ts';
import { useMay } from '../../session/use-session.ts';
import { Baseline } from './actions/baseline.tsx';
import { Cancel } from './actions/cancel.tsx';
import { Describe } from './actions/describe.tsx';
import type { ActionProps } from './actions/panel-props.ts';
import { Regrade } from './actions/regrade.tsx';
import { Resume } from './actions/resume.tsx';
import { useChangedRun } from './actions/use-changed-run.ts';
import { ChangeAgent } from './change-agent.tsx';

interface Action {
  readonly title: string;
  readonly panel: ComponentType<ActionProps>;
  readonly isFor: (run: RunResource) => boolean;
}

const ACTIONS: readonly Action[] = [
  { title: 'Cancel', panel: Cancel, isFor: (run) => isLive(run) && run.state !== 'stopping' },
  { title: 'Resume', panel: Resume, isFor: hasMoreToRun },
  { title: 'Grade again', panel: Regrade, isFor: (run) => !isLive(run) && run.kind === 'run' },
  { title: 'Baseline', panel: Baseline, isFor: ({ state }) => state === 'completed' },
  { title: 'Name and tags', panel: Describe, isFor: () => true },
];

/** A completed run has trials to run only where some errored or were cancelled. */
function hasMoreToRun(run: RunResource): boolean {
  const { errored = 1, cancelled = 0 } = run.totals?.counts ?? {};
  return !isLive(run) && (run.state !== 'completed' || errored + cancelled > 0);
}

/** What may be done with a run of the store. A panel stays open although the run goes on meanwhile. */
export function Actions({ run }: { readonly run: RunResource }) {
  const mayWrite = useMay('member');
  const [opened, setOpened] = useState<Action>();
  const [told, setTold] = useState('');
  const part = useRef<HTMLDivElement>(null);
  const said = useRef<HTMLParagraphElement>(null);
  // The focus of a panel that is closed goes to what came of it.
  useEffect(() => {
    if (told !== '' && document.activeElement === document.body) said.current?.focus();
  }, [told]);
  if (!mayWrite || run.state === 'unreadable') return null;
  const close = () => {
    setOpened(undefined);
    part.current?.querySelector<HTMLElement>('[aria-expanded=true]')?.focus();
  };
  const done = (text: string) => {
    setOpened(undefined);
    setTold(text);
  };
  const Opened = opened?.panel;
  return (
    <div ref={part} className="part" role="group" aria-label="Actions">
      <div className="row">
        {ACTIONS.filter((action) => action === opened || action.isFor(run)).map((action) => (
          <button
            key={action.title}
            type="button"
            aria-expanded={action === opened}
            onClick={() => {
              setTold('');
              setOpened(action === opened ? undefined : action);
            }}
          >
            {action.title}
          </button>
        ))}
        <RunAgain run={run} />
        <ChangeAgent run={run} />
        <Archive run={run} onDone={setTold} />
        <p ref={said} tabIndex={-1} aria-live="polite" className="told">
          {told}
        </p>
      </div>
      {Opened === undefined ? null : <Opened key={opened?.title} run={run} onDone={done} onClose={close} />}
    </div>
  );
}

/** Leads to the same plan, which is shown before it starts. */
function RunAgain({ run }: Pick<ActionProps, 'run'>) {
  const again = againOf(run);
  if (again === undefined) return null;
  return (
    <Link className="button" to="/runs/new" search={{ ...again.search, again: run.id }}>
      Run again
    </Link>
  );
}

function Archive({ run, onDone }: Pick<ActionProps, 'run' | 'onDone'>) {
  const send = useSend();
  const changed = useChangedRun();
  const { act, isBusy, error } = useAction();
  const isArchived = run.archived_at !== null;
  const toggle = async () => {
    const body = { archived: !isArchived };
    await send<'changeRun'>(['PATCH', '/runs/{run}'], { path: { run: run.id }, body }, { ifMatch: '*' });
    await changed(run.id);
    onDone(isArchived ? 'The run is listed again.' : 'The run is archived.');
  };
  return (
    <>
      <button type="button" aria-disabled={isBusy} onClick={() => void act(toggle)}>
        {isArchived ? 'Take out of the archive' : 'Archive'}
      </button>
      <Refused what="Not changed" error={error} />
    </>
  );
}
