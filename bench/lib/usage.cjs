// Preloaded into what is measured (`--require`): leaves the resources of the whole process, all threads, where
// ASSAY_BENCH_USAGE says.
const { writeFileSync } = require('node:fs');

const file = process.env.ASSAY_BENCH_USAGE;
delete process.env.ASSAY_BENCH_USAGE;
process.on('exit', () => writeFileSync(file, JSON.stringify(process.resourceUsage())));
