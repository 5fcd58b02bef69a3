import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';

import type { BaselineResource } from '../../../../../src/api/resources/baseline.ts';
import { api } from '../../../api.ts';
import { lineName } from '../../../parts/line-name.ts';
import { safeText } from '../../../parts/safe-text.ts';
import { Failed } from '../../../parts/states.tsx';
import { Refused } from '../../../session/refused.tsx';
import { useAction } from '../../../session/use-action.ts';
import { useSend } from '../../../session/use-send.ts';
import type { ActionProps } from './panel-props.ts';
import { useChangedRun } from './use-changed-run.ts';
import { usePanel } from './use-panel.ts';

/** The run that later runs of a target and a line are compared with: sets it, or removes it. */
export function Baseline({ run, onClose }: ActionProps) {
  const { line, targets } = run;
  const baselines = useQuery({
    queryKey: ['baselines', line],
    enabled: line !== null,
    queryFn: ({ signal }) =>
      api<'listBaselines'>(
        '/baselines',
        { path: {}, query: { ...(line === null ? {} : { line }), limit: 200 } },
        { signal },
      ),
  });
  const holding = baselines.data?.data ?? [];
  const part = usePanel<HTMLElement>(onClose);
  return (
    <section {...part} className="panel stack" aria-label="Baseline">
      <p>
        Later runs of the same target and line can be compared with their baseline. A line has one baseline
        for each target.
      </p>
      {line === null ? <p>Give this run a line first.</p> : null}
      {baselines.isError ? <Failed error={baselines.error} /> : null}
      {line === null || baselines.data === undefined
        ? null
        : targets.map((target) => (
            <OfTarget
              key={target}
              run={run.id}
              of={{ target, line }}
              holding={holding.find((each) => each.target === target)}
            />
          ))}
      <div>
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
    </section>
  );
}

interface OfTargetProps {
  readonly run: string;
  readonly of: { readonly target: string; readonly line: string };
  readonly holding: BaselineResource | undefined;
}

function OfTarget({ run, of, holding }: OfTargetProps) {
  const send = useSend();
  const changed = useChangedRun();
  const { act, isBusy, error } = useAction();
  const isThis = holding?.run_id === run;
  const set = async () => {
    await send<'setBaseline'>(['POST', '/baselines'], { path: {}, body: { ...of, run_id: run } });
    await changed(run);
  };
  const remove = async (id: string) => {
    await send<'clearBaseline'>(['DELETE', '/baselines/{id}'], { path: { id } });
    await changed(run);
  };
  return (
    <div className="part">
      <div className="row">
        <span aria-live="polite">
          {safeText(of.target)} in {safeText(lineName(of.line))}: <Now run={run} holding={holding} />
        </span>
        <button
          type="button"
          aria-disabled={isBusy}
          onClick={() => void act(() => (isThis ? remove(holding.id) : set()))}
        >
          {isThis ? 'Remove the baseline' : 'Make this run the baseline'}
        </button>
      </div>
      <Refused what="The baseline was not changed" error={error} />
    </div>
  );
}

function Now({ run, holding }: Pick<OfTargetProps, 'run' | 'holding'>) {
  if (holding === undefined) return 'no baseline';
  if (holding.run_id === run) return 'this run is the baseline';
  return (
    <>
      the baseline is{' '}
      <Link className="mono" to="/runs/$run" params={{ run: holding.run_id }}>
        {safeText(holding.run_id)}
      </Link>
    </>
  );
}
