import { relative, resolve } from 'node:path';

import { jsonEqual } from '../../lib/json.ts';
import { textFile } from '../../lib/text/prompt-file.ts';
import { fault, type Fault, type Path } from '../yaml/fault.ts';
import { openLocator } from '../yaml/locate.ts';
import type { SuiteTargets, VariantsPlace } from '../yaml/scope.ts';
import { targetFaults } from './check-targets.ts';
import type { LoadedConfig } from './load-config.ts';
import { type MadeVariant, unknownBase, variantsIn } from './variants.ts';
import type { VariantsSection } from './variants-section.ts';
import { variantEntry, type WrittenEntry } from './written-targets.ts';

/** The targets that suites make in `execution.variants`, collected while the suites are read. */
export interface SuiteVariants {
  add(section: VariantsSection, place: VariantsPlace): SuiteTargets;
  /** The config with these targets. */
  within(loaded: LoadedConfig): Promise<LoadedConfig>;
}

export function suiteVariants(loaded: LoadedConfig): SuiteVariants {
  const made = new Map<string, MadeTarget>();
  return {
    add(section, place) {
      const { base, variants, faults } = variantsIn(section, place.path);
      const entry = loaded.written.get(base);
      if (entry === undefined || entry.variant !== undefined)
        return { base, names: [], faults: [unknownBaseOf(base, loaded, place), ...faults] };
      const entries = variants.map((each) => variantEntry(entry, fromConfig(each, { entry, place, loaded })));
      const clashes = entries.flatMap((each): readonly Fault[] => {
        const known = loaded.written.get(each.name) ?? made.get(each.name)?.entry;
        if (known === undefined) made.set(each.name, { entry: each, place });
        return known === undefined || isSame(known, each) ? [] : [takenName(each.name, place)];
      });
      const wrong = entries.flatMap((each) => targetFaults(each, loaded.plugins));
      const names = entries.map(({ name }) => name);
      return { base, names, faults: [...faults, ...onlyOfSuite(wrong, place), ...clashes] };
    },
    within: async (config) => {
      if (made.size === 0) return config;
      const locator = await openLocator();
      const entries = [...made.values()].map(({ entry, place: { fragment } }): [string, WrittenEntry] => {
        const position = (path: Path, at: Fault['at']) => ({
          column: 1,
          ...locator.place(fragment, { path, at }),
        });
        const source = {
          keyAt: (path: Path) => position(path, 'key'),
          valueAt: (path: Path) => position(path, 'value'),
        };
        return [entry.name, { ...entry, suite: { file: fragment.shown, source } }];
      });
      return { ...config, written: new Map([...config.written, ...entries]) };
    },
  };
}

interface MadeTarget {
  readonly entry: WrittenEntry;
  readonly place: VariantsPlace;
}

/** The mistakes of the changed keys, each once. The config reports the others. */
function onlyOfSuite(faults: readonly Fault[], { path: [top] }: VariantsPlace): readonly Fault[] {
  const own = faults.filter(({ path }) => path[0] === top);
  return [...new Map(own.map((each) => [JSON.stringify([each.path, each.message]), each])).values()];
}

function isSame(known: WrittenEntry, made: WrittenEntry): boolean {
  return jsonEqual(known.keys, made.keys);
}

/** The variant with paths from the folder of the config, like those of all targets. */
function fromConfig(
  made: MadeVariant,
  {
    entry,
    place: { directory },
    loaded,
  }: { entry: WrittenEntry; place: VariantsPlace; loaded: LoadedConfig },
): MadeVariant {
  const texts = ['prompt', ...(loaded.plugins.get(String(entry.keys['type']))?.texts ?? [])];
  const moved = (path: string): string => {
    const from = relative(loaded.directory, resolve(directory, path));
    const plain = from.startsWith('..') ? from : `./${from}`;
    return /\s/.test(plain) ? `file://${plain}` : plain;
  };
  const place = (key: string, value: unknown): unknown => {
    const file = texts.includes(key) && typeof value === 'string' ? textFile(value) : undefined;
    if (file !== undefined && !file.startsWith('/')) return moved(file);
    if (Array.isArray(value)) return value.map((each: unknown) => (isPath(each) ? moved(each) : each));
    return isPath(value) ? moved(value) : value;
  };
  const keys = Object.entries(made.keys).map(([key, value]) => [key, place(key, value)]);
  return { ...made, keys: Object.fromEntries(keys) as MadeVariant['keys'] };
}

function isPath(value: unknown): value is string {
  return typeof value === 'string' && /^\.{1,2}\/\S*$/.test(value);
}

function unknownBaseOf(base: string, { written }: LoadedConfig, { path }: VariantsPlace): Fault {
  const names = [...written.values()].flatMap(({ name, variant }) => (variant === undefined ? [name] : []));
  return unknownBase(base, names, path);
}

function takenName(name: string, { path }: VariantsPlace): Fault {
  const message = `the variant name ${name} is already used for other values`;
  const hint = 'write a mapping from names to values in `over`, and choose other names';
  return fault('variant-name', message, { path: [...path, 'over'], hint });
}
