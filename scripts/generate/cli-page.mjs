import { assay, title } from './program.mjs';

/** The help of the program, of every command and of their subcommands. */
export async function cliPage() {
  const overview = await assay('--help');
  const sections = [];
  for (const name of commandsIn(overview)) sections.push(...(await sectionsOf([name])));
  return [title('Command line', 'from the help'), block(overview), ...sections].join('\n');
}

async function sectionsOf(path) {
  const help = await assay(...path, '--help');
  const sections = [`## assay ${path.join(' ')}\n\n${block(help)}`];
  for (const name of commandsIn(help)) sections.push(...(await sectionsOf([...path, name])));
  return sections;
}

/** The names in the list of commands of a help text. The command `help` only repeats it. */
function commandsIn(help) {
  const [, list = ''] = /\nCommands:\n([\s\S]*?)\n(?:\n|$)/.exec(help) ?? [];
  const names = [...list.matchAll(/^ {2}([a-z][a-z-]*)/gm)].map(([, name]) => name);
  return names.filter((name) => name !== 'help');
}

const block = (text) => `\`\`\`text\n${text.trim()}\n\`\`\`\n`;
