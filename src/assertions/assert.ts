import { AssertionError } from 'node:assert/strict';

import { classify } from './classify.ts';
import { commands, type CommandAssertions } from './commands.ts';
import { fileReads, type FileReadAssertions } from './file-reads.ts';
import { output, type OutputAssertions } from './output.ts';
import { skills, type SkillAssertions } from './skills.ts';
import { softly, tracked, type Soft } from './soft.ts';
import { PROMISING, strictMethods, truthy, type StrictMethods } from './strict-methods.ts';
import { toolCalls, type ToolCallAssertions } from './tool-calls.ts';

/** Assertions on a session report. */
export interface ReportAssertions {
  readonly skills: SkillAssertions;
  readonly commands: CommandAssertions;
  readonly fileReads: FileReadAssertions;
  readonly toolCalls: ToolCallAssertions;
  readonly output: OutputAssertions;
}

/** The same assertions, but failures are collected until the hook ends. */
export type SoftAssert = Soft<StrictMethods> & {
  (value: unknown, message?: string | Error): void;
} & { readonly [Group in keyof ReportAssertions]: Soft<ReportAssertions[Group]> };

/** Node's strict assertions, and assertions on session reports. */
export interface Assert extends StrictMethods, ReportAssertions {
  (value: unknown, message?: string | Error): asserts value;
  readonly AssertionError: new (options?: {
    message?: string;
    actual?: unknown;
    expected?: unknown;
    operator?: string;
  }) => Error & { readonly code: 'ERR_ASSERTION'; readonly operator: string };
  readonly strict: Assert;
  /** Failures are collected: the hook continues, and fails at its end. */
  readonly soft: SoftAssert;
  /** Groups the failures of a callback under one cause. */
  readonly classify: typeof classify;
}

const GROUPS: ReportAssertions = { skills, commands, fileReads, toolCalls, output };
const NONE: ReadonlySet<string> = new Set();

export const assert: Assert = assertion();

function assertion(): Assert {
  const own = (...args: readonly unknown[]): void => truthy(args, own);
  const assertWith = Object.assign(own, tracked(strictMethods, PROMISING), GROUPS, {
    AssertionError,
    soft: softAssert(),
    classify,
  });
  return Object.assign(assertWith, { strict: assertWith }) as unknown as Assert;
}

function softAssert(): SoftAssert {
  const { ok, ...methods } = softly(strictMethods, PROMISING);
  const groups = Object.entries(GROUPS).map(([name, group]) => [name, softly(group as object, NONE)]);
  const own = (...args: Parameters<typeof ok>): void => ok(...args);
  return Object.assign(own, { ok, ...methods }, Object.fromEntries(groups)) as SoftAssert;
}
