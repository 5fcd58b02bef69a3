export { defineConfig } from '../authoring/config/define-config.ts';
export type { AssayConfig, WrittenTarget } from '../authoring/config/schema.ts';
export type { Sink, SinkServices } from '../core/log.ts';
export type { RunEvent } from '../core/run.ts';
export { defineReporter } from './module-reporter.ts';
export { defineGrader, type GraderInput, type GraderResult } from '../graders/define-grader.ts';
