import { isObject } from '../../lib/json.ts';
import type { Path } from '../yaml/fault.ts';
import { pythonAgent, scriptAgent, type AgentFile } from './agent-files.ts';
import { httpAgent } from './http-agent.ts';
import { noteOthers, type Importing } from './notes.ts';

/** A provider as a target of the config. */
export interface ImportedProvider {
  readonly name: string;
  readonly target: Readonly<Record<string, unknown>>;
  /** Keys of `models.PROVIDER`, such as an address. */
  readonly models?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

interface WrittenProvider {
  readonly id: string;
  readonly label: string | undefined;
  readonly config: Readonly<Record<string, unknown>>;
  readonly path: Path;
}

/** All providers of a config. What is no model and no program becomes a placeholder. */
export function importProviders(
  written: unknown,
  key: string,
  importing: Importing,
): readonly ImportedProvider[] {
  const list: readonly unknown[] = Array.isArray(written) ? written : [written];
  return list.flatMap((each, index) => {
    const path = Array.isArray(written) ? [key, index] : [key];
    const provider = writtenProvider(each, path, importing);
    return provider === undefined ? [] : [importedProvider(provider, importing)];
  });
}

/** `provider/model` of a provider id; undefined for other ids. */
export function modelOf(id: string): string | undefined {
  const [, vendor = '', model = ''] =
    /^([a-z]+):(?:(?:chat|responses|messages|converse):)?(.+)$/.exec(id) ?? [];
  const own = VENDORS[vendor];
  if (own === undefined || OTHER_MODALITIES.test(model)) return undefined;
  return `${own}/${model}`;
}

const VENDORS: Readonly<Record<string, string>> = {
  openai: 'openai',
  anthropic: 'anthropic',
  google: 'google',
  vertex: 'google-vertex',
  mistral: 'mistral',
  groq: 'groq',
  deepseek: 'deepseek',
  xai: 'xai',
  cohere: 'cohere',
  perplexity: 'perplexity',
  togetherai: 'togetherai',
  cerebras: 'cerebras',
  azure: 'azure',
  azureopenai: 'azure',
  bedrock: 'amazon-bedrock',
  openrouter: 'openrouter',
  ollama: 'ollama',
};

const OTHER_MODALITIES =
  /^(?:assistant|embedding|embeddings|image|realtime|moderation|transcription|video|live|completion):/;

/** Providers that have only an address. */
const ENDPOINTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  openrouter: { baseUrl: 'https://openrouter.ai/api/v1', apiKeyEnv: 'OPENROUTER_API_KEY' },
  ollama: { baseUrl: 'http://localhost:11434/v1' },
};

function writtenProvider(each: unknown, path: Path, importing: Importing): WrittenProvider | undefined {
  if (typeof each === 'string') return { id: each, label: undefined, config: {}, path };
  if (!isObject(each)) {
    importing.note(path, 'this provider is not imported: it is neither a text nor a mapping');
    return undefined;
  }
  const [only, ...others] = Object.keys(each);
  const isShort = only !== undefined && others.length === 0 && isObject(each[only]);
  const { id, label, config, ...rest } = (isShort ? { id: only, ...(each[only] as object) } : each) as Record<
    string,
    unknown
  >;
  if (typeof id !== 'string') {
    importing.note(path, 'this provider is not imported: it has no `id`');
    return undefined;
  }
  noteOthers(rest, [], { path: isShort ? [...path, only] : path, importing, hints: HINTS });
  return {
    id,
    label: typeof label === 'string' ? label : undefined,
    config: isObject(config) ? config : {},
    path: isShort ? [...path, only] : path,
  };
}

const HINTS = {
  prompts: 'use `include` or `exclude` in `variants` to choose combinations',
  transform: 'read the part in a `javascript` check, or in the agent',
  delay: 'use `maxParallel` of the target to send fewer requests at once',
  env: 'put the variables into `.env` next to the config',
};

