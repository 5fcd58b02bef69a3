export interface ReportedTest {
  readonly name: string;
  /** With the name of its class or file: `tests/a.test.js adds two numbers`. */
  readonly fullName: string;
  /** Neither failed, nor skipped. */
  readonly hasPassed: boolean;
}

/** The tests of a JUnit report. Text that is no report has no tests. */
export function testsIn(report: string): readonly ReportedTest[] {
  const markup = report.replaceAll(/<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>/g, '');
  const tests: ReportedTest[] = [];
  for (const [, attributes = '', end, body = ''] of markup.matchAll(TEST)) {
    const values = new Map(
      [...attributes.matchAll(ATTRIBUTE)].map(([, key = '', double, single]) => [
        key,
        unescaped(double ?? single ?? ''),
      ]),
    );
    const name = values.get('name') ?? '';
    const owner = values.get('classname') ?? values.get('file');
    const hasPassed = end === '/>' || !/<(?:failure|error|skipped)\b/.test(body);
    tests.push({ name, fullName: owner === undefined ? name : `${owner} ${name}`, hasPassed });
  }
  return tests;
}

const VALUE = String.raw`\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*')`;

/** A test with its attributes, and its content if it has any. */
const TEST = new RegExp(String.raw`<testcase((?:${VALUE})*)\s*(\/>|>([\s\S]*?)<\/testcase\s*>)`, 'g');

const ATTRIBUTE = /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

function unescaped(text: string): string {
  return text.replaceAll(/&(#x[0-9a-f]+|#\d+|\w+);/gi, (whole, entity: string) => {
    if (!entity.startsWith('#')) return ENTITIES[entity] ?? whole;
    const code = Number(entity.slice(1).replace(/^x/i, '0x'));
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
