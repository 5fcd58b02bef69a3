export {
  type AssayConfig,
  defineConfig,
  defineGrader,
  type GraderInput,
  type GraderResult,
  type WrittenTarget,
} from './app/public.ts';
