import ts from 'typescript'
import type { Source } from './sources.js'

export interface FunctionLines {
  readonly path: string
  /** The line that it begins on, from 1. */
  readonly line: number
  /** Its own name, or that of what it is the value of; `(unnamed)` where it has neither. */
  readonly name: string
  readonly lines: number
}

const nameOf = (node: ts.SignatureDeclaration): string => {
  if (node.name !== undefined) return node.name.getText()
  const holder = node.parent
  if (ts.isVariableDeclaration(holder) || ts.isPropertyAssignment(holder)) return holder.name.getText()
  return '(unnamed)'
}

/** Every function of a file that has a body, those within others too, from its first line to its last. */
export const functionsOf = ({ path, text }: Source): ReadonlyArray<FunctionLines> => {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const lineAt = (position: number): number => file.getLineAndCharacterOfPosition(position).line + 1
  const found: Array<FunctionLines> = []
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) {
      const line = lineAt(node.getStart())
      found.push({ path, line, name: nameOf(node), lines: lineAt(node.getEnd()) - line + 1 })
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}
