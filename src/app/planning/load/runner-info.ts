import type { RunnerInfo } from '../../../core/session-report.ts';
import { sha256 } from '../../../lib/digest.ts';

/** A target in the form of code suites. */
export function runnerInfo(
  id: string,
  keys: { readonly type?: unknown; readonly model?: unknown } | undefined,
): RunnerInfo {
  const slug = id
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  return {
    id,
    pathKey: `${slug}--${sha256(id).slice(0, 8)}`,
    agent: { type: text(keys?.type), model: text(keys?.model) },
  };
}
