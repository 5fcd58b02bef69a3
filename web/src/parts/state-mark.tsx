import type { RunResource } from '../../../src/api/resources/run.ts';

type State = RunResource['state'];

const MARKS: Readonly<Record<State, string>> = {
  queued: '…',
  running: '▶',
  stopping: '◼',
  completed: '●',
  stopped: '◼',
  interrupted: '⚡',
  unreadable: '?',
};

/** The state of a run as icon and word. */
export function StateMark({ state }: { readonly state: State }) {
  return (
    <span className={`state ${state}`}>
      <span aria-hidden="true">{MARKS[state]}</span> {state}
    </span>
  );
}
