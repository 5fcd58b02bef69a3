import type { AnsweredBody } from '../../support/answered.ts';
import type { Running } from './cli.ts';
import type { Project } from './project.ts';
import { until } from './until.ts';

/** A busy machine takes long to start a database. */
export const PATIENCE_MS = 180_000;

/** An answer of the API. */
interface Answer<Body> {
  readonly status: number;
  readonly body: Body;
}

/** `assay serve` in a process of its own. */
export interface Served {
  readonly program: Running;
  /** Address of the API. */
  readonly api: string;
  ask<M extends string, P extends string>(
    method: M,
    path: P,
    body?: unknown,
  ): Promise<Answer<AnsweredBody<M, P>>>;
}

/** Starts `assay serve` and waits until it has told its address. Throws what it complains of when it ends instead. */
export async function served(
  project: Project,
  environment: Readonly<Record<string, string>> = {},
  flags: readonly string[] = [],
): Promise<Served> {
  const program = project.start(['serve', '--port', '0', ...flags], environment);
  return { program, ...(await addressOf(program)) };
}

/** The address of a server that was started. */
export async function addressOf(program: Running): Promise<Omit<Served, 'program'>> {
  let isOver = false;
  void program.ended.then(() => (isOver = true));
  await until('the address of the server', () => isOver || program.printed().includes('Ctrl-C'), PATIENCE_MS);
  if (isOver) throw new Error(`assay serve ended: ${program.complaints()}`);
  const api = `${/http:\S+/.exec(program.printed())?.[0]}/api/v1`;
  return {
    api,
    async ask<M extends string, P extends string>(method: M, path: P, body?: unknown) {
      const answer = await fetch(`${api}${path}`, {
        method,
        headers: { 'If-Match': '*', ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: answer.status, body: (await answer.json()) as AnsweredBody<M, P> };
    },
  };
}

/** Ends a process at once, and waits until it is gone. */
export async function killed(program: Running): Promise<void> {
  program.kill('SIGKILL');
  await program.ended;
}