function importedProvider(provider: WrittenProvider, importing: Importing): ImportedProvider {
  const { id, label, config, path } = provider;
  const model = modelOf(id);
  if (model !== undefined) return importedModel(model, provider, importing);
  const name = nameOf(label ?? id.replace(/^https?:\/\//, ''));
  const agent = writtenAgent(provider, name, importing);
  if (agent !== undefined) return { name, target: agent };
  if (id.startsWith('exec:')) {
    noteOthers(config, [], { path: [...path, 'config'], importing });
    return { name, target: { type: 'cli', command: `${id.slice('exec:'.length).trim()} {PROMPT}` } };
  }
  importing.note(
    path,
    `the provider \`${id}\` is not imported: the target \`${name}\` is a placeholder with a fixed answer`,
    'describe your agent with the target type http, module or cli: see docs/guide/targets.md',
  );
  return { name, target: { type: 'mock', response: `This is a placeholder for ${id}.` } };
}

/** The target of an HTTP provider, or of one in JavaScript or Python. Its program is written next to the config. */
function writtenAgent(
  { id, config, path }: WrittenProvider,
  name: string,
  importing: Importing,
): Readonly<Record<string, unknown>> | undefined {
  if (/^https?(?:$|:\/\/)/.test(id)) {
    const place = (file: string) =>
      importing.readText(file) === undefined ? undefined : importing.moved(file);
    const made = httpAgent({ id, config, place });
    if (typeof made === 'string') {
      importing.note([...path, 'config'], `the request of \`${name}\` is not imported: ${made}`, IN_MODULE);
      return undefined;
    }
    noteOthers(config, HTTP_KEYS, { path: [...path, 'config'], importing });
    importing.note(
      path,
      `if ${name} answers with another status than 2xx, the trial is errored`,
      'to grade such answers, change the line with `response.ok` in the written module',
    );
    return moduleTarget(name, made, importing);
  }
  const [, file, called = 'call_api'] =
    /^(?:file:\/\/|python:)(.+?\.(?:py|[cm]?[jt]s))(?::(\w+))?$/.exec(id) ?? [];
  const source = file === undefined ? undefined : importing.readText(file);
  if (file === undefined || source === undefined) return undefined;
  const provider = { id, config };
  const isPython = file.endsWith('.py');
  const made = isPython
    ? pythonAgent(importing.moved(file), called, provider)
    : scriptAgent(importing.moved(file), source, provider);
  if (/\b(?:vars|context)\b/.test(source)) importing.note(path, ...varsOfProvider(id, made.vars));
  if (!isPython) return moduleTarget(name, made, importing);
  const program = importing.write({ name, extension: '.agent.py' }, made.text);
  return { type: 'cli', command: ['python3', program] };
}

function moduleTarget(
  name: string,
  { text, passEnv, vars }: AgentFile,
  importing: Importing,
): Readonly<Record<string, unknown>> {
  return {
    type: 'module',
    module: importing.write({ name, extension: '.agent.mjs' }, text),
    ...(passEnv.length === 0 ? {} : { passEnv }),
    ...(vars.length === 0 ? {} : { vars }),
  };
}

/** What a provider gets of `context.vars`, and what to do. */
function varsOfProvider(id: string, vars: readonly string[]): readonly [message: string, hint: string] {
  if (vars.length === 0)
    return [`the provider \`${id}\` gets no \`context.vars\``, 'write what it needs into the prompt'];
  const names = vars.map((name) => `\`${name}\``).join(', ');
  return [
    `the provider \`${id}\` gets only ${names} of \`context.vars\``,
    'add other names to `vars` of the target',
  ];
}

const IN_MODULE = 'write a module that sends it: see docs/guide/targets.md';
const HTTP_KEYS = ['url', 'method', 'headers', 'body', 'queryParams', 'transformResponse', 'responseParser'];

function importedModel(
  model: string,
  { label, config, path }: WrittenProvider,
  importing: Importing,
): ImportedProvider {
  const [vendor = '', ...rest] = model.split('/');
  const target: Record<string, unknown> = { type: 'model', model };
  const models: Record<string, unknown> = { ...ENDPOINTS[vendor] };
  for (const [key, value] of Object.entries(config)) {
    const of = KEYS[key];
    if (of === undefined)
      importing.note([...path, 'config', key], `\`${key}\` is not imported`, CONFIG_HINTS[key]);
    else if (of.startsWith('models.')) models[of.slice('models.'.length)] = value;
    else target[of] = value;
  }
  const isPlain = Object.keys(models).length === 0;
  return {
    name: nameOf(label ?? rest.join('/')),
    target,
    ...(isPlain ? {} : { models: { [vendor]: models } }),
  };
}

const KEYS: Readonly<Record<string, string>> = {
  temperature: 'temperature',
  max_tokens: 'maxOutputTokens',
  max_completion_tokens: 'maxOutputTokens',
  max_output_tokens: 'maxOutputTokens',
  maxOutputTokens: 'maxOutputTokens',
  apiBaseUrl: 'models.baseUrl',
  apiKeyEnvar: 'models.apiKeyEnv',
};

const CONFIG_HINTS: Readonly<Record<string, string>> = {
  apiKey: 'put the key into an environment variable; `models.PROVIDER.apiKeyEnv` names another variable',
  tools: 'write the tools under `tools` of the eval: see docs/guide/tools.md',
};

/** A name that is short and can be typed without quotes. */
export function nameOf(text: string): string {
  const plain = text.replace(/^(?:file:\/\/|exec:)/, '').replaceAll(/[^A-Za-z0-9._-]+/g, '-');
  return plain.replaceAll(/^[-.]+|[-.]+$/g, '').slice(0, 60) || 'agent';
}
