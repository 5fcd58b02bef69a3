import type { TargetSettings } from '../../core/plugin.ts';
import { ofEachTool, type ToolSpec } from '../../core/tools.ts';
import type { TestCase, ToolMock } from '../../core/test-case.ts';
import type { UsedTarget } from './target-pool.ts';

/** How a target calls tools with mocks. Undefined: it cannot. */
export function wayToTools({ plugin, settings }: UsedTarget): 'in-process' | 'mcp' | undefined {
  return plugin.reachesTools?.(settings.config);
}

/** The tools of a target and of a case. For equal names, the case wins. */
export function declaredTools(
  used: { readonly settings: Pick<TargetSettings, 'tools'> } | undefined,
  { tools: own = [] }: Pick<TestCase, 'tools'>,
): readonly ToolSpec[] {
  return ofEachTool(used?.settings.tools ?? [], own, ({ name }) => name);
}

/** The mocks of a target and of a case. For the same tool, the case wins. */
export function mocksOf(
  used: { readonly settings: Pick<TargetSettings, 'mocks'> } | undefined,
  { mocks: own = [] }: Pick<TestCase, 'mocks'>,
): readonly ToolMock[] {
  return ofEachTool(used?.settings.mocks ?? [], own, ({ tool }) => tool);
}

/** The distinct handler names in mocks. */
export function handlersOf({ mocks = [] }: { readonly mocks?: readonly ToolMock[] }): readonly string[] {
  return [...new Set(mocks.flatMap(({ answer }) => ('handler' in answer ? [answer.handler] : [])))];
}
