import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';

import type { RunResource } from '../../../../src/api/resources/run.ts';
import { tagged } from '../../api.ts';
import { isLive } from '../../feed/is-live.ts';
import { TextInput } from '../../parts/inputs.tsx';
import { safeText } from '../../parts/safe-text.ts';
import { useSend } from '../../session/use-send.ts';
import { useDoForRuns, type DoForRuns } from './use-do-for-runs.ts';

interface PickedRunsProps {
  readonly runs: readonly RunResource[];
  /** The runs are in this list no more. */
  readonly onMoved: () => void;
}

/** What can be done with the selected runs, one after the other. What came of it stays when they are gone. */
export function PickedRuns({ runs, onMoved }: PickedRunsProps) {
  const { doFor, isBusy, told } = useDoForRuns();
  const said = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (told !== '' && document.activeElement === document.body) said.current?.focus();
  });
  return (
    <div className="tools" role="group" aria-label="Selected runs">
      {runs.length === 0 ? null : (
        <>
          <span>{runs.length} selected</span>
          <Buttons runs={runs} isBusy={isBusy} doFor={doFor} onMoved={onMoved} />
          <Sort runs={runs} isBusy={isBusy} doFor={doFor} />
        </>
      )}
      <p ref={said} tabIndex={-1} aria-live="polite" className="told">
        {safeText(told)}
      </p>
    </div>
  );
}

interface DoProps {
  readonly runs: readonly RunResource[];
  readonly isBusy: boolean;
  readonly doFor: DoForRuns;
}

function Buttons({ runs, isBusy, doFor, onMoved }: DoProps & Pick<PickedRunsProps, 'onMoved'>) {
  const send = useSend();
  const live = runs.filter(isLive);
  const ended = runs.filter((run) => !isLive(run));
  const isArchive = runs.some(({ archived_at: at }) => at === null);
  const archive = ({ id: run }: RunResource) =>
    send<'changeRun'>(['PATCH', '/runs/{run}'], { path: { run }, body: { archived: isArchive } }, ANY);
  const cancel = ({ id: run }: RunResource) =>
    send<'cancelRun'>(['POST', '/runs/{run}/cancel'], { path: { run } });
  const resume = ({ id: run }: RunResource) =>
    send<'resumeRun'>(['POST', '/runs/{run}/resume'], { path: { run }, body: {} });
  const regrade = ({ id: run }: RunResource) =>
    send<'regradeRun'>(['POST', '/runs/{run}/regrade'], { path: { run }, body: {} });
  const actions = [
    { title: 'Cancel', of: live, what: 'cancelled', work: cancel },
    { title: 'Resume', of: ended, what: 'resumed', work: resume },
    { title: 'Grade again', of: ended, what: 'being graded again', work: regrade },
    {
      title: isArchive ? 'Archive' : 'Take out of the archive',
      of: runs,
      what: isArchive ? 'archived' : 'listed again',
      work: archive,
    },
  ];
  return actions
    .filter(({ of }) => of.length > 0)
    .map(({ title, of, what, work }) => (
      <button
        key={title}
        type="button"
        aria-disabled={isBusy}
        onClick={() =>
          void doFor(of, { what, work }).then((isDone) =>
            isDone && work === archive ? onMoved() : undefined,
          )
        }
      >
        {title}
        {of.length < runs.length ? ` (${of.length})` : ''}
      </button>
    ));
}

const ANY = { ifMatch: '*' };

/** Puts runs into a line, or gives them a tag. */
function Sort({ runs, isBusy, doFor }: DoProps) {
  const send = useSend();
  const [text, setText] = useState('');
  const written = text.trim();
  const change = (run: string, body: object, options: { readonly ifMatch: string }) =>
    send<'changeRun'>(['PATCH', '/runs/{run}'], { path: { run }, body: { ...body } }, options);
  const put = (what: string, work: (run: RunResource) => Promise<unknown>) => {
    if (written === '' || isBusy) return;
    void doFor(runs, { what, work });
    setText('');
  };
  /** To the tags that the run has now: somebody may have added others since it was listed. */
  const tag = async ({ id: run }: RunResource) => {
    const { answer, version } = await tagged<'getRun'>('/runs/{run}', { path: { run } }, {});
    await change(run, { tags: [...new Set([...answer.tags, written])] }, { ifMatch: version });
  };
  return (
    <>
      <TextInput label="Tag or line" value={text} onChange={setText} />
      <button
        type="button"
        aria-disabled={isBusy || written === ''}
        onClick={() => put(`tagged with ${written}`, tag)}
      >
        Add tag
      </button>
      <button
        type="button"
        aria-disabled={isBusy || written === ''}
        onClick={() => put(`put into the line ${written}`, ({ id }) => change(id, { line: written }, ANY))}
      >
        Set line
      </button>
    </>
  );
}

/** Leads to what begins a run. */
export function NewRunLink() {
  return (
    <Link className="button" to="/runs/new">
      New run
    </Link>
  );
}
