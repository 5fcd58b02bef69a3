import { rolldown } from 'rolldown';

/** Bundles a file and its imports into one module, without Node's modules and `external` packages. */
export async function bundle(entry, outfile, { external = [] } = {}) {
  const build = await rolldown({
    input: entry,
    platform: 'node',
    external,
    transform: { target: 'node20.19' },
    logLevel: 'warn',
  });
  await build.write({ file: outfile, format: 'esm', codeSplitting: false });
  await build.close();
}
