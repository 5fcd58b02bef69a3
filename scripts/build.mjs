// Builds dist/: the program and the library in one pass (shared chunks: suites and the program see the
// same classes), the dashboard, the licences of what they contain, the declarations, then the generated files.
//   node scripts/build.mjs [--types=error|warn|none]
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { build } from 'vite';
import { chunkNames } from './lib/chunk-names.mjs';
import { databaseTemplate } from './lib/database-template.mjs';
import { notePackages, writeLicenses } from './lib/licenses.mjs';
import { alone } from './lib/lock.mjs';
import { cache, inRoot, root } from './lib/paths.mjs';
import { capture, has, localBin, run } from './lib/run.mjs';
import { buildHash, markBuilt } from './lib/stamp.mjs';

const entries = {
  bin: 'src/bin.ts',
  'cli/main': 'src/cli/main.ts',
  index: 'src/index.ts',
  'graders/check/check-host': 'src/graders/check/check-host.ts',
  'graders/kept-module-host': 'src/graders/kept-module-host.ts',
  'sandboxes/forwarder-host': 'src/sandboxes/forwarder-host.ts',
  'sandboxes/probe-host': 'src/sandboxes/probe-host.ts',
  'storage/cleaning/file-cleaner-host': 'src/storage/cleaning/file-cleaner-host.ts',
  'storage/database/embedded-host': 'src/storage/database/embedded-host.ts',
  'targets/module/module-host': 'src/targets/module/module-host.ts',
  'world/stdio-relay': 'src/world/stdio-relay.ts',
};

/** Modules that each of these loads get their own chunk. Other commands load slightly more than they need. */
const often = ['validate-suites', 'start-run', 'show-run', 'mock-server'].map((name) => `src/app/${name}.ts`);

/** Not bundled: packages with native code, data or a compiler, and packages that users install. */
const external = [
  /^jiti(\/|$)/,
  /^@ai-sdk\//,
  /^@electric-sql\/pglite/,
  /^@pydantic\/genai-prices/,
  /^pg(\/|$)/,
];

/** Commander loads node:child_process (3 ms) for subcommands that are separate programs, which assay does not have. */
const leanCommander = {
  name: 'lean commander',
  resolveId: (id, importer = '') =>
    id === 'node:child_process' && /[\\/]node_modules[\\/]commander[\\/]/.test(importer)
      ? inRoot('scripts/lib/nothing.cjs')
      : undefined,
};

const types = process.argv.find((arg) => arg.startsWith('--types='))?.slice(8) ?? 'error';
const staging = join(cache, `dist-${process.pid}`);
process.on('exit', () => rmSync(staging, { recursive: true, force: true }));

process.exitCode = await alone(async () => {
  const started = performance.now();
  const hash = buildHash();
  mkdirSync(staging, { recursive: true });
  const [, , typesCode] = await Promise.all([bundle(), bundleDashboard(), types === 'none' ? 0 : declare()]);
  writeLicenses();
  await copyDatabase();
  await writeHelp();
  replace();
  const generateCode = has('scripts/generate.mjs')
    ? await run(process.execPath, [inRoot('scripts/generate.mjs')])
    : 0;
  if (generateCode === 0) markBuilt(hash);
  console.log(`built dist in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  return generateCode || (types === 'error' ? typesCode : 0);
});

async function bundle() {
  const present = Object.entries(entries).filter(([, file]) => has(file));
  for (const file of Object.values(entries)) if (!has(file)) console.log(`skipped ${file}: not there yet`);
  const { version } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));
  const program = await rolldown({
    cwd: root,
    input: Object.fromEntries(present),
    platform: 'node',
    external,
    // The ES module build of yaml, because dynamic imports do not see the names of its CommonJS build.
    resolve: { alias: { yaml: inRoot('node_modules/yaml/browser/index.js') } },
    transform: { target: 'node20.19', define: { __ASSAY_VERSION__: JSON.stringify(version) } },
    // A chunk may export more than its entry, for other chunks.
    preserveEntrySignatures: 'allow-extension',
    plugins: [leanCommander, notePackages],
    logLevel: 'warn',
    onLog: (level, log, tell) => log.code === 'INEFFECTIVE_DYNAMIC_IMPORT' || tell(level, log),
  });
  const inSources = (files) => files.map((file) => inRoot(file));
  await program.write({
    dir: staging,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    sourcemap: true,
    sourcemapExcludeSources: true,
    comments: { legal: true },
    // White space and names are kept, because an uncaught error prints its source line.
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: false } },
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [
        { debugName: 'shared', name: chunkNames(inSources(Object.values(entries)), inSources(often)) },
      ],
    },
  });
  await program.close();
}

/** The dashboard that `assay view` serves. */
async function bundleDashboard() {
  await build({
    configFile: inRoot('web/vite.config.ts'),
    plugins: [notePackages],
    build: { outDir: join(staging, 'web') },
    logLevel: 'warn',
  });
}

/** The steps of the database's schema stay files: each is applied as it is. An embedded database begins as a copy. */
async function copyDatabase() {
  const folder = 'storage/database';
  cpSync(inRoot(`src/${folder}/migrations`), join(staging, folder, 'migrations'), { recursive: true });
  const template = await databaseTemplate();
  if (template === undefined)
    console.log('skipped the template of the embedded database: PGlite is not installed');
  else cpSync(template, join(staging, folder, 'template.tgz'));
}

/** `--help` is printed from a file, see src/cli/built-help.ts. */
async function writeHelp() {
  const { code, output } = await capture(process.execPath, [join(staging, 'bin.js'), '--help'], {
    env: { ...process.env, NODE_NO_WARNINGS: '1' },
  });
  if (code !== 0) throw new Error(`--help of the new build fails:\n${output}`);
  writeFileSync(join(staging, 'help.txt'), output);
}

async function declare() {
  const { code, output } = await capture(localBin('tsc'), [
    '-p',
    'tsconfig.build.json',
    '--outDir',
    join(staging, 'types'),
  ]);
  if (code !== 0) console.error(output.trimEnd());
  return code;
}

function replace() {
  const old = `${staging}-old`;
  try {
    renameSync(inRoot('dist'), old);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  renameSync(staging, inRoot('dist'));
  rmSync(old, { recursive: true, force: true });
}
