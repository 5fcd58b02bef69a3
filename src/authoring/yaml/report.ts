import type { Problem } from '../../core/problem.ts';
import type { Fault, Path } from './fault.ts';
import { openLocator, type Locator } from './locate.ts';
import type { YamlFailure } from './parse-yaml.ts';
import type { Fragment, Place } from './source.ts';
import { given } from '../../lib/given.ts';

/** Collects mistakes; their places are looked up at the end. */
export interface Report {
  add(fragment: Fragment, found: Fault): void;
  /** A mistake of a whole file, or at a known place. */
  addTo(shown: string, found: Fault, place?: Place): void;
  addSyntax(fragment: Fragment, failure: YamlFailure): void;
  /** Number of mistakes added so far. */
  readonly count: number;
  /** Sorted by file in the order of first mention, then by place. */
  problems(): Promise<readonly Problem[]>;
}

/** Maximum number of problems shown per file; the rest is only counted. */
export const MOST_PROBLEMS = 100;

export function createReport(): Report {
  const files = new Map<string, FileReport>();
  let count = 0;

  function enter(shown: string, entry: Entry): void {
    const file: FileReport = files.get(shown) ?? { entries: [], known: new Map(), more: 0 };
    files.set(shown, file);
    if (entry.kind === 'fault' && !isNew(file, entry)) return;
    count += 1;
    if (file.entries.length < MOST_PROBLEMS) file.entries.push(entry);
    else file.more += 1;
  }

  return {
    add: (fragment, found) => enter(fragment.shown, { kind: 'fault', fragment, found }),
    addTo: (shown, found, place) => enter(shown, { kind: 'placed', found, place }),
    addSyntax: (fragment, failure) => enter(fragment.shown, { kind: 'syntax', fragment, failure }),
    get count() {
      return count;
    },
    async problems() {
      if (count === 0) return [];
      const locator = await openLocator();
      return [...files].flatMap(([shown, file]) => problemsOf(shown, file, locator));
    },
  };
}

type Entry =
  | FoundFault
  | { readonly kind: 'placed'; readonly found: Fault; readonly place: Place | undefined }
  | { readonly kind: 'syntax'; readonly fragment: Fragment; readonly failure: YamlFailure };

interface FoundFault {
  readonly kind: 'fault';
  readonly fragment: Fragment;
  readonly found: Fault;
}

interface FileReport {
  readonly entries: Entry[];
  /** Faults by their fragment, each as text. */
  readonly known: Map<Fragment, Set<string>>;
  more: number;
}

/** Remembers the fault. False if it was entered before. */
function isNew({ known }: FileReport, { fragment, found }: FoundFault): boolean {
  const faults = known.get(fragment) ?? new Set();
  known.set(fragment, faults);
  const before = faults.size;
  faults.add(JSON.stringify([found.message, found.at, found.path]));
  return faults.size > before;
}

function problemsOf(file: string, { entries, more }: FileReport, locator: Locator): readonly Problem[] {
  const located = entries.flatMap((entry) => placed(file, entry, locator)).toSorted(byPlace);
  const kept = located.slice(0, MOST_PROBLEMS);
  const rest = more + located.length - kept.length;
  if (rest === 0) return kept;
  return [...kept, { file, code: 'more-problems', message: `and ${rest} more problems in this file` }];
}

function placed(file: string, entry: Entry, locator: Locator): readonly Problem[] {
  switch (entry.kind) {
    case 'fault':
      return [
        problem(
          file,
          { ...entry.found, path: pathIn(entry.fragment, entry.found) },
          locator.place(entry.fragment, entry.found),
        ),
      ];
    case 'placed':
      return [problem(file, entry.found, entry.place)];
    case 'syntax':
      return locator
        .syntax(entry.fragment, entry.failure)
        .map(({ fault, line, column }) => problem(file, fault, { line, ...given({ column }) }));
    default:
      return entry satisfies never;
  }
}

function problem(
  file: string,
  found: Pick<Fault, 'code' | 'message' | 'hint'> & Partial<Pick<Fault, 'path'>>,
  place: Place | undefined,
): Problem {
  const { code, message, hint, path = [] } = found;
  return {
    file,
    ...(place === undefined ? {} : { line: place.line }),
    ...given({ column: place?.column }),
    ...(path.length === 0 ? {} : { path }),
    code,
    message,
    ...given({ hint }),
  };
}

function pathIn({ item }: Fragment, { path }: Fault): Path {
  return item === undefined ? path : [...item, ...path.slice(1)];
}

function byPlace(left: Problem, right: Problem): number {
  return (left.line ?? 0) - (right.line ?? 0) || (left.column ?? 0) - (right.column ?? 0);
}
