import { moduleFault } from '../lib/modules/module-fault.ts';
import { remembering } from '../lib/text/remembering.ts';
import { checkPlugin } from './check/check-plugin.ts';
import { textFault } from './check/check-source.ts';
import { isPlain, plainAnswer } from './check/plain-check.ts';

export const javascript = checkPlugin({
  type: 'javascript',
  summary: 'Your JavaScript or TypeScript checks the answer, in a worker thread of assay.',
  forms:
    'An expression or statements with `return`, or `file://` and the path of a module whose default export is the check.',
  example: 'checks/check.ts',
  extension: /\.[cm]?[jt]s$/,
  files: '.js or .ts',
  textFault,
  isPlain,
  plainAnswer,
  fileFaults: (content, _, path) => faultsOfFile(JSON.stringify([path, content])),
});

/** Many tests have the same check. */
const faultsOfFile = remembering(64, (pathAndContent): readonly string[] => {
  const [path, content] = JSON.parse(pathAndContent) as readonly [string, string];
  const fault = moduleFault(path, content);
  return fault === undefined ? [] : [fault];
});
