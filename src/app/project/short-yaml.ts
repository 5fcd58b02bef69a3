/** A value as YAML in few lines: what fits on a line is on one. */
export async function shortYaml(value: unknown): Promise<string> {
  const { Document, isCollection, visit } = await import('yaml');
  const document = new Document(value, { aliasDuplicateObjects: false });
  visit(document, {
    Collection(_, node) {
      const text = JSON.stringify(node.toJS(document));
      if (node !== document.contents && text.length <= MOST_CHARACTERS && !text.includes('\\n'))
        node.flow = true;
    },
  });
  if (isCollection(document.contents)) document.contents.flow = false;
  return document.toString({ lineWidth: 0 });
}

const MOST_CHARACTERS = 110;
