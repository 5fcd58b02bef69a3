import { isAssertionError, withLocation } from './failure.ts';
import { currentClass, currentFrame, putClass, type TrialFrame } from './trial-frame.ts';

/** Methods whose failures are collected. They no longer narrow types. */
export type Soft<Methods> = {
  readonly [Name in keyof Methods]: Methods[Name] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Result extends Promise<unknown> ? Promise<void> : void
    : never;
};

/** The same methods, but a failure is collected and the call returns. Outside a trial they fail at once. */
export function softly<Methods extends object>(
  methods: Methods,
  promising: ReadonlySet<string>,
): Soft<Methods> {
  const soft = Object.entries(methods).map(([name, method]) => [
    name,
    promising.has(name) ? softPromise(method as Method) : softMethod(method as Method),
  ]);
  return Object.fromEntries(soft) as Soft<Methods>;
}

type Method = (...args: readonly unknown[]) => unknown;

function softMethod(method: Method): Method {
  return (...args) => {
    const frame = currentFrame();
    if (frame === undefined) return method(...args);
    try {
      return void method(...args);
    } catch (error) {
      return collect(frame, error);
    }
  };
}

/** Also collects failures of promises that are never awaited. */
function softPromise(method: Method): Method {
  return (...args) => {
    const frame = currentFrame();
    const work = method(...args) as Promise<unknown>;
    if (frame === undefined) return work;
    const collected = work.then(
      () => {},
      (error: unknown) => collect(frame, error),
    );
    track(frame, collected);
    return collected;
  };
}

/** Errors other than failed assertions are thrown as usual. */
function collect(frame: TrialFrame, error: unknown): void {
  if (!isAssertionError(error)) throw error;
  const failureClass = currentClass();
  if (failureClass !== undefined) putClass(error, failureClass);
  frame.softFailures.push(withLocation(error));
}

/** Wraps methods that return promises, so that the end of the hook waits for them, awaited or not. */
export function tracked<Methods extends object>(methods: Methods, promising: ReadonlySet<string>): Methods {
  const all = Object.entries(methods).map(([name, method]) => [
    name,
    promising.has(name) ? trackedPromise(method as Method) : (method as Method),
  ]);
  return Object.fromEntries(all) as Methods;
}

function trackedPromise(method: Method): Method {
  return (...args) => {
    const frame = currentFrame();
    return frame === undefined
      ? method(...args)
      : settledIn(frame, () => method(...args) as Promise<unknown>);
  };
}

/** Attaches no handler to the promise itself, which would hide that it is not awaited, and where it came from. */
async function settledIn(frame: TrialFrame, work: () => Promise<unknown>): Promise<unknown> {
  let settle = (): void => {};
  const settled = new Promise<void>((resolve) => {
    settle = resolve;
  });
  track(frame, settled);
  try {
    return await work();
  } finally {
    settle();
  }
}

/** Keeps work that may not be awaited, so that the end of the hook can wait for it. */
export function track(frame: TrialFrame, work: Promise<unknown>): void {
  const settled: Promise<void> = work
    .then(
      () => {},
      () => {},
    )
    .then(() => void frame.pending.delete(settled));
  frame.pending.add(settled);
}
