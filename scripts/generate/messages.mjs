import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseSync } from 'rolldown/utils';
import { globSync } from 'tinyglobby';
import { inRoot, root } from '../lib/paths.mjs';
import { declaredValues, textsOf, walk } from './message-text.mjs';

/**
 * Every message of the program with its code and its hint, from the places that create errors: constructors, objects
 * with a code and a message, and functions that pass their parameters to one of these.
 * @param codes the declared codes
 * @returns a list of { code, text, hint, isOfTrial }, sorted and without duplicates; `hint` is undefined without one
 */
export function messages(codes) {
  const files = globSync('src/**/*.ts', {
    cwd: root,
    ignore: ['**/*.test.ts', '**/*fixture*', '**/fixtures/**'],
  });
  const parsed = files.map((file) => {
    const { program } = parseSync(file, readFileSync(inRoot(file), 'utf8'));
    return { file, program, makers: makersIn(program) };
  });
  const makersOf = new Map(parsed.map(({ file, makers }) => [basename(file), makers]));
  const found = new Map();
  for (const { program, makers } of parsed) {
    for (const { text, ...rest } of messagesIn(
      program,
      new Map([...importedMakers(program, makersOf), ...makers]),
    )) {
      const isText = codes.has(rest.code) && !codes.has(text) && wordsIn(text) >= 2;
      if (isText) found.set(`${rest.code} ${text}`, { text, ...rest });
    }
  }
  return [...found].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, message]) => message);
}

/** The hint that is most often printed: `it has {names}` rather than `it has none`, or a suggested spelling. */
function usual(hints) {
  const advice = hints.filter((text) => !/^did you mean [^?]*\?$/.test(text));
  return advice.find((text) => text.includes('{')) ?? advice[0] ?? hints[0];
}

/** A message that consists only of placeholders is created elsewhere. */
const wordsIn = (text) => (text.replaceAll(/\{[\w ]+\}/g, '').match(/[A-Za-z]{2,}/g) ?? []).length;

function messagesIn(program, makers) {
  const values = declaredValues(program);
  const list = [];
  walk(program, (node) => {
    const parts = partsOf(node, makers);
    const hint = usual(textsOf(parts?.hint, values));
    const isOfTrial = parts?.isOfTrial === true;
    for (const code of textsOf(parts?.code, values)) {
      for (const text of textsOf(parts.message, values)) list.push({ code, text, hint, isOfTrial });
    }
  });
  return list;
}

/** The nodes of code, message and hint, if a node creates an error. `isOfTrial`: as a kind or a detail of a trial. */
function partsOf(node, makers) {
  if (node.type === 'ObjectExpression') return partsOfObject(membersOf(node));
  if (node.type !== 'NewExpression' && node.type !== 'CallExpression') return undefined;
  // Only the agent sees the error of a tool.
  if (node.callee.name === 'toolError') return undefined;
  const [first, second, third] = node.arguments;
  if (node.callee.name === 'MeasurementError') {
    const { kind, detail, hint } = membersOf(second);
    return { code: detail ?? kind, message: first, hint, isOfTrial: true };
  }
  const maker = makers.get(node.callee.name);
  if (maker === undefined) {
    const { message, hint } = membersOf(third);
    const isWhole = message !== undefined && node.callee.type === 'Identifier';
    return isWhole ? { code: second, message, hint } : { code: first, message: second, hint };
  }
  const parts = Object.fromEntries(
    Object.entries(maker).map(([part, from]) => [
      part,
      typeof from === 'number' ? node.arguments[from] : from,
    ]),
  );
  const options = node.arguments.map(membersOf);
  const pick = (name) => options.find((each) => each[name] !== undefined)?.[name];
  const detail = pick('detail') ?? pick('kind');
  const isOfTrial = parts.isOfTrial === true || detail !== undefined;
  // A detail that is only known at run time: the kind still is.
  const isKnown = detail !== undefined && detail.type !== 'MemberExpression' && detail.name !== 'reason';
  return { ...parts, isOfTrial, code: isKnown ? detail : parts.code, hint: pick('hint') ?? parts.hint };
}

function partsOfObject({ code, failureCode, detail, kind, params, message, reason, error, hint, ...rest }) {
  const written = code?.value === 'custom' ? undefined : code;
  const ofProblem = written ?? membersOf(params).code;
  const rejection = rest.rejectsCredentials && { type: 'Literal', value: 'credentials-rejected' };
  const found = ofProblem ?? failureCode ?? detail ?? rejection ?? kind;
  return { code: found, message: message ?? reason ?? error, hint, isOfTrial: ofProblem === undefined };
}

function importedMakers({ body }, makersOf) {
  const imports = body.filter(({ type }) => type === 'ImportDeclaration');
  return imports.flatMap(({ source, specifiers }) => {
    const makers = makersOf.get(basename(source.value)) ?? new Map();
    const names = specifiers.map(({ local }) => local.name).filter((name) => makers.has(name));
    return names.map((name) => [name, makers.get(name)]);
  });
}

function membersOf(node) {
  if (node?.type !== 'ObjectExpression') return {};
  const named = node.properties.filter(({ type, key }) => type === 'Property' && key.type === 'Identifier');
  return Object.fromEntries(named.map(({ key, value }) => [key.name, value]));
}

/** Functions of a file that pass a parameter on as the message: for each part the position of its parameter, or its node. */
function makersIn(program) {
  const makers = new Map();
  walk(program, (node) => {
    const name = node.id?.name;
    const from = node.type === 'VariableDeclarator' ? node.init : node;
    if (name === undefined || from?.params === undefined || from.body === null) return;
    const names = (from.params.items ?? from.params).map((param) => param.name ?? param.left?.name);
    walk(from.body, (inner) => {
      const parts = partsOf(inner, new Map());
      const place = (part) => (part?.type === 'Identifier' ? names.indexOf(part.name) : -1);
      const message = place(firstOf(parts?.message));
      const hasOptions = inner.callee?.name === 'MeasurementError';
      if ((parts?.code === undefined && !hasOptions) || message < 0) return;
      const entries = Object.entries({ ...parts, message: names[message] })
        .filter(([, part]) => part !== undefined)
        .map(([key, part]) => [key, place(part) < 0 ? part : place(part)]);
      makers.set(name, { ...Object.fromEntries(entries), message });
    });
  });
  return makers;
}

/** The first parameter of `${message} (${hint})`, else the node itself. */
function firstOf(node) {
  const pieces = node?.type === 'TemplateLiteral' ? node.quasis.map(({ value }) => value.cooked) : [];
  return pieces.join('|') === '| (|)' ? node.expressions[0] : node;
}
