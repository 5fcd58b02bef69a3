import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { shellQuote } from '../../src/lib/process/shell-quote.ts';

/** What a fake agent does; it prints `before`, the recording from line `from` to `to`, `after`, then `tail`. */
export interface FakeAgent {
  /** What `--version` prints. */
  readonly version?: string;
  /** What `export ID` prints, with the id in place of `$ID`; absent: it fails. */
  readonly exported?: string;
  /** A file that gets a line with how it was started. */
  readonly seen?: string;
  /** A recording of stdout. Its working directory and home become those of the process. */
  readonly recording?: string;
  readonly from?: number;
  readonly to?: number;
  /** Lines; `$SECRET` is replaced by the variable FAKE_SECRET. */
  readonly before?: readonly string[];
  readonly after?: readonly string[];
  /** Text without a line end. */
  readonly tail?: string;
  /** Between lines. */
  readonly everyMs?: number;
  /** Every line comes in pieces of that size. */
  readonly chunkBytes?: number;
  /** So many lines of 64 KB that say nothing. */
  readonly flood?: number;
  readonly stderr?: string;
  /** Before it exits. */
  readonly silentMs?: number;
  readonly exitCode?: number;
  readonly ignoresTerm?: boolean;
  /** A shell script that it runs where it works, before it prints anything. */
  readonly does?: string;
  /** A file that gets `+label` when it starts and `-label` when it ends. */
  readonly span?: { readonly file: string; readonly label: string };
  /** Starts a child in a session of its own, which ignores SIGTERM and holds stdout; its id goes into this file. */
  readonly stray?: string;
  /** A file that it leaves below its home; `$SECRET` is replaced as in lines. */
  readonly session?: { readonly folder: string; readonly file: string; readonly text: string };
}

/** A plan, and what is different for a prompt that is the last argument. */
export interface FakePlan extends FakeAgent {
  /** What is different when a session is resumed. */
  readonly resumed?: FakeAgent;
  /** What is different the first time; `mark` is a folder that it makes then. */
  readonly first?: { readonly mark: string; readonly plan: FakeAgent };
  /** What is different where something is at a path below its working directory. */
  readonly where?: { readonly path: string; readonly plan: FakeAgent };
  readonly byPrompt?: Readonly<Record<string, FakeAgent>>;
}

/** How a fake agent was started. */
export interface Start {
  readonly name: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly homeMode?: string;
  readonly home?: readonly string[];
  readonly workspace: readonly string[];
}

/** The `env` of a target that makes its agent do that. */
export function fakeEnv(plan: FakePlan): Record<string, string> {
  return { FAKE_AGENT: JSON.stringify(plan) };
}

/**
 * Puts the fake agent into a folder under each of these names; the folder belongs first on PATH. With a plan it needs
 * no variable that says what to do.
 */
export function installFakeAgent(folder: string, names: readonly string[], plan?: FakePlan): void {
  mkdirSync(folder, { recursive: true });
  const script = join(import.meta.dirname, 'fake-agent.mjs');
  for (const name of names) {
    const path = join(folder, name);
    const own =
      plan === undefined ? '' : `FAKE_AGENT=${shellQuote(JSON.stringify(plan))}\nexport FAKE_AGENT\n`;
    writeFileSync(path, `#!/bin/sh\n${own}exec '${process.execPath}' '${script}' '${name}' "$@"\n`);
    chmodSync(path, 0o755);
  }
}

/** Every start that was noted, in order. */
export function startsIn(file: string): readonly Start[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as Start);
}

/** A recording of an agent, by `<version>/<scenario>`. */
export function recordingOf(type: string, scenario: string): string {
  return join(import.meta.dirname, '../../src/targets', type, 'fixtures', `${scenario}.stdout.jsonl`);
}
