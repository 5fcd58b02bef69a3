import { readdirSync } from 'node:fs';
import { inRoot } from '../lib/paths.mjs';

/** The menu: each group with its pages in reading order. Other pages of the guide follow at its end. */
const START = ['README.md', 'docs/guide/first-hour.md'];

const GUIDE = [
  'writing-evals',
  'targets',
  'variants',
  'results',
  'ci',
  'keeping-results',
  'stored-runs',
  'api',
  'believing',
  'conversations',
  'tools',
  'judges',
  'cassettes',
  'code-suites',
  'coding-agents',
  'view',
  'server',
  'accounts',
  'store',
  'workers',
  'editor',
  'protection',
].map((name) => `docs/guide/${name}.md`);

const PROJECT = [
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'docs/GLOSSARY.md',
  'docs/architecture.md',
  'AGENTS.md',
];

/** Every Markdown file of the site, with its place in the menu. */
export function markdownFiles() {
  const inGuide = namesIn('docs/guide');
  const unlisted = inGuide.filter((file) => ![...START, ...GUIDE].includes(file));
  return [
    ...START.map((file) => entry(file, 'Start')),
    ...[...GUIDE, ...unlisted].map((file) => entry(file, 'Guide')),
    ...namesIn('docs/reference').map((file) => entry(file, 'Reference')),
    ...PROJECT.map((file) => entry(file, 'Project')),
    ...namesIn('docs/decisions').map((file) => entry(file)),
    ...['quickstart', 'test-cases'].map((name) => entry(`examples/${name}/README.md`)),
  ];
}

/** Pages that list a folder. */
export function folderPages() {
  const items = namesIn('docs/decisions').map(
    (file) => `<li><a href="${file.slice('docs/decisions/'.length, -3)}.html">${file.slice(15, -3)}</a></li>`,
  );
  const html = `<h1>Decisions</h1>\n<ul>${items.join('\n')}</ul>`;
  const base = { file: 'docs/decisions', url: 'decisions/index.html', title: 'Decisions' };
  return [{ ...base, html, ids: [], links: [], headings: [], sections: [], group: 'Project' }];
}

function namesIn(folder) {
  return readdirSync(inRoot(folder))
    .filter((name) => name.endsWith('.md'))
    .toSorted()
    .map((name) => `${folder}/${name}`);
}

function entry(file, group) {
  return { file, url: urlOf(file), group };
}

function urlOf(file) {
  if (file === 'README.md') return 'index.html';
  return file
    .replace(/^docs\//, '')
    .replace(/README\.md$/, 'index.md')
    .replace(/\.md$/, '.html')
    .replace(/^[A-Z]+(?=\.html$)/, (name) => name.toLowerCase());
}
