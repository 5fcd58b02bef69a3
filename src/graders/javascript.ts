import { checkPlugin } from './check/check-plugin.ts';
import { fileFault, textFault } from './check/check-source.ts';
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
  fileFaults: (content) => {
    const fault = fileFault(content);
    return fault === undefined ? [] : [fault];
  },
});
