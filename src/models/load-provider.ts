import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import type { EmbeddingModelV4, LanguageModelV4 } from '@ai-sdk/provider';

import { isObject } from '../lib/json.ts';

export interface ProviderSettings {
  readonly apiKey?: string;
  readonly baseURL?: string;
  /** For chat completions endpoints. */
  readonly name?: string;
  readonly includeUsage?: boolean;
  readonly supportsStructuredOutputs?: boolean;
  readonly fetch?: typeof fetch;
}

/** Makes models of one provider. Throws `ProviderUnusable` for a kind of model that the package does not have. */
export interface ModelFactory {
  language(settings: ProviderSettings, modelName: string): LanguageModelV4;
  embedding(settings: ProviderSettings, modelName: string): EmbeddingModelV4;
}

/** Thrown for a package that is not installed, or is not a supported model provider. */
export class ProviderUnusable extends Error {
  readonly isMissing: boolean;

  constructor(message: string, isMissing: boolean) {
    super(message);
    this.name = 'ProviderUnusable';
    this.isMissing = isMissing;
  }
}

/** Loads the package of a provider: as a dependency of assay, else from the project in `directory`. */
export async function loadProvider(packageName: string, directory: string): Promise<ModelFactory> {
  const exports = await importPackage(packageName, directory);
  const create = factoryIn(exports, packageName);
  return {
    language(settings, modelName) {
      const model = made(create(settings), ['languageModel'], modelName);
      if (isUsable<LanguageModelV4>(model)) return model;
      throw new ProviderUnusable(
        `${packageName} implements ${specificationOf(model)} of the language model specification; assay supports v3 and v4 (AI SDK 6 and 7)`,
        false,
      );
    },
    embedding(settings, modelName) {
      const model = made(create(settings), ['embeddingModel', 'textEmbeddingModel'], modelName);
      if (isUsable<EmbeddingModelV4>(model)) return model;
      throw new ProviderUnusable(`${packageName} has no embedding models that assay supports`, false);
    },
  };
}

async function importPackage(name: string, directory: string): Promise<Record<string, unknown>> {
  try {
    return (await import(/* @vite-ignore */ name)) as Record<string, unknown>;
  } catch (error) {
    if (!isNotFound(error, name)) throw error;
  }
  try {
    const path = createRequire(join(directory, 'package.json')).resolve(name);
    return (await import(/* @vite-ignore */ pathToFileURL(path).href)) as Record<string, unknown>;
  } catch (error) {
    if (!isNotFound(error, name)) throw error;
    throw new ProviderUnusable(`the package ${name} is not installed`, true);
  }
}

function isNotFound(error: unknown, name: string): boolean {
  const { code, message = '' } = error as NodeJS.ErrnoException;
  const isCode = code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
  return (isCode || /cannot find|could not resolve|failed to load/i.test(message)) && message.includes(name);
}

/** `createOpenAI` of `@ai-sdk/openai`, and the equivalent of other packages. */
function factoryIn(
  exports: Record<string, unknown>,
  packageName: string,
): (settings: ProviderSettings) => unknown {
  const wanted = `create${packageName.replace(/^@ai-sdk\//, '').replaceAll('-', '')}`;
  const names = Object.keys(exports).filter((name) => /^create[A-Z]/.test(name));
  const name = names.find((candidate) => candidate.toLowerCase() === wanted) ?? names[0];
  const create = name === undefined ? undefined : exports[name];
  if (typeof create !== 'function') {
    throw new ProviderUnusable(`${packageName} does not export a provider factory`, false);
  }
  return create as (settings: ProviderSettings) => unknown;
}

/** The model of the first of these methods that a provider has. */
function made(provider: unknown, methods: readonly string[], modelName: string): unknown {
  if (typeof provider !== 'function' && !isObject(provider)) return undefined;
  const methodsOf = provider as Record<string, ((name: string) => unknown) | undefined>;
  const method = methods.find((each) => typeof methodsOf[each] === 'function');
  return method === undefined ? undefined : methodsOf[method]?.(modelName);
}

function specificationOf(model: unknown): string {
  const version = isObject(model) ? model['specificationVersion'] : undefined;
  return typeof version === 'string' ? version : 'no version';
}

/** Version 3 of the specification has the same calls and results, as far as they are used here. */
function isUsable<Model>(model: unknown): model is Model {
  return isObject(model) && ['v3', 'v4'].includes(String(model['specificationVersion']));
}
