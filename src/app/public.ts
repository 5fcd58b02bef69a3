export { defineConfig } from '../authoring/config/define-config.ts';
export type { AssayConfig, WrittenTarget } from '../authoring/config/schema.ts';
export { defineGrader, type GraderInput, type GraderResult } from '../graders/define-grader.ts';
