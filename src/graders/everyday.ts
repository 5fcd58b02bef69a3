import type { GraderPlugin } from '../core/plugin.ts';
import { contains, containsAll, containsAny } from './contains.ts';
import { equals } from './equals.ts';
import { javascript } from './javascript.ts';
import { latency } from './latency.ts';
import { regex } from './regex.ts';
import { endsWith, startsWith } from './starts-with.ts';

/** The graders that most suites use and that load fast. A suite that uses only these starts without the others. */
export const everydayGraders: readonly GraderPlugin[] = [
  contains,
  containsAll,
  containsAny,
  endsWith,
  equals,
  javascript,
  latency,
  regex,
  startsWith,
];
