import { rolldown } from 'rolldown';

/** Makes one module of a file and all that it imports, but for Node and what is `external`. */
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
