import { Command } from 'commander';

export function schemaCommand(done: (exitCode: number) => void): Command {
  return new Command('schema')
    .description('print the JSON Schema of eval files, for editors')
    .option('--config', 'of the config file instead')
    .action(async (flags: { config?: boolean }) => {
      const { schemaText } = await import('../app/schema-text.ts');
      process.stdout.write(await schemaText(flags.config === true ? 'config' : 'suite'));
      done(0);
    });
}
