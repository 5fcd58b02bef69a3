// The licences of the packages bundled into dist/, which must be shipped with their code.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inRoot } from './paths.mjs';

const FILE = 'THIRD-PARTY-LICENSES.txt';

const folders = new Set();

/** A plugin that collects every package with a module in the bundle. */
export const notePackages = {
  name: 'note packages',
  generateBundle(_options, bundle) {
    const modules = Object.values(bundle).flatMap(({ moduleIds = [] }) => moduleIds);
    for (const folder of modules.map(packageOf)) if (folder !== undefined) folders.add(folder);
  },
};

/** Writes the licences of the collected packages. Fails if one has no licence file. */
export const writeLicenses = () => writeFileSync(inRoot(FILE), licensesText([...folders].sort()));

/** The package folder of a module. Undefined for our own modules. */
function packageOf(module) {
  return /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(module.replace(/^\0/, ''))?.[0];
}

function licensesText(bundled) {
  const parts = bundled.map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return `${'-'.repeat(80)}\n${name} ${version} (${license})\n\n${licenseIn(folder, name)}\n`;
  });
  return `The files in dist/ contain code of the following ${bundled.length} packages.\n\n${parts.join('\n')}`;
}

function licenseIn(folder, name) {
  const files = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|notice|copying)(\.|$)/i.test(file))
    .sort();
  if (!files.some((file) => /^(licen|copying)/i.test(file)))
    throw new Error(
      `${name} is bundled and has no licence file in ${folder}: bundle another package, or leave it out`,
    );
  return files
    .map((file) => readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim())
    .join('\n\n');
}
