import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';

import type { RunResource } from '../../../../src/api/resources/run.ts';
import { askAgain } from '../../long-lists.ts';
import { isUnknownOutcome } from '../../session/unknown-outcome.ts';
import { useSend } from '../../session/use-send.ts';
import type { Plan } from './plan.ts';

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

/** How long the form stays unchanged before it is planned. */
const PAUSE_MS = 500;

interface NewRun {
  readonly body: object;
  /** Whether enough is chosen to plan it without being asked. */
  readonly isComplete: boolean;
  readonly onStarted: (run: string) => void;
}

/**
 * Plans what the form asks for, one plan at a time, and starts what was planned. A plan is shown only while the form asks
 * for it. An error stays until the next answer, so that the page does not move while somebody types.
 */
export function useNewRun({ body, isComplete, onStarted }: NewRun) {
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
  const isBusy = busyWith !== undefined;
  const planNow = useEffectEvent(() => void plan());
  useEffect(() => {
    if (isBusy || !isComplete || of === asked) return;
    const timer = setTimeout(planNow, of === undefined ? 0 : PAUSE_MS);
    return () => clearTimeout(timer);
  }, [asked, isBusy, isComplete, of]);
  const { planned, isUnknown = false } = of === asked ? answered : NOTHING;
  const { error } = answered;
  return { plan, start, planned, error, isUnknown, isBusy: busyWith === asked };
}

const NOTHING: Answered = {};
