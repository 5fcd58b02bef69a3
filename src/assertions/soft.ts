import { isAssertionError, withLocation } from './failure.ts';
import { currentClass, currentFrame, putClass, type TrialFrame } from './trial-frame.ts';

/** Methods whose failures are collected; what asserts a type asserts it no more. */
export type Soft<Methods> = {
  readonly [Name in keyof Methods]: Methods[Name] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Result extends Promise<unknown> ? Promise<void> : void
    : never;
};

/** The same methods, but a failure is collected and the call returns; outside of a trial they fail at once. */
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

/** Collects also where the promise is never awaited. */
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

/** What is no failed assertion is thrown as ever. */
function collect(frame: TrialFrame, error: unknown): void {
  if (!isAssertionError(error)) throw error;
  const failureClass = currentClass();
  if (failureClass !== undefined) putClass(error, failureClass);
  frame.softFailures.push(withLocation(error));
}

/** Makes methods of promises such that the end of the hook waits for them, awaited or not. */
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

/** The promise itself gets no second reader: that would hide that nobody waits for it, and where it came from. */
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
