import type { CommandLeaf } from './command-reads.ts';

/** Leaves of commands without any quote, expansion or redirection; nothing of others. */
export function plainLeaves(text: string): readonly CommandLeaf[] {
  if (/["'\\$`*?[\]{}<>()#~!=]/.test(text)) return [];
  return text
    .split(/&&|\|\||[;|&\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => ({
      words: part.split(/\s+/).map((word) => ({ text: word, varies: false })),
      inputs: [],
      scope: [],
    }));
}
