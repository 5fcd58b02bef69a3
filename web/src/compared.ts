import { textsOf } from './filters.ts';

/** Two sides, each a run or `RUN#TARGET`, and how they are compared; it stands in the address. */
export interface Compared {
  readonly base: string;
  readonly candidate: string;
  /** Without it the server chooses: whether trials passed where most graders are gates, else the score. */
  readonly on?: 'score' | 'passed';
  readonly across?: readonly Across[];
}

/** What may differ between two sides that are compared all the same. */
export type Across = (typeof ACROSS)[number];

const ACROSS = ['case', 'grader', 'selection'] as const;

/** Reads a comparison out of an address or a form; other parameters are left out. */
export function comparedOf(search: Readonly<Record<string, unknown>>): Partial<Compared> {
  const { on } = search;
  const across = ACROSS.filter((name) => [search['across']].flat().includes(name));
  return {
    ...textsOf(search, ['base', 'candidate']),
    ...(on === 'score' || on === 'passed' ? { on } : {}),
    ...(across.length === 0 ? {} : { across }),
  };
}

/** The run and the target of `RUN#TARGET`; undefined: all targets. */
export function sideOf(side: string): { readonly run: string; readonly target: string | undefined } {
  const at = side.indexOf('#');
  return at < 0 ? { run: side, target: undefined } : { run: side.slice(0, at), target: side.slice(at + 1) };
}
