import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, inject, test } from 'vitest';

import { blocksOf, PAGES } from './docs/blocks.ts';
import { root, shell, VERSION } from './docs/packed.ts';

const project = inject('installed');
const installed = join(project, 'node_modules/assay');

test('the library exports these names and no others', async () => {
  const { stdout } = await shell(
    `node --input-type=module -e "import * as assay from 'assay'; console.log(Object.keys(assay).join())"`,
    project,
  );
  expect(stdout.trim().split(',')).toEqual([
    'CommandMatcherBuilder',
    'ToolError',
    'assert',
    'commandMatcher',
    'defineCheck',
    'defineConfig',
    'defineGrader',
    'defineReporter',
    'defineWorld',
    'grade',
  ]);
});

test('the types export these names and no others', () => {
  const typesOf = (file: string) => readFileSync(join(installed, 'dist/types', file), 'utf8');
  expect(typesOf('index.d.ts')).toBe("export * from './app/public.ts';\n");
  const lists = typesOf('app/public.d.ts').matchAll(/export (?:type )?\{([^}]*)\}/g);
  const names = Array.from(lists, ([, list = '']) => list.split(',')).flat();
  const exported = names.map((name) => name.trim().replace(/^type /, '')).filter((name) => name !== '');
  expect(exported.toSorted()).toEqual(
    [
      'AssayConfig',
      'AssayConfig as SkillGymConfig',
      'AssayConfig as SkillgymConfig',
      'assert',
      'Assert',
      'AssertionContext',
      'AssertionOptions',
      'BenchmarkReporter',
      'CodeCase as Case',
      'CaseFinishEvent',
      'CaseResult',
      'CaseStartEvent',
      'CheckAnswer',
      'CheckCall',
      'CheckContext',
      'CheckInput',
      'CheckTurn',
      'CheckVerdict',
      'CommandAssertions',
      'CommandMatcher',
      'commandMatcher',
      'CommandMatcherBuilder',
      'defineCheck',
      'defineConfig',
      'DefinedWorld',
      'defineGrader',
      'defineReporter',
      'defineWorld',
      'ExplainContext',
      'FailureClass',
      'FileReadAssertions',
      'Grade',
      'grade',
      'GraderEntry',
      'GraderInput',
      'GraderResult',
      'Matcher',
      'OptionMatcher',
      'OutputAssertions',
      'RawArtifacts',
      'RepetitionResult',
      'ReportAssertions',
      'ReporterContext',
      'RunEvent',
      'RunnerFinishEvent',
      'RunnerInfo',
      'RunnerResult',
      'RunnerResultStatus',
      'RunnerStartEvent',
      'RunnerSummary',
      'ScheduleMode',
      'SessionEvent',
      'SessionReport',
      'Sink',
      'SinkServices',
      'SkillAssertionOptions',
      'SkillAssertions',
      'SkillDetection',
      'SoftAssert',
      'StrictMethods',
      'StructuredCommandMatcher',
      'CodeSuite as Suite',
      'SuiteErrorEvent',
      'SuiteFinishEvent',
      'SuiteRunResult',
      'SuiteStartEvent',
      'SuiteWorkspaceConfig',
      'ToolCallAssertions',
      'ToolCallMatcher',
      'ToolContext',
      'ToolError',
      'UsageReport',
      'UsageSource',
      'WorldDefinition',
      'WorldTool',
      'WrittenTarget',
    ].toSorted(),
  );
});

test('every export of the package resolves', async () => {
  const { exports } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
    exports: Readonly<Record<string, unknown>>;
  };
  const names = Object.keys(exports).map((name) => `assay${name.slice(1)}`);
  expect(names).toEqual([
    'assay',
    'assay/schema.json',
    'assay/config.schema.json',
    'assay/test-case.schema.json',
    'assay/openapi.json',
    'assay/package.json',
  ]);
  const { code, stderr } = await shell(
    names.map((name) => `node -e "require.resolve('${name}', { paths: ['.'] })"`).join('\n'),
    project,
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});

test('a strict TypeScript project compiles against it, and so does the TypeScript of the guide', async () => {
  const examples = PAGES.flatMap(blocksOf).filter(({ language }) => language === 'ts');
  expect(examples).not.toEqual([]);
  for (const [index, { text }] of examples.entries())
    writeFileSync(join(project, `example-${index}.ts`), text);
  writeFileSync(join(project, 'consumer.ts'), CONSUMER);
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(TSCONFIG));
  const { stdout, code } = await shell(`'${join(root, 'node_modules/.bin/tsc')}' -p .`, project);
  expect({ stdout, code }).toEqual({ stdout: '', code: 0 });
});

const TSCONFIG = {
  compilerOptions: {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    module: 'nodenext',
    target: 'es2022',
    types: [],
    noEmit: true,
  },
};

