import { Command, Option } from 'commander';

export function schemaCommand(done: (exitCode: number) => void): Command {
  return new Command('schema')
    .description('print the JSON Schema of eval files, for editors')
    .option('--config', 'print the schema of the config file instead')
    .addOption(
      new Option('--test-case', 'print the schema of a stored test case instead').conflicts('config'),
    )
    .action(async (flags: { config?: boolean; testCase?: boolean }) => {
      const { schemaText } = await import('../app/schema-text.ts');
      process.stdout.write(
        await schemaText(flags.testCase === true ? 'case' : flags.config === true ? 'config' : 'suite'),
      );
      done(0);
    });
}
