import { execFileSync } from 'node:child_process';

/** Makes so many folders below each other, each with a file, also more than a path can be long. */
export function makeDeepTree(folder: string, levels: number, name = 'd'.repeat(20)): void {
  execFileSync(process.execPath, ['-e', SCRIPT, String(levels), name], { cwd: folder });
}

const SCRIPT = `
const fs = require('node:fs');
const [levels, name] = process.argv.slice(1);
for (let level = 0; level < Number(levels); level++) {
  fs.writeFileSync('file', 'x');
  fs.mkdirSync(name);
  process.chdir(name);
}
`;
