import type { LoadedConfig } from '../../authoring/config/load-config.ts';
import { problemAt } from '../../authoring/config/locate.ts';
import { pathLabel, type Path } from '../../authoring/yaml/fault.ts';
import type { Problem } from '../../core/problem.ts';
import type { PlannedFault, TestCase } from '../../core/test-case.ts';
import { given } from '../../lib/given.ts';
import { nearest } from '../../lib/text/suggest.ts';
import type { WorldsByTool } from '../binding/machine.ts';
import type { UsedTarget } from '../binding/target-pool.ts';
import { declaredTools, handlersOf, mocksOf, wayToTools } from '../binding/tools-of-case.ts';
import { placeOfCase } from './place-of-case.ts';

export type Mocked = Pick<TestCase, 'id' | 'source' | 'digest' | 'targets' | 'tools' | 'mocks' | 'faults'>;

export function isMocked({ mocks, faults }: TestCase): boolean {
  return mocks !== undefined || faults !== undefined;
}

export interface MockedWith {
  readonly targetsOf: (testCase: Mocked) => readonly string[];
  readonly used: ReadonlyMap<string, UsedTarget>;
  readonly worldsByTool: WorldsByTool;
  readonly loaded: Pick<LoadedConfig, 'origin' | 'written'>;
  /** The faults of the config. Stored cases use this same array. */
  readonly run: { readonly faults: readonly PlannedFault[] };
}

type Finding = Omit<Problem, 'file' | 'line'>;

/** Problems with mocks and faults that can never apply or cannot be answered. */
export function worldFaults(cases: readonly Mocked[], use: MockedWith): readonly Problem[] {
  return cases
    .map((each) => withoutRunFaults(each, use.run.faults))
    .flatMap((testCase) => {
      const { id } = testCase;
      const place = placeOfCase(testCase);
      const found = [
        ...handlerFaults(handlersOf(testCase), use.worldsByTool),
        ...use
          .targetsOf(testCase)
          .flatMap((name) => targetFaults(testCase, use.used.get(name), use.worldsByTool)),
      ];
      return found.map((finding) => ({ ...place, ...finding, message: `test "${id}": ${finding.message}` }));
    });
}

/** Problems with faults of the run are reported once, not per case. */
export function runFaultProblems(cases: readonly Mocked[], use: MockedWith): readonly Problem[] {
  const { used, loaded } = use;
  const { faults: planned } = use.run;
  const meant = cases.filter(({ faults }) => faults === planned);
  const told = (path: Path, { message, ...words }: Finding): Problem =>
    problemAt(loaded.origin, {
      path,
      at: 'value',
      ...words,
      message: `${pathLabel(path)}: ${message}`,
    });
  return [...new Set(meant.flatMap(use.targetsOf))].flatMap((name) => {
    const target = used.get(name);
    if (target === undefined) return [];
    if (wayToTools(target) === undefined) return [told(['run', 'faults'], unreachable(name, target))];
    const tools = declaredTools(target, {}).map((tool) => tool.name);
    const whyUndeclared = `the target "${name}" does not declare`;
    return planned.flatMap(({ tool }, index) =>
      tools.includes(tool)
        ? []
        : [
            told(
              ['run', 'faults', index, 'tool'],
              undeclared({ tool, mockOrFault: 'a fault', whyUndeclared }, tools),
            ),
          ],
    );
  });
}

function withoutRunFaults(testCase: Mocked, runFaults: readonly PlannedFault[]): Mocked {
  const { faults, ...rest } = testCase;
  return faults === undefined || faults === runFaults ? rest : { ...rest, faults };
}

