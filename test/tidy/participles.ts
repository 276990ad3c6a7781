import ts from 'typescript'
import type { Source } from './sources.js'

/** Irregular participles. Forms that are also the verb itself (`cut`, `put`, `read`, `run`, `set`, `split`) are not here. */
const irregular = new Set(
  `beaten begun bent born borne bought broken brought built burnt caught chosen dealt done drawn driven eaten fallen
  fed felt fought found forgotten frozen given gone got grown heard held hidden hung kept known laid led lent lost
  made meant met overlaid overridden paid ran rewritten risen said seen sent shown slept sold sought spent spoken
  stolen stood struck sworn swept taken taught thought thrown told understood withdrawn withheld woken won worn
  written`.split(/\s+/),
)

/** Words in `-ing` and `-ed` that are nouns, or are no form of a verb. */
const nouns = new Set(
  `binding building closing during ed embed feed finding heading hundred indeed king listing meaning need nothing red
  ring seed shed something speed spelling string thing warning`.split(/\s+/),
)

/** Words after a participle that cannot be the noun which it describes. */
const particles = new Set(
  `about after again all among anew apart around as at away back before behind below between by down earlier first
  for from here home in into it later meanwhile now off on once out over past since than that them then there through
  to together too twice under until up upon way while with within without`.split(/\s+/),
)

const wordsOf = (name: string): ReadonlyArray<string> =>
  name.split(/(?=[A-Z])|(?<=[a-z])(?=\d)/).map(word => word.toLowerCase())

/** Words in `un-`, such as `unresolved`, are adjectives: there is no verb of which they are a form. */
const isParticiple = (word: string): boolean =>
  irregular.has(word) ||
  (/.(ed|ing)$/.test(word) && !word.startsWith('un') && !word.endsWith('eed') && !nouns.has(word))

/**
 * Whether the name of a function is a participle or begins with one: `joined`, `joinedRows`, `takenBy`. A query
 * `xOf(y)` is a noun. A word of `adjectives` may stand before the noun that it describes, as in `namedToken`, but not
 * alone and not before a particle.
 */
export const isParticipleName = (name: string, adjectives: ReadonlySet<string>): boolean => {
  const [first = '', second] = wordsOf(name)
  if (!isParticiple(first) || /[a-z0-9]Of$/.test(name)) return false
  return !(second !== undefined && !particles.has(second) && adjectives.has(first))
}

const isFunctionValue = (node: ts.Expression | undefined): boolean =>
  node !== undefined && (ts.isArrowFunction(node) || ts.isFunctionExpression(node))

/** The names of the functions that a file declares at its top level, with their lines from 1. */
export const topFunctionsOf = ({
  path,
  text,
}: Source): ReadonlyArray<{ readonly name: string; readonly line: number }> => {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const at = (name: ts.Node): { readonly name: string; readonly line: number } => ({
    name: name.getText(),
    line: file.getLineAndCharacterOfPosition(name.getStart()).line + 1,
  })
  return file.statements.flatMap(statement => {
    if (ts.isFunctionDeclaration(statement)) return statement.name === undefined ? [] : [at(statement.name)]
    if (!ts.isVariableStatement(statement)) return []
    return statement.declarationList.declarations.flatMap(one =>
      isFunctionValue(one.initializer) ? [at(one.name)] : [],
    )
  })
}

/** The names that a file exports, each once. */
export const exportsOf = ({ path, text }: Source): ReadonlySet<string> => {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const isExported = (node: ts.Statement): boolean =>
    ts.canHaveModifiers(node) &&
    (ts.getModifiers(node) ?? []).some(modifier => modifier.kind === ts.SyntaxKind.ExportKeyword)
  return new Set(
    file.statements.filter(isExported).flatMap(statement => {
      if (ts.isVariableStatement(statement))
        return statement.declarationList.declarations.map(({ name }) => name.getText())
      const isNamed =
        ts.isFunctionDeclaration(statement) ||
        ts.isClassDeclaration(statement) ||
        ts.isInterfaceDeclaration(statement) ||
        ts.isTypeAliasDeclaration(statement) ||
        ts.isEnumDeclaration(statement)
      return isNamed && statement.name !== undefined ? [statement.name.text] : []
    }),
  )
}
