import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { onTestFinished } from 'vitest';
import * as z from 'zod';

import type { TargetPlugin } from '../../core/plugin.ts';
import { loadConfig, type LoadedConfig, type LoadResult } from './load-config.ts';

/** A folder with these files, gone when the test is over. */
export function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-config-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

export interface Load {
  readonly environment?: Readonly<Record<string, string>>;
  readonly file?: string;
  /** Below the folder. */
  readonly start?: string;
}

/** Loads the config of a folder as a command in that folder would. */
export async function loadIn(
  folder: string,
  { environment = {}, start = '.', ...rest }: Load = {},
): Promise<LoadResult> {
  return loadConfig({
    startDirectory: join(folder, start),
    cwd: folder,
    environment,
    plugins: () => PLUGINS,
    ...rest,
  });
}

/** The loaded config of a YAML text that has no problem. */
export async function loadedFrom(
  yaml: string,
  load: Load & { readonly dotenv?: string } = {},
): Promise<LoadedConfig> {
  const { dotenv = '', ...rest } = load;
  const { loaded, problems } = await loadIn(folderWith({ 'assay.config.yaml': yaml, '.env': dotenv }), rest);
  if (loaded === undefined) throw new Error(JSON.stringify(problems));
  return loaded;
}

export const PLUGINS: ReadonlyMap<string, TargetPlugin> = new Map(
  [
    plugin('mock', z.strictObject({ response: z.string(), delayMs: z.int().default(0) })),
    plugin('http', z.strictObject({ url: z.url(), headers: z.record(z.string(), z.string()).default({}) })),
    {
      ...plugin(
        'model',
        z.strictObject({
          model: z.string(),
          apiKeyEnv: z.string().optional(),
          system: z.string().optional(),
        }),
      ),
      texts: ['system'],
    },
    plugin('replay', z.strictObject({ run: z.string() })),
    { ...plugin('codex', z.strictObject({ model: z.string() })), needsWorkspace: true },
    { ...plugin('pi', z.strictObject({ model: z.string() })), needsWorkspace: true },
  ].map((each) => [each.type, each]),
);

function plugin(type: string, config: z.ZodType): TargetPlugin {
  const create = (): never => {
    throw new Error('nothing is started here');
  };
  return { type, version: 1, summary: `is ${type}`, config, create };
}