/** Problems with the mocks of targets. */
export function targetMockFaults({
  used,
  worldsByTool,
  loaded: { origin, written },
}: Pick<MockedWith, 'used' | 'worldsByTool' | 'loaded'>): readonly Problem[] {
  return [...used].flatMap(([name, target]) => {
    const { mocks } = target.settings;
    if (mocks === undefined) return [];
    const entry = written.get(name);
    const path = entry?.place(['mocks']) ?? ['targets', name, 'mocks'];
    const found =
      wayToTools(target) === undefined
        ? [unreachable(name, target)]
        : handlerFaults(handlersOf({ mocks }), worldsByTool);
    return found.map(({ code, message, hint }) =>
      problemAt(entry?.origin ?? origin, { path, at: 'value', code, message, ...given({ hint }) }),
    );
  });
}

function targetFaults(
  testCase: Mocked,
  used: UsedTarget | undefined,
  worldsByTool: WorldsByTool,
): readonly Finding[] {
  if (used === undefined) return [];
  const { name } = used.settings;
  if (testCase.mocks === undefined && testCase.faults === undefined) return [];
  if (wayToTools(used) === undefined) return [unreachable(name, used)];
  const whyUndeclared = `neither the suite nor the target "${name}" declares`;
  const tools = declaredTools(used, testCase).map((tool) => tool.name);
  const mentioned = [
    ...(testCase.mocks ?? []).map(({ tool }) => ({ tool, mockOrFault: 'a mock' })),
    ...(testCase.faults ?? []).map(({ tool }) => ({ tool, mockOrFault: 'a fault' })),
  ];
  const unknown = new Map(
    mentioned.filter(({ tool }) => !tools.includes(tool)).map(({ tool, mockOrFault }) => [tool, mockOrFault]),
  );
  const own = handlersOf(testCase);
  const all = handlersOf({ mocks: mocksOf(used, testCase) });
  return [
    ...[...unknown].map(([tool, mockOrFault]) => undeclared({ tool, mockOrFault, whyUndeclared }, tools)),
    ...(all.length === own.length ? [] : twoWorlds(all, worldsByTool)),
  ];
}

function unreachable(name: string, { settings: { type } }: UsedTarget): Finding {
  const how =
    type === 'cli'
      ? 'add {MCP_CONFIG} to its command, so that it can reach the tools over MCP'
      : 'remove the mocks, or use a target that supports tools, such as `model`';
  return {
    code: 'mocks-unreachable',
    message: `the target "${name}" of type ${type} cannot call mocked tools`,
    hint: how,
  };
}

function undeclared(
  {
    tool,
    mockOrFault,
    whyUndeclared,
  }: { readonly tool: string; readonly mockOrFault: string; readonly whyUndeclared: string },
  tools: readonly string[],
): Finding {
  const meant = nearest(tool, tools);
  const hint = meant ? `did you mean \`${meant}\`?` : 'declare it in `tools` of the suite or of the target';
  return {
    code: 'tool-undeclared',
    message: `${mockOrFault} names the tool "${tool}", which ${whyUndeclared}`,
    hint,
  };
}

function handlerFaults(names: readonly string[], worldsByTool: WorldsByTool): readonly Finding[] {
  const unknown = names.filter((name) => !worldsByTool.has(name));
  if (unknown.length > 0) return unknown.map((name) => unknownHandler(name, worldsByTool));
  return twoWorlds(names, worldsByTool);
}

function twoWorlds(names: readonly string[], worldsByTool: WorldsByTool): readonly Finding[] {
  const files = [...new Set(names.flatMap((name) => worldsByTool.get(name)?.file ?? []))];
  if (files.length < 2) return [];
  return [
    {
      code: 'handlers-of-two-worlds',
      message: `the mocks use tools from ${files.join(' and ')}, but a trial has only one world`,
      hint: 'move these tools into one module, so that they share their state',
    },
  ];
}

function unknownHandler(name: string, worldsByTool: WorldsByTool): Finding {
  const meant = nearest(name, worldsByTool.keys());
  const hint = meant ? `did you mean \`${meant}\`?` : 'add its module to `worlds` of the config';
  return { code: 'unknown-handler', message: `no registered world has a tool "${name}"`, hint };
}
