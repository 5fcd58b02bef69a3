/** A sentence of a page that a reader would stumble over. */
export interface Stumble {
  readonly line: number;
  readonly why: string;
  readonly sentence: string;
}

/** Words in a sentence at most. */
const LONGEST = 20;

const RIDDLES =
  /\b(is|are|was|were) none\b|\bnobody\b|\bnothing says\b|\bwhoever\b|\bthat which\b|\bis no (place|name|file|case|target)\b|\bwhat it comes to\b/i;

/** Finds sentences that are too long, and phrases that read like a riddle. Code blocks, headings and raw HTML are passed over. */
export function stumblesOf(text: string): readonly Stumble[] {
  return paragraphsOf(text).flatMap(({ line, text: paragraph }) =>
    sentencesOf(paragraph).flatMap((sentence) => {
      const words = wordsOf(sentence);
      if (words > LONGEST) return [{ line, why: `${words} words`, sentence }];
      return RIDDLES.test(sentence) ? [{ line, why: 'riddle', sentence }] : [];
    }),
  );
}

interface Paragraph {
  readonly line: number;
  readonly text: string;
}

/** Paragraphs, items of lists and cells of tables, each as one text. */
function paragraphsOf(text: string): readonly Paragraph[] {
  const all: { line: number; text: string }[] = [];
  let isCode = false;
  let isHtml = false;
  let isOpen = false;
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.trim();
    if (line.startsWith('```')) isCode = !isCode;
    if (/^<(svg|!--)/.test(line)) isHtml = true;
    const isSkipped = isCode || isHtml || line === '' || /^(```|#|\|? *:?-{3})/.test(line);
    if (/<\/svg>|-->/.test(line)) isHtml = false;
    if (isSkipped) isOpen = false;
    else if (line.startsWith('|'))
      all.push(...cellsOf(line).map((cell) => ({ line: index + 1, text: cell })));
    else if (isOpen && !/^([*-]|\d+\.) /.test(line)) (all.at(-1) ?? { text: '' }).text += ` ${line}`;
    else all.push({ line: index + 1, text: line.replace(/^([*-]|\d+\.) /, '') });
    if (!isSkipped) isOpen = !line.startsWith('|');
  }
  return all;
}

function cellsOf(line: string): readonly string[] {
  return line.split(/(?<!\\)\|/).map((cell) => cell.trim());
}

function sentencesOf(paragraph: string): readonly string[] {
  // Code counts as one word, and its dots end no sentence.
  const plain = paragraph.replaceAll(/`[^`]*`/g, 'CODE').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
  return plain.split(/(?<=[.!?]["')*]*)\s+(?=["'(*]*(?:[A-Z0-9]|assay\b))/).map((each) => each.trim());
}

/** A list of names counts as one word. */
function wordsOf(sentence: string): number {
  const listed = sentence.replaceAll(/CODE(,? (and |or )?CODE)+/g, 'CODE');
  return (listed.match(/[\p{L}\p{N}][^\s]*/gu) ?? []).length;
}
