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

function constantCase(name: string): string {
  return name.replaceAll('-', '_').toUpperCase();
}
