import { useEffect, useRef, useState, type FormEvent } from 'react';

import type { ModelProblems } from './model-problems.ts';
import type { useNewRun } from './use-new-run.ts';

type Run = Pick<ReturnType<typeof useNewRun>, 'plan' | 'start' | 'planned'>;

/**
 * Starts what is planned, else plans it; then the caret goes to the first field that keeps it from starting. Before
 * somebody tried it, `marked` has no fields that are only empty.
 */
export function useSubmit({ plan, start, planned }: Run, problems: ModelProblems | undefined) {
  const part = useRef<HTMLFormElement>(null);
  const isAsked = useRef(false);
  const [isTried, setTried] = useState(false);
  useEffect(() => {
    const isAnswer = problems !== undefined && isAsked.current;
    isAsked.current = false;
    if (!isAnswer) return;
    part.current?.querySelector<HTMLInputElement>('[aria-invalid=true]')?.focus();
  }, [problems]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    isAsked.current = true;
    setTried(true);
    const isReady = planned !== undefined && planned.plan.problems.length === 0;
    void (isReady ? start(planned) : plan());
  };
  return { part, submit, marked: isTried || problems?.isMissing !== true ? problems : undefined };
}
