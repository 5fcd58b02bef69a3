import type { Manifest } from '../../core/manifest.ts';
import type { ResumeRequest } from './resume-request.ts';

export function nothingLeft({ id, trials }: Manifest, { retry }: ResumeRequest): string {
  const also = retry.length === 0 ? '' : ` and no trial is ${retry.join(' or ')}`;
  return `Nothing to run in ${id}: all ${trials} trials have ended${also}.\n`;
}
