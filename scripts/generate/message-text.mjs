/** Calls `visit` with every node below a node. */
export function walk(node, visit) {
  if (Array.isArray(node)) {
    for (const each of node) walk(each, visit);
  } else if (node !== null && typeof node === 'object') {
    if (typeof node.type === 'string') visit(node);
    for (const each of Object.values(node)) walk(each, visit);
  }
}

/** The initial values of the variables of a file by name, in order. */
export function declaredValues(program) {
  const values = new Map();
  walk(program, (node) => {
    if (node.type !== 'VariableDeclarator' || node.id.type !== 'Identifier' || node.init === null) return;
    values.set(node.id.name, [...(values.get(node.id.name) ?? []), node.init]);
  });
  return values;
}

/** The texts that an expression can have, with `{name}` for inner expressions. Empty if it is not a text. */
export function textsOf(node, values, depth = 0) {
  const of = (inner) => textsOf(inner, values, depth + 1);
  if (node === undefined || depth > 6) return [];
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'string' ? [node.value] : [];
    case 'ConditionalExpression':
      return [...of(node.consequent), ...of(node.alternate)];
    case 'TemplateLiteral':
      return [template(node, of)];
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
      return of(node.expression);
    case 'LogicalExpression':
      // A suggested spelling, or else what there is.
      if (node.left.callee?.name === 'didYouMean') return of(node.right);
      // A default: only of codes, because a message is more than its default.
      return [...of(node.left), ...of(node.right)].filter((text) => !text.includes(' '));
    case 'CallExpression':
      // A suggested spelling, or the third argument.
      return node.callee.name === 'meantOr' ? of(node.arguments[2]) : [];
    case 'BinaryExpression':
      return of(node.left).flatMap((left) => of(node.right).map((right) => left + right));
    case 'Identifier': {
      const known = values.get(node.name);
      const isConstant = /^[A-Z_\d]+$/.test(node.name);
      const value = isConstant ? known?.[0] : known?.findLast(({ start }) => start < node.start);
      return value === undefined ? [] : of(value);
    }
    default:
      return [];
  }
}

function template({ quasis, expressions }, of) {
  const inner = expressions.map((each) => {
    if (each.type === 'TemplateLiteral') return of(each)[0];
    const texts = each.type === 'ConditionalExpression' ? of(each) : [];
    // Both branches are texts, such as `is` and `are`: the longest says most.
    return texts.length < 2 ? placeholder(each) : texts.toSorted((a, b) => b.length - a.length)[0];
  });
  return quasis.map(({ value }, index) => value.cooked + (inner[index] ?? '')).join('');
}

function placeholder(node) {
  const isCount = node.type === 'CallExpression' && node.callee.name === 'plural';
  return isCount ? `{number} ${node.arguments[1].value ?? 'items'}s` : `{${nameOf(node)}}`;
}

/** A name for an expression, such as `reference` for `JSON.stringify(reference)`. */
function nameOf(node) {
  switch (node.type) {
    case 'Identifier':
      return inWords(node.name);
    case 'MemberExpression':
      return node.computed || node.property.name === 'length'
        ? nameOf(node.object)
        : inWords(node.property.name);
    case 'CallExpression':
      return nameOfCall(node);
    case 'ConditionalExpression':
      return nameOf(node.test);
    case 'BinaryExpression':
      // Milliseconds that are printed as seconds.
      return node.operator === '/' && node.right.value === 1000 ? 'limit' : nameOf(node.left);
    case 'LogicalExpression':
      return nameOf(node.left);
    case 'ChainExpression':
    case 'TSNonNullExpression':
      return nameOf(node.expression);
    default:
      return 'value';
  }
}

/** `how it ended` for `howItEnded`, `work ms` for `WORK_MS`. */
function inWords(name) {
  const words = /^[A-Z_\d]+$/.test(name)
    ? name.replaceAll('_', ' ')
    : name.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, ' ');
  return words.toLowerCase();
}

function nameOfCall({ callee, arguments: [first] }) {
  if (callee.type === 'MemberExpression' && callee.object.name !== 'JSON') return nameOf(callee.object);
  return first === undefined ? nameOf(callee) : nameOf(first);
}
