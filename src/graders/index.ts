import type { GraderPlugin } from '../core/plugin.ts';

/** Every grader there is, by type. */
export const graders: readonly GraderPlugin[] = [];
