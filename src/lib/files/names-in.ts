import { readdirSync } from 'node:fs';

/** The names in a folder; empty when it cannot be read. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