const CONSUMER = `
import { assert, commandMatcher, defineConfig, defineGrader, grade } from 'assay';
import type { AssayConfig, AssertionContext, Case, CommandMatcher, FailureClass, GraderInput, GraderResult } from 'assay';
import type { SessionEvent, SessionReport, RunnerResult, Suite, SuiteWorkspaceConfig } from 'assay';

const config: AssayConfig = defineConfig({
  targets: { mine: { type: 'cli', command: ['node', 'agent.mjs'] } },
  run: { repeat: 3, limits: { timeoutMs: null } },
});

// @ts-expect-error A number of repetitions is no text.
defineConfig({ run: { repeat: 'three' } });

export default defineGrader(({ answer, trace }: GraderInput): GraderResult => {
  const calls: number = trace.tool_calls;
  return { score: answer === '' ? 0 : 1, reason: \`\${calls} calls\` };
});

// @ts-expect-error A grade needs a score.
defineGrader(() => ({ reason: 'none' }));

export { config };

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

// The published shape of a case, word for word.
interface PublishedCase {
  id: string;
  prompt: string;
  tags?: string[];
  timeoutMs?: number;
  expectedFail?: boolean;
  classifyFailure?(result: RunnerResult): FailureClass | string | undefined;
  assert(report: SessionReport, ctx: AssertionContext): void | Promise<void>;
}

interface PublishedContext {
  getCommands(): string[];
  getToolCalls(tool?: string): SessionEvent[];
  getFileReads(): string[];
  detectedSkills(): { skill: string; confidence: 'explicit' | 'strong' | 'medium' | 'weak'; evidence: string[] }[];
  finalOutput(): string;
}

export const sameCase: Same<{ [K in keyof Case]: Case[K] }, { [K in keyof PublishedCase]: PublishedCase[K] }> = true;
export const context = (ctx: AssertionContext): PublishedContext => ctx;
export const published = (ctx: PublishedContext): AssertionContext => ctx;

export const suite: Suite = {
  'always-passes': {
    id: 'always-passes',
    prompt: 'Say only: ready',
    async assert(report, ctx) {
      assert.match(ctx.finalOutput(), /ready/);
      const first: unknown = report.events[0];
      assert(first !== undefined);
      assert.equal(typeof report.usage.totalTokens, 'number');
      const kept: number = assert.classify({ id: 'slow', label: 'Slow' }, () => 7);
      const later: Promise<string> = assert.classify('slow', async () => 'x');
      assert.commands.includes(report, commandMatcher('pnpm').arg('test').option('--filter', /web/).strict());
      const plain: CommandMatcher = { executable: 'git', positionals: [/push/], options: { '-f': true }, exact: true };
      assert.commands.only(report, [plain, 'ls', /x/], { message: 'm', explain: { question: (c) => c.finalOutput() } });
      assert.skills.has(report, 'pdf', { minConfidence: 'strong' });
      assert.toolCalls.has(report, { tool: 'Read', where: (args) => args !== undefined });
      assert.soft.fileReads.before(report, 'a', 'b');
      await assert.soft.rejects(Promise.reject(new Error(await later)), /x/);
      const { score } = await grade(report, { type: 'contains', value: String(kept) });
      assert.ok(score === 1);
      for (const event of report.events) if (event.type === 'toolCall') assert.ok(event.tool);
    },
  },
};

export const workspace: SuiteWorkspaceConfig = { mode: 'isolated', templateDir: './base' };

// @ts-expect-error An isolated workspace has no directory of the user's.
export const wrongWorkspace: SuiteWorkspaceConfig = { mode: 'isolated', cwd: '.' };

// @ts-expect-error A case needs a prompt.
export const wrongCase: Case = { id: 'a', assert() {} };

// @ts-expect-error A misspelt key.
export const misspelt: Case = { id: 'a', prompt: 'p', asert() {}, assert() {} };

// @ts-expect-error No such confidence.
export const wrongOption = (report: SessionReport) => assert.skills.has(report, 's', { minConfidence: 'sure' });

// @ts-expect-error A count is a number.
export const wrongCount = (report: SessionReport) => assert.commands.count(report, 'ls', '2');
`;

test('the program starts and tells its version', async () => {
  expect((await shell('npx assay --version', project)).stdout.trim()).toBe(VERSION);
});

test('the package has what people need, and none of our sources or tests', () => {
  const files = readdirSync(installed, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(installed.length + 1));
  expect(files.filter((file) => !/^(dist|docs|examples)\//.test(file)).sort()).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'SECURITY.md',
    'THIRD-PARTY-LICENSES.txt',
    'config.schema.json',
    'openapi.json',
    'package.json',
    'schema.json',
    'test-case.schema.json',
  ]);
  expect(files.filter((file) => /\/(\.assay|node_modules|decisions)\//.test(file))).toEqual([]);
  expect(files.filter((file) => /\.(test|fixture)\.|\.stamp|fixtures\//.test(file))).toEqual([]);
  expect(files.filter((file) => /(?<!\.d)\.ts$/.test(file))).toEqual([]);
});

test('its source maps name no path of the machine that built it', () => {
  const chunks = readdirSync(join(installed, 'dist'), { recursive: true, encoding: 'utf8' });
  const foreign = chunks
    .filter((name) => name.endsWith('.map'))
    .flatMap((name) => {
      const map = JSON.parse(readFileSync(join(installed, 'dist', name), 'utf8')) as { sources: string[] };
      return map.sources.filter((source) => !source.startsWith('.'));
    });
  expect(foreign).toEqual([]);
});
