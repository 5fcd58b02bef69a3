// Says what `npm publish` would publish: files, size, and the licences of what is installed or bundled with it.
// Ends with 1 when a licence needs a decision, a file is missing, or the changelog says nothing of the next version.
//   node scripts/release-check.mjs [--json]      needs dist
import { existsSync, readFileSync } from 'node:fs';
import { inRoot } from './lib/paths.mjs';
import { capture, npm } from './lib/run.mjs';

/** Licences that allow bundling without further duties than the notice that we ship. */
const PERMISSIVE = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'ISC', 'MIT'];

const NEEDED = [
  'README.md',
  'LICENSE',
  'CHANGELOG.md',
  'THIRD-PARTY-LICENSES.txt',
  'dist/bin.js',
  'dist/index.js',
];

const manifest = readJson('package.json');
const packed = await packedFiles();
const report = {
  name: packed.name,
  version: packed.version,
  packedBytes: packed.size,
  unpackedBytes: packed.unpackedSize,
  files: packed.files.length,
  folders: folders(packed.files),
  installed: installedLicenses(),
  bundled: bundledLicenses(),
};
const problems = problemsOf(report);

if (process.argv.includes('--json')) console.log(JSON.stringify({ ...report, problems }, undefined, 2));
else print();
process.exitCode = problems.length === 0 ? 0 : 1;

async function packedFiles() {
  const args = [...npm.args, 'pack', '--dry-run', '--json', '--ignore-scripts', '--loglevel=error'];
  const { code, output } = await capture(npm.command, args);
  if (code !== 0) throw new Error(`npm pack ended with ${code}:\n${output}`);
  return JSON.parse(output.slice(output.search(/^\[/m)))[0];
}

/** Files and bytes of each folder at the top. */
function folders(files) {
  const sums = new Map();
  for (const { path, size } of files) {
    const folder = path.includes('/') ? path.slice(0, path.indexOf('/')) : '.';
    const { count = 0, bytes = 0 } = sums.get(folder) ?? {};
    sums.set(folder, { count: count + 1, bytes: bytes + size });
  }
  return [...sums]
    .map(([folder, { count, bytes }]) => ({ folder, files: count, bytes }))
    .toSorted((a, b) => b.bytes - a.bytes);
}

/** What npm installs with the package: its dependencies and theirs, as the lock file has them. */
function installedLicenses() {
  return Object.entries(readJson('package-lock.json').packages)
    .filter(([path, { dev }]) => path !== '' && dev !== true)
    .map(([path, { version, license = 'unknown' }]) => ({
      name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version,
      license,
    }));
}

function bundledLicenses() {
  const text = readFileSync(inRoot('THIRD-PARTY-LICENSES.txt'), 'utf8');
  return [...text.matchAll(/^-{80}\n(\S+) (\S+) \((.*)\)$/gm)].map(([, name, version, license]) => ({
    name,
    version,
    license,
  }));
}

function problemsOf({ installed, bundled }) {
  const paths = packed.files.map(({ path }) => path);
  const [, unreleased = ''] =
    /^## \[Unreleased\]\n([\s\S]*?)(?=^## |(?![\s\S]))/m.exec(readFileSync(inRoot('CHANGELOG.md'), 'utf8')) ??
    [];
  return [
    ...NEEDED.filter((file) => !paths.includes(file)).map((file) => `${file} is missing: run npm run setup`),
    ...manifest.files
      .filter((file) => !file.startsWith('!') && !existsSync(inRoot(file)))
      .map((file) => `"files" of package.json names ${file}, which does not exist`),
    ...[...installed, ...bundled]
      .filter(({ license }) => !PERMISSIVE.includes(license))
      .map(({ name, license }) => `${name} has the licence ${license}: decide whether it may be shipped`),
    ...(unreleased.trim() === '' ? ['CHANGELOG.md has no entries under [Unreleased]'] : []),
  ];
}

function print() {
  const { name, version, packedBytes, unpackedBytes, files } = report;
  console.log(
    `${name} ${version}: ${files} files, ${sizeText(packedBytes)} packed, ${sizeText(unpackedBytes)} unpacked\n`,
  );
  for (const each of report.folders)
    console.log(
      `  ${each.folder.padEnd(12)} ${String(each.files).padStart(5)} files ${sizeText(each.bytes).padStart(10)}`,
    );
  console.log(`\nInstalled with it: ${report.installed.length} packages`);
  printByLicense(report.installed);
  console.log(`\nBundled into dist: ${report.bundled.length} packages`);
  printByLicense(report.bundled);
  console.log(problems.length === 0 ? '\nno problems' : `\n${problems.join('\n')}`);
}

function printByLicense(packages) {
  const groups = {};
  for (const { name, version, license } of packages) (groups[license] ??= []).push(`${name} ${version}`);
  for (const [license, names] of Object.entries(groups)) console.log(`  ${license}: ${names.join(', ')}`);
}

function sizeText(bytes) {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

function readJson(file) {
  return JSON.parse(readFileSync(inRoot(file), 'utf8'));
}
