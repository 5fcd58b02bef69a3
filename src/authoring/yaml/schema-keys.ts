import type * as z from 'zod';

import type { Path } from './fault.ts';

/** The keys that a schema allows in the mapping at a path, over all alternatives; empty when any key is allowed. */
export function schemaKeys(schema: z.core.$ZodType, path: Path = []): readonly string[] {
  const [step, ...rest] = path;
  const found = new Set<string>();
  for (const plain of branches(schema)) {
    const def = (plain as z.core.$ZodTypes)._zod.def;
    if (step === undefined) {
      if (def.type === 'object') Object.keys(def.shape).forEach((key) => found.add(key));
      continue;
    }
    const next = member(def, step);
    if (next !== undefined) schemaKeys(next, rest).forEach((key) => found.add(key));
  }
  return [...found];
}

function member(def: z.core.$ZodTypes['_zod']['def'], step: string | number): z.core.$ZodType | undefined {
  if (def.type === 'object') return def.shape[step];
  if (def.type === 'array') return def.element;
  return def.type === 'record' ? def.valueType : undefined;
}

function branches(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  const def = (schema as z.core.$ZodTypes)._zod.def;
  switch (def.type) {
    case 'union':
      return def.options.flatMap(branches);
    case 'intersection':
      return [...branches(def.left), ...branches(def.right)];
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'readonly':
    case 'catch':
      return branches(def.innerType);
    case 'pipe':
      return branches(def.in);
    case 'lazy':
      return branches(def.getter());
    default:
      return [schema];
  }
}
