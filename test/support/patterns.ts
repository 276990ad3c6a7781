import ts from 'typescript'

/** A regular expression literal in the code. */
export interface Pattern {
  readonly source: string
  readonly flags: string
  /** The first place of it: `path:line`. */
  readonly at: string
}

const within = (file: ts.SourceFile): ReadonlyArray<Pattern> => {
  const found: Array<Pattern> = []
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart(file))
      const end = node.text.lastIndexOf('/')
      found.push({
        source: node.text.slice(1, end),
        flags: node.text.slice(end + 1),
        at: `${file.fileName}:${line + 1}`,
      })
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

/** The regular expressions in these files, each once. */
export const patternsOf = (
  files: Iterable<{ readonly path: string; readonly text: string }>,
): ReadonlyArray<Pattern> => {
  const patterns = new Map<string, Pattern>()
  for (const { path, text } of files)
    for (const pattern of within(ts.createSourceFile(path, text, ts.ScriptTarget.ES2023))) {
      const literal = `/${pattern.source}/${pattern.flags}`
      if (!patterns.has(literal)) patterns.set(literal, pattern)
    }
  return [...patterns.values()]
}
