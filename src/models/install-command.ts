import { createRequire } from 'node:module';
import { join } from 'node:path';

import { isObject } from '../lib/json.ts';

type Versions = Readonly<Record<string, string>>;

/** Tested versions, by the major version of the AI SDK. */
const TRIED: Readonly<Record<'6' | '7', Versions>> = {
  '6': {
    '@ai-sdk/openai': '3.0.141',
    '@ai-sdk/anthropic': '3.0.139',
    '@ai-sdk/google': '3.0.141',
    '@ai-sdk/openai-compatible': '2.0.91',
  },
  '7': {
    '@ai-sdk/openai': '4.0.118',
    '@ai-sdk/anthropic': '4.0.105',
    '@ai-sdk/google': '4.0.121',
    '@ai-sdk/openai-compatible': '3.0.92',
  },
};

/**
 * The command that installs packages in the versions that fit the AI SDK of the project in `directory`. npm on Node 20
 * would pick older ones.
 */
export function installCommand(packageNames: readonly string[], directory: string): string {
  const tried = TRIED[hasAiSdk6(directory) ? '6' : '7'];
  const words = packageNames.map((name) => (tried[name] === undefined ? name : `${name}@${tried[name]}`));
  return `npm install ${words.join(' ')}`;
}

function hasAiSdk6(directory: string): boolean {
  try {
    const manifest: unknown = createRequire(join(directory, 'package.json'))('ai/package.json');
    return isObject(manifest) && String(manifest['version']).startsWith('6.');
  } catch {
    return false;
  }
}
