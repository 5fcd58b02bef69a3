import { appendFileSync, mkdtempSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import type { Part } from '../../src/core/message.ts';
import type { TargetServices } from '../../src/core/plugin.ts';
import type { Session, Target, TurnEnd, World, Yielded } from '../../src/core/target.ts';
import { isAnswer } from '../../src/core/transcript.ts';
import { countStarted } from '../support/started-processes.ts';
import { noModels } from '../support/no-models.ts';

/** Two configurations of one type of target. */
export interface TargetFixture {
  /** Answers every turn at once; absent where the type has no way to. */
  answering(): Promise<Target> | Target;
  /** Never answers by itself; absent where the type cannot hang. */
  hanging?(): Promise<Target> | Target;
}

/** What the engine relies on, whatever the target. */
export function targetContract(type: string, fixture: TargetFixture): void {
  test(`${type}: a session opens, and every turn ends with an answer`, async () => {
    await using target = await prepared(fixture.answering());
    await using session = await target.open(worldOf(), new AbortController().signal);
    for (const question of ['one', 'two']) {
      const { entries } = await ask(session, question);
      expect(entries.filter(isAnswer).length).toBeGreaterThan(0);
      expect(entries.filter((entry) => entry.type === 'message' && entry.role !== 'assistant')).toEqual([]);
    }
  });

  test(`${type}: two sessions at once do not disturb each other`, async () => {
    await using target = await prepared(fixture.answering());
    const { signal } = new AbortController();
    await using first = await target.open(worldOf({ attempt: 1 }), signal);
    await using second = await target.open(worldOf({ attempt: 2 }), signal);
    const [left, right] = await Promise.all([ask(first, 'hello'), ask(second, 'hello')]);
    expect(left.entries.filter(isAnswer)).toEqual(right.entries.filter(isAnswer));
  });

  test(`${type}: a turn with a signal that is already aborted ends with its reason`, async () => {
    await using target = await prepared(fixture.answering());
    await using session = await target.open(worldOf(), new AbortController().signal);
    const reason = new Error('over before it began');
    await expect(ask(session, 'hello', AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  const { hanging } = fixture;
  if (hanging === undefined) return;

  test(`${type}: an abort ends a hanging turn with the signal's reason and leaves nothing behind`, async () => {
    const started = countStarted();
    await using target = await prepared(hanging());
    const session = await target.open(worldOf(), new AbortController().signal);
    const controller = new AbortController();
    const reason = new Error('time is up');
    const turn = ask(session, 'hello', controller.signal);
    void underWay(started).then(() => controller.abort(reason));
    await expect(turn).rejects.toBe(reason);
    await session[Symbol.asyncDispose]();
    // A kept process lives as long as its target.
    await target[Symbol.asyncDispose]?.();
    expect(started()).toBe(0);
  });

  test(`${type}: disposing a session during a turn ends what the turn started`, async () => {
    const started = countStarted();
    await using target = await prepared(hanging());
    const session = await target.open(worldOf(), new AbortController().signal);
    const controller = new AbortController();
    const turn = ask(session, 'hello', controller.signal).catch((error: unknown) => error);
    await underWay(started);
    controller.abort(new Error('time is up'));
    await session[Symbol.asyncDispose]();
    await target[Symbol.asyncDispose]?.();
    expect(started()).toBe(0);
    await turn;
  });
}

/** Until a turn has started its process; of what starts none, until the loop has gone round often enough to ask. */
async function underWay(started: () => number): Promise<void> {
  for (let rounds = 0; rounds < 100 && started() === 0; rounds++) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function prepared(made: Promise<Target> | Target): Promise<Target & AsyncDisposable> {
  const target = await made;
  await target.prepare?.(new AbortController().signal);
  return {
    open: (world, signal) => target.open(world, signal),
    async [Symbol.asyncDispose]() {
      await target[Symbol.asyncDispose]?.();
    },
  };
}

/** All that a turn yields, and how it ended. */
export async function ask(
  session: Session,
  message: string | readonly Part[] | undefined,
  signal: AbortSignal = new AbortController().signal,
): Promise<{ entries: Yielded[]; end: TurnEnd }> {
  const parts = typeof message === 'string' ? [{ text: message }] : message;
  const turn = session.respond(parts === undefined ? undefined : { parts }, signal);
  const entries: Yielded[] = [];
  for (;;) {
    const next = await turn.next();
    if (next.done === true) return { entries, end: next.value };
    entries.push(next.value);
  }
}

/** The surroundings of an attempt, files in a temporary folder. */
export function worldOf(given: Partial<World['trial']> & Partial<Omit<World, 'trial'>> = {}): World {
  const {
    history = [],
    workspace,
    artifacts,
    marker = crypto.randomUUID(),
    pulse = () => {},
    tools,
    call,
    vars,
    ...trial
  } = given;
  return {
    trial: {
      runId: '20250101T000000Z-abcdef',
      key: 'suite/case/target/r1',
      attempt: 1,
      suite: 'suite',
      caseId: 'case',
      target: 'target',
      repetition: 1,
      seed: 7,
      ...trial,
    },
    history,
    artifacts: artifacts ?? artifactsIn(temporaryFolder()),
    ...(vars === undefined ? {} : { vars }),
    marker,
    pulse,
    ...(workspace === undefined ? {} : { workspace }),
    ...(tools === undefined ? {} : { tools }),
    ...(call === undefined ? {} : { call }),
  };
}

export function artifactsIn(directory: string): World['artifacts'] {
  return {
    directory: () => directory,
    scratch: () => directory,
    async write(name, content) {
      await mkdir(directory, { recursive: true });
      await writeFile(join(directory, name), content);
    },
    stream(name) {
      return { write: (chunk) => appendFileSync(join(directory, name), chunk), end: () => {} };
    },
  };
}

/** Removed when the test is over. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-test-'));
  onTestFinished(async () => await rm(folder, { recursive: true, force: true }));
  return folder;
}

export function servicesOf(given: Partial<TargetServices> = {}): TargetServices {
  return {
    name: 'target',
    directory: tmpdir(),
    environment: { PATH: `${process.execPath.replace(/\/[^/]*$/, '')}:/usr/local/bin:/usr/bin:/bin` },
    operatorEnvironment: {},
    models: noModels,
    storedRun: async () => {
      throw new Error('no stored run in this test');
    },
    ...given,
  };
}
