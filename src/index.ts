export {
  type AssayConfig,
  defineConfig,
  defineGrader,
  defineReporter,
  type GraderInput,
  type GraderResult,
  type RunEvent,
  type Sink,
  type SinkServices,
  type WrittenTarget,
} from './app/public.ts';
