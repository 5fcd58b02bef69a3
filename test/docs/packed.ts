import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** The root of the repository. */
export const root = fileURLToPath(new URL('../../', import.meta.url));

export interface Printed {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs shell text as a person would type it; the first command that fails ends it. */
export async function shell(text: string, cwd: string): Promise<Printed> {
  const stdio = ['ignore', 'pipe', 'pipe'] as const;
  const child = spawn('sh', ['-e', '-c', text], { cwd, env: ENVIRONMENT, stdio: [...stdio] });
  const closed = once(child, 'close') as Promise<[number | null]>;
  const [stdout, stderr, [code]] = await Promise.all([textOf(child.stdout), textOf(child.stderr), closed]);
  return { code, stdout, stderr };
}

/** A folder outside the repository, removed when disposed. */
export function scratchFolder(): Disposable & { readonly path: string } {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'assay-packed-')));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** Makes the tarball that people install, and gives its path. */
export async function pack(folder: string): Promise<string> {
  for (const made of ['dist/bin.js', 'dist/types/index.d.ts', 'schema.json']) {
    if (!existsSync(join(root, made))) throw new Error(`${made} is missing: run npm run build first`);
  }
  await mustRun(`npm pack --pack-destination '${folder}'`, root);
  return join(folder, `assay-${VERSION}.tgz`);
}

/**
 * An empty project that can install the tarball without a network: its lock file names our dependencies as ours does,
 * so npm takes them from the cache that installing this repository has filled.
 */
export function emptyProject(directory: string): string {
  const isOurs = ([path, { dev }]: LockEntry) => path !== '' && dev !== true;
  return writeProject(directory, {}, Object.entries(LOCK.packages).filter(isOurs));
}

/** The same with AI SDK 6 and its providers, which stand under other names among our own dependencies. */
export function projectWithAiSdk6(directory: string): string {
  const aliased = Object.entries(LOCK.packages).filter(([path]) =>
    /^node_modules\/ai-sdk-6[^/]*$/.test(path),
  );
  const names = new Map(aliased.map(([path, { name = '' }]) => [path.slice('node_modules/'.length), name]));
  const renamed = (path: string): string =>
    path.replace(/^node_modules\/(ai-sdk-6[^/]*)/, (_, alias: string) => `node_modules/${names.get(alias)}`);
  const isNewer =
    /^node_modules\/@ai-sdk\/(openai|anthropic|google|openai-compatible|provider|provider-utils)$/;
  const packages = Object.entries(LOCK.packages)
    .filter(([path]) => path !== '' && !isNewer.test(path))
    .map(([path, entry]): LockEntry => [renamed(path), { ...entry, name: undefined, dev: undefined }]);
  return writeProject(
    directory,
    Object.fromEntries(aliased.map(([, { name = '', version = '' }]) => [name, version])),
    packages,
  );
}

type LockEntry = [string, (typeof LOCK.packages)[string]];

function writeProject(
  directory: string,
  dependencies: Readonly<Record<string, string>>,
  packages: readonly LockEntry[],
): string {
  mkdirSync(directory, { recursive: true });
  const project = { name: 'my-project', version: '1.0.0', dependencies };
  const lock = {
    ...project,
    lockfileVersion: 3,
    requires: true,
    packages: { '': project, ...Object.fromEntries(packages) },
  };
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ ...project, private: true }));
  writeFileSync(join(directory, 'package-lock.json'), JSON.stringify(lock));
  return directory;
}

export async function install(tarball: string, project: string): Promise<void> {
  await mustRun(`npm install --save-dev '${tarball}'`, project);
}

export const VERSION = (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string })
  .version;

const LOCK = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<
    Record<
      string,
      { readonly dev?: boolean | undefined; readonly name?: string | undefined; readonly version?: string }
    >
  >;
};

/** What npm and CI say about the process that runs the tests is not for those it starts. */
const ENVIRONMENT = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(npm_|CI$|GITHUB_|VITEST|NODE_|INIT_CWD|FORCE_COLOR)/.test(name),
    ),
  ),
  npm_config_cache: spawnSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8' }).stdout.trim(),
  npm_config_offline: 'true',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_update_notifier: 'false',
};

async function mustRun(text: string, cwd: string): Promise<void> {
  const { code, stdout, stderr } = await shell(text, cwd);
  if (code !== 0) throw new Error(`${text} ended with ${code}:\n${stdout}${stderr}`);
}
