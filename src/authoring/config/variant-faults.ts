import { isObject } from '../../lib/json.ts';
import { nearest } from '../../lib/text/suggest.ts';
import { fault, type Fault } from '../yaml/fault.ts';
import { makeVariants } from './variants.ts';
import { writtenNames } from './written-targets.ts';

/** The mistakes of `variants` that do not depend on the type of the target. */
export function variantFaults(config: unknown): readonly Fault[] {
  if (!isObject(config) || config['variants'] === undefined) return [];
  const { base, faults } = makeVariants(config);
  if (base === undefined) return faults;
  const names = writtenNames({ targets: config['targets'], runners: config['runners'] });
  if (names.includes(base)) return faults;
  const meant = nearest(base, names);
  const hint = meant === undefined ? `configured: ${names.join(', ')}` : `did you mean \`${meant}\`?`;
  const message = `variants.base: unknown target ${JSON.stringify(base)}`;
  return [...faults, fault('unknown-target', message, { path: ['variants', 'base'], hint })];
}
