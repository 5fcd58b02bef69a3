// Preloaded into the measured program (`--require`): writes the resource usage of all threads to the file in
// ASSAY_BENCH_USAGE, and with `--expose-gc` also the final memory in bytes.
const { writeFileSync } = require('node:fs');

const file = process.env.ASSAY_BENCH_USAGE;
delete process.env.ASSAY_BENCH_USAGE;
process.on('exit', () => {
  const usage = process.resourceUsage();
  globalThis.gc?.();
  const held = globalThis.gc === undefined ? {} : { heldBytes: process.memoryUsage().heapUsed };
  writeFileSync(file, JSON.stringify({ ...usage, ...held }));
});
