import { useProgress } from '../../../queries.ts';
import { useAction } from '../../../session/use-action.ts';
import { useSend } from '../../../session/use-send.ts';
import type { ActionProps } from './panel-props.ts';
import { Panel } from './panel.tsx';
import { useChangedRun } from './use-changed-run.ts';

/** Says what a cancelled run loses, then cancels it. */
export function Cancel({ run: { id, planned }, onDone, onClose }: ActionProps) {
  const send = useSend();
  const changed = useChangedRun();
  const progress = useProgress(id);
  const running = (progress?.targets ?? []).reduce((sum, target) => sum + target.in_flight, 0);
  const done = progress?.done ?? null;
  const { act, ...state } = useAction();
  const cancel = () =>
    void act(async () => {
      await send<'cancelRun'>(['POST', '/runs/{run}/cancel'], { path: { run: id } });
      await changed(id);
      onDone('The run is being cancelled.');
    });
  return (
    <Panel
      title="Cancel the run"
      does="Cancel this run"
      failed="The run was not cancelled"
      {...state}
      onSubmit={cancel}
      onClose={onClose}
    >
      {done === null || planned === null ? null : (
        <p>
          {done} of {planned} trials are done, {running} {running === 1 ? 'is' : 'are'} running.
        </p>
      )}
      <p>
        Running trials end as cancelled: their transcripts are kept, but not graded. Trials that have not
        started are skipped. You can resume the run later.
      </p>
    </Panel>
  );
}
