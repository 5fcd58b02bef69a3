// Generates schema.json, config.schema.json, test-case.schema.json, openapi.json and docs/reference/*.md from the built program. Needs dist.
//   node scripts/generate.mjs            writes changed files
//   node scripts/generate.mjs --check    writes nothing; fails if a file would change
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { cliPage } from './generate/cli-page.mjs';
import { configPage } from './generate/config-page.mjs';
import { errorsPage } from './generate/errors-page.mjs';
import { exploitsPage } from './generate/exploits-page.mjs';
import { openApiText } from './generate/openapi.mjs';
import { gradersPage, targetsPage } from './generate/part-pages.mjs';
import { testCasePage } from './generate/test-case-page.mjs';
import { assay } from './generate/program.mjs';
import { inRoot } from './lib/paths.mjs';

const suiteText = await assay('schema');
const configText = await assay('schema', '--config');
const caseText = await assay('schema', '--test-case');
const graders = await assay('list', 'graders', '--json');
const targets = await assay('list', 'targets', '--json');
const configSchema = JSON.parse(configText);

const files = {
  'schema.json': suiteText,
  'config.schema.json': configText,
  'test-case.schema.json': caseText,
  'openapi.json': await openApiText(),
  'docs/reference/test-case.md': testCasePage(JSON.parse(caseText)),
  'docs/reference/graders.md': gradersPage(JSON.parse(suiteText), JSON.parse(graders)),
  'docs/reference/targets.md': targetsPage(configSchema, JSON.parse(targets)),
  'docs/reference/config.md': configPage(configSchema),
  'docs/reference/cli.md': await cliPage(),
  'docs/reference/errors.md': await errorsPage(),
  'docs/reference/exploits.md': exploitsPage(),
};
const changed = Object.entries(files).filter(([name, text]) => textIn(name) !== text);

if (process.argv.includes('--check')) {
  for (const [name] of changed) console.error(`${name} is stale: run node scripts/generate.mjs`);
  process.exitCode = changed.length === 0 ? 0 : 1;
} else {
  for (const [name, text] of changed) {
    mkdirSync(dirname(inRoot(name)), { recursive: true });
    writeFileSync(inRoot(name), text);
  }
}

function textIn(name) {
  return existsSync(inRoot(name)) ? readFileSync(inRoot(name), 'utf8') : undefined;
}
