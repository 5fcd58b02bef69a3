import { defaultTargets } from '../../../authoring/config/default-targets.ts';
import { meantTargets } from '../../../authoring/config/meant-targets.ts';
import type { LoadedConfig } from '../../../authoring/config/load-config.ts';
import type { Problem } from '../../../core/problem.ts';
import { useTargets } from '../../binding/use-targets.ts';

/** The targets that cases name, as far as the files could be read. */
export interface TargetsOfCases {
  /** Adds the targets of one case. Undefined: the run decides. */
  add(names: readonly string[] | undefined): void;
  /** Problems with the targets, reported together with those of the files. `instead`: the names of `--target`. */
  problems(loaded: LoadedConfig, instead?: readonly string[]): readonly Problem[];
}

export function targetsOfCases(): TargetsOfCases {
  const asked = new Set<string>();
  let asksDefault = false;
  return {
    add: (names) => {
      if (names === undefined) asksDefault = true;
      else for (const name of names) asked.add(name);
    },
    problems: (loaded, instead = []) => {
      if (instead.length > 0)
        return useTargets(meantTargets(instead, loaded.written), loaded, { flag: '--target' }).problems;
      const byDefault = asksDefault ? defaultTargets(loaded, 'data') : { names: [], problems: [] };
      const known = [...asked].filter((name) => loaded.written.has(name));
      const names = new Set([...meantTargets(known, loaded.written), ...byDefault.names]);
      return [...byDefault.problems, ...useTargets([...names], loaded).problems];
    },
  };
}
