import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { guarded } from '../guarded.ts';
import { isText } from './kind-of-content.ts';
import { redactContent, type ContentRedactor } from './redact-content.ts';

/** Larger files are not kept. */
const LARGEST_BYTES = 64 * 2 ** 20;

/** Names of files with credentials, of any agent. */
const LOGINS =
  /^(?:auth|oauth_creds|credentials|\.credentials|google_accounts|hosts|mcp-oauth-tokens)\.(?:json|ya?ml|toml)$/i;

/** Folders that can be created again. */
const CACHES: ReadonlySet<string> = new Set(['.cache', '.npm', '.bun', 'node_modules']);

/**
 * Copies the session state of an agent without secrets. Credentials, links and caches are never copied. Returns the
 * paths of files that were left out, because they are too large or are binary files with a secret.
 */
export function keepState(source: string, target: string, redactor: ContentRedactor): readonly string[] {
  const dropped: string[] = [];
  const copy = (path: string): void => {
    for (const entry of readdirSync(join(source, path), { withFileTypes: true })) {
      const at = path === '' ? entry.name : `${path}/${entry.name}`;
      if (entry.isDirectory() && !CACHES.has(entry.name)) copy(at);
      if (!entry.isFile() || LOGINS.test(entry.name)) continue;
      const content = cleanFile(join(source, at), redactor);
      if (content === undefined) {
        dropped.push(at);
        continue;
      }
      const file = join(target, at);
      guarded(file, () => {
        mkdirSync(join(target, path), { recursive: true, mode: 0o700 });
        writeFileSync(file, content, { mode: 0o600 });
      });
    }
  };
  guarded(target, () => mkdirSync(target, { recursive: true, mode: 0o700 }));
  copy('');
  return dropped;
}

/** The content without secrets. Undefined if they cannot be removed. */
function cleanFile(path: string, redactor: ContentRedactor): string | Uint8Array | undefined {
  if (lstatSync(path).size > LARGEST_BYTES) return undefined;
  const content = readFileSync(path);
  const clean = redactContent(content, redactor);
  if (Buffer.from(clean).equals(content)) return content;
  return isText(content) ? clean : undefined;
}
