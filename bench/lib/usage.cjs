// Preloaded into what is measured (`--require`): leaves the resources of the whole process, all threads, where
// ASSAY_BENCH_USAGE says; with `--expose-gc` also what is held in the end, in bytes.
const { writeFileSync } = require('node:fs');

const file = process.env.ASSAY_BENCH_USAGE;
delete process.env.ASSAY_BENCH_USAGE;
process.on('exit', () => {
  const usage = process.resourceUsage();
  globalThis.gc?.();
  const held = globalThis.gc === undefined ? {} : { heldBytes: process.memoryUsage().heapUsed };
  writeFileSync(file, JSON.stringify({ ...usage, ...held }));
});
