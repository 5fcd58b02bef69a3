import { nearest } from '../lib/text/suggest.ts';

/** Known facts about a provider before its package is loaded. */
export interface ProviderFacts {
  readonly packageName: string;
  /** Variables that may contain its key; the first one that is set is used. */
  readonly keyNames: readonly string[];
  /** Whether system messages are allowed between other messages. */
  readonly takesLateSystem: boolean;
  /** True for an unknown chat completions endpoint with only an address. */
  readonly isEndpoint: boolean;
}

const COMPATIBLE = '@ai-sdk/openai-compatible';

/** Providers with a package of their own name. Any other name with a `baseUrl` is a chat completions endpoint. */
const PACKAGED: ReadonlySet<string> = new Set(
  (
    'alibaba amazon-bedrock anthropic azure baseten cerebras cohere deepinfra deepseek fireworks gateway google ' +
    'google-vertex groq huggingface mistral moonshotai openai perplexity togetherai vercel xai'
  ).split(' '),
);

const KEY_NAMES: Readonly<Record<string, readonly string[]>> = {
  google: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY'],
};

/** A provider by its name and by whether it has an address. */
export function providerFacts(provider: string, baseUrl: string | undefined): ProviderFacts {
  const isEndpoint = provider === 'openai-compatible' || (baseUrl !== undefined && !PACKAGED.has(provider));
  return {
    packageName: isEndpoint ? COMPATIBLE : `@ai-sdk/${provider}`,
    keyNames: isEndpoint ? [] : (KEY_NAMES[provider] ?? [`${constantCase(provider)}_API_KEY`]),
    takesLateSystem: isEndpoint || provider === 'openai',
    isEndpoint,
  };
}

/** A suggestion for an unknown provider name; undefined when the name is known or nothing is similar. */
export function meantProvider(provider: string): string | undefined {
  const known = [...PACKAGED, COMPATIBLE.slice('@ai-sdk/'.length)];
  return known.includes(provider) ? undefined : nearest(provider, known);
}

function constantCase(name: string): string {
  return name.replaceAll('-', '_').toUpperCase();
}
