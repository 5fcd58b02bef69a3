import type { TargetPlugin } from '../core/plugin.ts';
import { cli } from './cli/cli.ts';
import { httpTarget } from './http/http.ts';
import { mock } from './mock.ts';
import { replay } from './replay.ts';

/** Targets that load fast. A config with only these starts without the others. */
export const everydayTargets: readonly TargetPlugin[] = [mock, replay, cli, httpTarget];
