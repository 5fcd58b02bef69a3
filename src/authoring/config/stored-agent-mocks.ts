import type { ToolMock } from '../../core/test-case.ts';
import { check } from '../yaml/check.ts';
import type { Fault, Path } from '../yaml/fault.ts';
import { mocks as grammar } from '../yaml/world-grammar.ts';
import { mockOf, writtenMock } from '../yaml/world-plan.ts';
import { commonTargetKeys } from './schema.ts';

/** Checks mocks of an agent, in the spelling of a config. Paths start at the list. */
export function checkAgentMocks(
  value: unknown,
  config: Readonly<Record<string, unknown>>,
): { readonly mocks?: readonly ToolMock[]; readonly faults: readonly Fault[] } {
  const checked = check(grammar, value);
  if (checked.value === undefined) return { faults: checked.faults };
  const mocks = checked.value.map(mockOf);
  const faults = agentMockFaults(mocks, config).map(({ path, message, ...found }) => ({
    ...found,
    path: path.slice(1),
    message: message.replace(/^mocks(?=\[)/, ''),
  }));
  return faults.length > 0 ? { faults } : { mocks, faults };
}

/** What keeps mocks from answering this version of an agent. Paths start with `mocks`. */
export function agentMockFaults(
  mocks: readonly ToolMock[],
  { type, tools }: Readonly<Record<string, unknown>>,
): readonly Fault[] {
  const { faults = [] } = check(commonTargetKeys, { type, tools, mocks: mocks.map(writtenMock) });
  return faults.filter(({ path: [key] }: { readonly path: Path }) => key === 'mocks');
}
