import { assay, title } from './program.mjs';

/** The help of the program and of every command. */
export async function cliPage() {
  const overview = await assay('--help');
  const [, list = ''] = /\nCommands:\n([\s\S]*?)\n\n/.exec(overview) ?? [];
  const sections = [];
  for (const [, name] of list.matchAll(/^ {2}([a-z][a-z-]*)/gm)) {
    sections.push(`## assay ${name}\n\n${block(await assay(name, '--help'))}`);
  }
  return [title('Command line', 'from the help'), block(overview), ...sections].join('\n');
}

const block = (text) => `\`\`\`text\n${text.trim()}\n\`\`\`\n`;
