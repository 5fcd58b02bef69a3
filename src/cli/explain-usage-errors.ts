import type { Command } from 'commander';

/** Adds to usage errors of a command and its subcommands what the option or argument is for. */
export function explainUsageErrors(command: Command): Command {
  command.configureOutput({
    outputError: (error, write) => write(withAdvice(error.trimEnd(), command)),
  });
  for (const each of command.commands) explainUsageErrors(each);
  return command;
}

function withAdvice(error: string, command: Command): string {
  const advice = adviceFor(error, command);
  const plain = error.replace(
    /^error: command-argument value ('.*') is invalid for argument '.*'\./,
    'error: argument $1 is invalid.',
  );
  return advice === undefined ? `${plain}\n` : `${plain}\n  ${advice}\n`;
}

function adviceFor(error: string, command: Command): string | undefined {
  const [, flags] =
    /^error: (?:required )?option '(.+)' (?:not specified|argument missing)$/.exec(error) ?? [];
  if (flags !== undefined) return ofOption(flags, command);
  const [, name] = /^error: missing required argument '(.+)'$/.exec(error) ?? [];
  if (name !== undefined) return ofArgument(name, command);
  return /^error: unknown (?:option|command) '[^\n]*'$/.test(error)
    ? `${nameOf(command)} --help shows all ${error.includes('option') ? 'options' : 'commands'}`
    : undefined;
}

function ofOption(flags: string, { options }: Command): string | undefined {
  const option = options.find((each) => each.flags === flags);
  if (option === undefined) return undefined;
  const { description, argChoices: choices } = option;
  return `${flags}: ${description}${choices === undefined ? '' : `; one of ${choices.join(', ')}`}`;
}

function ofArgument(name: string, { registeredArguments }: Command): string | undefined {
  const argument = registeredArguments.find((each) => each.name() === name);
  return argument === undefined ? undefined : `<${name}>: ${argument.description}`;
}

/** The whole name, such as `assay cases import`. */
function nameOf(command: Command): string {
  return command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;
}
