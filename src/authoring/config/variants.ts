import { basename, extname } from 'node:path';

import type { TargetVariant } from '../../core/target-variant.ts';
import { isObject } from '../../lib/json.ts';
import { textFile } from '../../lib/text/prompt-file.ts';
import { meantOr } from '../../lib/text/suggest.ts';
import { check } from '../yaml/check.ts';
import { fault, type Fault, type Path, pathLabel } from '../yaml/fault.ts';
import { type VariantsSection, variantsSection } from './variants-section.ts';

/** More variants of one target are refused. */
export const MOST_VARIANTS = 200;

/** One variant: its name, the changed keys and where each is written. */
export interface MadeVariant extends TargetVariant {
  readonly name: string;
  readonly keys: Readonly<Record<string, unknown>>;
  readonly places: Readonly<Record<string, Path>>;
}

export interface MadeVariants {
  readonly base?: string;
  readonly variants: readonly MadeVariant[];
  readonly faults: readonly Fault[];
}

/** The variants of a config that may be malformed. */
export function makeVariants(config: unknown): MadeVariants {
  const section = isObject(config) ? config['variants'] : undefined;
  const { value } = check(variantsSection, section);
  // The schema of the config reports a malformed section.
  if (value === undefined) return { variants: [], faults: [] };
  return variantsIn(value, ['variants']);
}

export function variantsIn(section: VariantsSection, at: Path): MadeVariants & { readonly base: string } {
  const { base, over } = section;
  const axes = Object.entries(over).map((axis) => axisOf(axis, at));
  const axisFaults = [...axes.flatMap(({ faults }) => faults), ...rowFaults(section, axes, at)];
  const size = axes.reduce((product, { values }) => product * values.length, 1);
  if (axisFaults.length > 0) return { base, variants: [], faults: axisFaults };
  if (size > MOST_VARIANTS) return { base, variants: [], faults: [tooMany(size, at)] };
  const all = axes.reduce<readonly (readonly AxisValue[])[]>(
    (rows, { values }) => rows.flatMap((row) => values.map((each) => [...row, each])),
    [[]],
  );
  const kept = all.filter((row) => isKept(row, section));
  if (kept.length === 0) return { base, variants: [], faults: [noneLeft(at)] };
  return { base, variants: kept.map((row) => variantOf(base, row)), faults: [] };
}

interface AxisValue {
  readonly key: string;
  readonly label: string;
  readonly value: unknown;
  readonly path: Path;
}

interface Axis {
  readonly key: string;
  readonly values: readonly AxisValue[];
  readonly faults: readonly Fault[];
}

function axisOf(
  [key, written]: readonly [string, readonly unknown[] | Record<string, unknown>],
  at: Path,
): Axis {
  const path = [...at, 'over', key];
  const values = Array.isArray(written)
    ? written.map((value, i) => ({ key, label: labelOf(value), value, path: [...path, i] }))
    : Object.entries(written).map(([name, value]) => ({ key, label: name, value, path: [...path, name] }));
  const faults: Fault[] = [];
  const seen = new Set<string>();
  for (const each of values) {
    if (each.label === undefined || UNFIT.test(each.label)) faults.push(unnamed(each.path));
    else if (seen.has(each.label)) faults.push(twice(key, each.label, each.path));
    else seen.add(each.label);
  }
  return { key, values: values.map((each) => ({ ...each, label: each.label ?? '' })), faults };
}

/** Characters with a meaning in names of variants, runs and agents. */
const UNFIT = /[[\],=#@\p{Cc}]|^\s*$|^.{61}/u;

/** The short name of a value: the stem of a file, the last part of a model. Undefined for lists and mappings. */
function labelOf(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string') return undefined;
  const file = textFile(value);
  if (file !== undefined) return basename(file, extname(file));
  return /\s/.test(value) ? value.trim() : (value.split('/').at(-1) ?? value);
}

function isKept(
  row: readonly AxisValue[],
  { include, exclude = [] }: Pick<VariantsSection, 'include' | 'exclude'>,
) {
  const matches = (wanted: Readonly<Record<string, unknown>>): boolean =>
    row.every(({ key, label }) => wanted[key] === undefined || String(wanted[key]) === label);
  return (include === undefined || include.some(matches)) && !exclude.some(matches);
}

function variantOf(base: string, row: readonly AxisValue[]): MadeVariant {
  return {
    base,
    values: Object.fromEntries(row.map(({ key, label }) => [key, label])),
    name: `${base}[${row.map(({ key, label }) => `${key}=${label}`).join(',')}]`,
    keys: Object.fromEntries(row.map(({ key, value }) => [key, value])),
    places: Object.fromEntries(row.map(({ key, path }) => [key, path])),
  };
}

function rowFaults({ include = [], exclude = [] }: VariantsSection, axes: readonly Axis[], at: Path) {
  return Object.entries({ include, exclude }).flatMap(([list, rows]) =>
    rows.flatMap((row, i) =>
      Object.entries(row).flatMap(([key, label]): Fault[] => {
        const path = [...at, list, i, key];
        const axis = axes.find((each) => each.key === key);
        const known = axis?.values.map((each) => each.label) ?? axes.map((each) => each.key);
        if (axis !== undefined && known.includes(String(label))) return [];
        const wrong = axis === undefined ? key : String(label);
        const what =
          axis === undefined
            ? `\`${key}\` is not in \`over\``
            : `unknown value ${JSON.stringify(label)} of \`${key}\``;
        const hint = meantOr(wrong, known, `known: ${known.join(', ')}`);
        return [fault('variants-row', `${pathLabel([...at, list, i])}: ${what}`, { path, hint })];
      }),
    ),
  );
}

/** The mistake that `base` names an unknown target. `at`: path of the section. */
export function unknownBase(base: string, names: readonly string[], at: Path): Fault {
  const path = [...at, 'base'];
  const message = `${pathLabel(path)}: unknown target ${JSON.stringify(base)}`;
  const hint = meantOr(base, names, `configured: ${names.join(', ')}`);
  return fault('unknown-target', message, { path, hint });
}

function unnamed(path: Path): Fault {
  const message = 'this value cannot be part of the name of a variant';
  const hint =
    'write a mapping from short names to values; a name has at most 60 characters and none of [ ] , = # @';
  return fault('variant-name', message, { path, hint });
}

function twice(key: string, label: string, path: Path): Fault {
  const message = `two values of \`${key}\` have the name ${JSON.stringify(label)}`;
  return fault('variant-name', message, { path, hint: 'write a mapping from short names to values' });
}

function tooMany(size: number, at: Path): Fault {
  const message = `${pathLabel(at)}: ${size} combinations are too many; the limit is ${MOST_VARIANTS}`;
  return fault('variants-too-many', message, {
    path: [...at, 'over'],
    hint: 'remove values of `over`',
  });
}

function noneLeft(at: Path): Fault {
  const message = `${pathLabel(at)}: \`include\` and \`exclude\` leave no combination`;
  return fault('variants-row', message, {
    path: at,
    hint: 'remove a row of `exclude`, or correct the rows of `include`',
  });
}
