import { nearest } from '../lib/text/suggest.ts';

/** What is known of a provider before its package is loaded. */
export interface ProviderFacts {
  readonly packageName: string;
  /** Variables that may hold its key; the first that is set counts. */
  readonly keyNames: readonly string[];
  /** Whether a system message may stand between other messages. */
  readonly takesLateSystem: boolean;
  /** Where it speaks chat completions and nothing is known of it but its address. */
  readonly isEndpoint: boolean;
}

/** The versions that assay was tried with, for the command that installs them. */
const TRIED: Readonly<Record<string, string>> = {
  '@ai-sdk/openai': '4.0.118',
  '@ai-sdk/anthropic': '4.0.105',
  '@ai-sdk/google': '4.0.121',
  '@ai-sdk/openai-compatible': '3.0.92',
};

const COMPATIBLE = '@ai-sdk/openai-compatible';

/** Providers with a package of their own name; any other name with a `baseUrl` is an endpoint of chat completions. */
const PACKAGED: ReadonlySet<string> = new Set(
  (
    'alibaba amazon-bedrock anthropic azure baseten cerebras cohere deepinfra deepseek fireworks gateway google ' +
    'google-vertex groq huggingface mistral moonshotai openai perplexity togetherai vercel xai'
  ).split(' '),
);

const KEY_NAMES: Readonly<Record<string, readonly string[]>> = {
  google: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY'],
};

/** What a provider is, by its name and by whether an address was given for it. */
export function providerFacts(provider: string, baseUrl: string | undefined): ProviderFacts {
  const isEndpoint = provider === 'openai-compatible' || (baseUrl !== undefined && !PACKAGED.has(provider));
  return {
    packageName: isEndpoint ? COMPATIBLE : `@ai-sdk/${provider}`,
    keyNames: isEndpoint ? [] : (KEY_NAMES[provider] ?? [`${constantCase(provider)}_API_KEY`]),
    takesLateSystem: isEndpoint || provider === 'openai',
    isEndpoint,
  };
}

/** The provider that a name nobody knows was meant to be; undefined where the name is known or nothing is near it. */
export function meantProvider(provider: string): string | undefined {
  const known = [...PACKAGED, COMPATIBLE.slice('@ai-sdk/'.length)];
  return known.includes(provider) ? undefined : nearest(provider, known);
}

/** The command that installs packages; with their versions, since npm on Node 20 picks older ones by itself. */
export function installCommand(...packageNames: readonly string[]): string {
  const words = packageNames.map((name) => (TRIED[name] === undefined ? name : `${name}@${TRIED[name]}`));
  return `npm install ${words.join(' ')}`;
}

function constantCase(name: string): string {
  return name.replaceAll('-', '_').toUpperCase();
}
