// Reads a stream of JSON lines and prints how many milliseconds that took: with JSON.parse, or with a parser of assay.
//   node parse-stream.mjs FILE [PARSER]
import { createReadStream } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [file, parser] = process.argv.slice(2);
const reader = parser === undefined ? byHand() : (await import(pathToFileURL(parser).href)).openParser();
const startedAt = performance.now();
for await (const chunk of createReadStream(file)) reader.push(chunk);
const found = reader.end();
if (found < 1) throw new Error('nothing was found in the stream');
process.stdout.write(String(performance.now() - startedAt));

function byHand() {
  let held = '';
  let count = 0;
  let last;
  const decoder = new TextDecoder();
  return {
    push(chunk) {
      const lines = (held + decoder.decode(chunk, { stream: true })).split('\n');
      held = lines.pop();
      for (const line of lines) {
        last = JSON.parse(line);
        count += 1;
      }
    },
    end() {
      if (last?.type !== 'result') throw new Error('the stream did not end well');
      return count;
    },
  };
}
