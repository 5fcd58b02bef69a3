import { isObject } from '../../lib/json.ts';
import type { Fault } from '../yaml/fault.ts';
import { makeVariants, unknownBase } from './variants.ts';
import { writtenNames } from './written-targets.ts';

/** The mistakes of `variants` that do not depend on the type of the target. */
export function variantFaults(config: unknown): readonly Fault[] {
  if (!isObject(config) || config['variants'] === undefined) return [];
  const { base, faults } = makeVariants(config);
  if (base === undefined) return faults;
  const names = writtenNames({ targets: config['targets'], runners: config['runners'] });
  if (names.includes(base)) return faults;
  return [...faults, unknownBase(base, names, ['variants'])];
}
