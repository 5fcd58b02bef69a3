import { readFileSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import type { ProgramNeeds, Sandbox, SandboxSettings } from '../../src/core/sandbox.ts';
import { given } from '../../src/lib/given.ts';
import { decodeUtf8 } from '../../src/lib/process/decode-utf8.ts';
import { runProcess } from '../../src/lib/process/run-process.ts';
import { openSandbox } from '../../src/sandboxes/open-sandbox.ts';
import type { ESCAPES } from '../../src/sandboxes/probes.ts';
import { trySandbox } from '../../src/sandboxes/try-sandbox.ts';
import { processesWith } from '../e2e/support/leftovers.ts';
import { folderOfTest } from '../support/test-folders.ts';

export interface SandboxFixture {
  readonly settings: SandboxSettings;
  /** What a program can do all the same, by name. */
  readonly open: readonly (keyof typeof ESCAPES)[];
}

const { signal } = new AbortController();

/** The place in which tests open sandboxes. */
export function sandboxPlace(directory = tmpdir()) {
  return { directory, operatorEnvironment: { PATH: process.env['PATH'] ?? '', HOME: homedir() } };
}

/** What targets rely on, whatever the level. */
export function sandboxContract(name: string, { settings, open }: SandboxFixture): void {
  const opened = (): Sandbox => openSandbox(settings, sandboxPlace());

  test(`${name}: programs can do what they need, and nothing else than is declared`, async () => {
    const { escapes, missing, failure } = await trySandbox(opened(), sandboxPlace(), signal);
    expect({ missing, failure }).toEqual({ missing: [], failure: undefined });
    expect(escapes.filter((each) => !open.includes(each as (typeof open)[number]))).toEqual([]);
  });

  test(`${name}: output, exit code, arguments, variables and input arrive unchanged`, async () => {
    const workspace = folder();
    const script = 'cat; printf "%s|%s|%s" "$0" "$VALUE" "$PWD"; echo problem >&2; exit 7';
    const result = await inside(opened(), workspace, {
      command: ['sh', '-c', script, "an 'argument'\n --x"],
      env: { VALUE: 'é \n"' },
      stdin: 'input ',
    });
    expect(result).toEqual({
      outcome: 'exited',
      exitCode: 7,
      stdout: `input an 'argument'\n --x|é \n"|${workspace}`,
      stderr: 'problem\n',
    });
  });

  test(`${name}: files that a program writes are those of this user, in its workspace`, async () => {
    const workspace = folder();
    await inside(opened(), workspace, { command: { shell: 'echo text > file && chmod 600 file' } });
    expect(readFileSync(join(workspace, 'file'), 'utf8')).toBe('text\n');
  });

  test(`${name}: a program outside of the system folders starts with what is beside it`, async () => {
    const tools = folder();
    writeFileSync(join(tools, 'tool'), '#!/bin/sh\necho from a tool\n', { mode: 0o755 });
    const env = { PATH: `${tools}:${process.env['PATH'] ?? ''}` };
    const result = await inside(opened(), folder(), { command: ['tool'], env });
    expect(result).toMatchObject({ exitCode: 0, stdout: 'from a tool\n' });
  });

  test(`${name}: an abort ends the program and what it has started`, async () => {
    const stop = new AbortController();
    const workspace = folder();
    await using entered = await opened().enter(
      { command: { shell: 'setsid sleep 3333 & echo started; wait' }, cwd: workspace, env: environment() },
      { writable: [workspace] },
    );
    const result = await runProcess(
      { ...entered.start, graceMs: 500, marker: markerOf(workspace), onStdout: () => stop.abort() },
      stop.signal,
    );
    expect(result.outcome).toBe('aborted');
    await expect.poll(() => livingIn(workspace)).toEqual([]);
  });
}

interface Asked {
  readonly command: readonly string[] | { readonly shell: string };
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
}

/** Runs a program in its workspace, and returns how it ended. */
export async function inside(
  sandbox: Sandbox,
  workspace: string,
  { command, env = {}, stdin }: Asked,
  needs: Omit<ProgramNeeds, 'writable'> = {},
) {
  await using entered = await sandbox.enter(
    { command, cwd: workspace, env: { ...environment(), ...env } },
    { ...needs, writable: [workspace] },
  );
  const input = stdin === undefined ? {} : { stdin };
  const result = await runProcess({ ...entered.start, ...input, marker: markerOf(workspace) }, signal);
  const { outcome, exitCode } = result;
  const failure = await entered.failureOf(result);
  const unread = await entered.unread?.(result.read);
  const whole = (before: Uint8Array, after: Uint8Array = new Uint8Array()) =>
    decodeUtf8(Buffer.concat([before, after]));
  return {
    outcome,
    exitCode,
    ...given({ failure }),
    stdout: whole(result.stdout, unread?.stdout),
    stderr: whole(result.stderr, unread?.stderr),
  };
}

/** A new folder that is removed after the test. */
export const folder = () => folderOfTest('sandbox-');

function environment(): Readonly<Record<string, string>> {
  return { PATH: process.env['PATH'] ?? '', HOME: '/nowhere' };
}

function markerOf(workspace: string) {
  return { name: 'ASSAY_ATTEMPT', value: `test-${workspace}` };
}

/** The process ids with the marker of a workspace. */
function livingIn(workspace: string): readonly number[] {
  return processesWith(`test-${workspace}`).map(({ pid }) => pid);
}
