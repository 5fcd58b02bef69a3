import type { RunResource } from '../../../src/api/resources/run.ts';
import { safeText } from './safe-text.ts';

/** How far people agree with the judges behind a number; nothing where no model judged. */
export function Judging({ of }: { readonly of: RunResource['judging'] }) {
  if (of === null) return null;
  const says = safeText(of.says);
  return <small className="judge">{says.startsWith('not ') ? `judge ${says}` : says}</small>;
}
