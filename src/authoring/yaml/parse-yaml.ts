import {
  CORE_SCHEMA,
  floatCoreTag,
  load,
  mergeTag,
  NOT_RESOLVED,
  type ScalarTagDefinition,
  YAMLException,
} from 'js-yaml';

import { MOST_LEVELS } from '../../lib/text/json-depth.ts';

/** Where and why a text is not valid YAML; position from 0. */
export interface YamlFailure {
  readonly line: number;
  readonly column: number;
  readonly reason: string;
}

export type ParsedYaml = { readonly value: unknown } | { readonly failure: YamlFailure };

/**
 * Parses one YAML 1.2 document (core schema and merge keys). Aliases share one value and may be cyclic. Further tags
 * replace those of the core schema.
 */
export function parseYaml(
  text: string,
  aliases: 'aliases' | 'no-aliases',
  tags: readonly ScalarTagDefinition<unknown>[] = [],
): ParsedYaml {
  const schema = tags.length === 0 ? SCHEMA : SCHEMA.withTags(...tags);
  try {
    return { value: load(text, { ...LIMITS, schema, maxAliases: aliases === 'aliases' ? -1 : 0 }) };
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    return {
      failure: { line: error.mark?.line ?? 0, column: error.mark?.column ?? 0, reason: error.reason },
    };
  }
}

/** Whether the value is nested so deeply that no parser reads it. */
export function isTooDeep({ reason }: YamlFailure): boolean {
  return reason.startsWith('nesting exceeded');
}

/** Whether a value has fewer than this many nodes after its aliases are expanded. */
export function isWithin(root: unknown, most: number): boolean {
  const sizes = new Map<object, number>();
  const sizeOf = (value: unknown): number => {
    if (typeof value !== 'object' || value === null) return 1;
    const known = sizes.get(value);
    if (known !== undefined) return known;
    // A cycle returns here before its size is known.
    sizes.set(value, Infinity);
    let size = 1;
    for (const member of Object.values(value)) size += sizeOf(member);
    sizes.set(value, size);
    return size;
  };
  return sizeOf(root) <= most;
}

// A number out of the range of a double becomes infinity, as in every YAML 1.2 parser, and is refused later.
const float = {
  ...floatCoreTag,
  resolve(source: string, isExplicit: boolean, tagName: string) {
    const value = floatCoreTag.resolve(source, isExplicit, tagName);
    return value === NOT_RESOLVED && OVERFLOW.test(source) ? Number(source) : value;
  },
};

const OVERFLOW = /^(?:[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?|0x[0-9a-fA-F]+|0o[0-7]+)$/;

const SCHEMA = CORE_SCHEMA.withTags(float, mergeTag);
const LIMITS = { maxTotalMergeKeys: 5_000_000, maxDepth: MOST_LEVELS };
