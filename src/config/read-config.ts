import { isLeft, isRight, tryCatch } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { type Config, configKeys } from '#protocol/config/keys.js'
import type { Finding } from '#src/lore/finding.js'
import type { SourceFile } from '#src/lore/source-file.js'

/** The configuration with what was wrong in the file: a bad key never stops a host (D2). */
export interface ReadConfig {
  readonly config: Config
  readonly findings: ReadonlyArray<Finding>
}

const Tree = t.UnknownRecord

const valueAt = (tree: unknown, name: string): unknown =>
  name
    .split('.')
    .reduce<unknown>(
      (node, part) => (Tree.is(node) && Object.hasOwn(node, part) ? node[part] : undefined),
      tree,
    )

/** What is wrong with a key of the file; `subject` null: with the whole file. */
export const problem = (
  file: SourceFile,
  subject: string | null,
  reason: string,
  suggestion: string,
): Finding => ({
  kind: 'ConfigInvalid',
  severity: 'warning',
  file: file.path,
  line: null,
  subject,
  reason,
  suggestion,
})

const treeOf = (file: SourceFile): { readonly tree: unknown; readonly findings: ReadonlyArray<Finding> } => {
  const parsed = tryCatch<unknown, unknown>(
    () => JSON.parse(file.text),
    error => error,
  )
  if (isRight(parsed) && Tree.is(parsed.right)) return { tree: parsed.right, findings: [] }
  return {
    tree: {},
    findings: [
      problem(
        file,
        null,
        'The configuration is not a JSON object; every key has its default.',
        'Mend the JSON.',
      ),
    ],
  }
}

/** Merges the committed file key by key over the defaults (B 8). Null: no file. Unknown keys stay unread. */
export const readConfig = (file: SourceFile | null): ReadConfig => {
  const { tree, findings } = file === null ? { tree: {}, findings: [] } : treeOf(file)
  const found: Array<Finding> = [...findings]
  const entries = Object.entries(configKeys).map(([name, row]): readonly [string, unknown] => {
    const value = valueAt(tree, name)
    if (value === undefined || file === null) return [name, row.fallback]
    const decoded = row.codec.decode(value)
    if (!isLeft(decoded)) return [name, decoded.right]
    found.push(
      problem(
        file,
        name,
        `The key ${name} wants ${row.codec.name}; the default is used.`,
        `Set ${name} to ${row.codec.name} or remove it.`,
      ),
    )
    return [name, row.fallback]
  })
  return { config: configOf(Object.fromEntries(entries)), findings: found }
}

const isConfig = (values: object): values is Config =>
  Object.entries(configKeys).every(([name, row]) => {
    const value: unknown = Reflect.get(values, name)
    return row.codec.is(value)
  })

const configOf = (values: object): Config => {
  if (!isConfig(values))
    throw new Error('a default of protocol/config/keys.ts does not satisfy its own codec')
  return values
}
