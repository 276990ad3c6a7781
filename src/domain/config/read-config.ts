import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { type Config, configKeys } from '#protocol/config/keys.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { Finding } from '#src/domain/lore/finding.js'
import type { SourceFile } from '#src/domain/lore/source-file.js'
import { type ConfigFault, configIn } from './parse-config.js'

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
  file: Pick<SourceFile, 'path'>,
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

/** What is wrong with a configuration that does not parse; `instead` says what the host uses. */
export const brokenConfig = (
  file: Pick<SourceFile, 'path'>,
  fault: ConfigFault,
  instead: string,
): Finding => ({
  ...problem(
    file,
    null,
    `The committed ${file.path} does not parse at line ${fault.line}, column ${fault.column}: ${fault.reason}. ` +
      `This host uses ${instead}.`,
    'Mend the file there, commit it, and restart the host.',
  ),
  severity: 'error',
  line: fault.line,
})

const defaults = 'the default of every key'

const merge = (file: SourceFile | null): ReadConfig => {
  const parsed = file === null ? null : configIn(file)
  const tree = parsed === null || isLeft(parsed) ? {} : parsed.right.tree
  const found: Array<Finding> =
    file !== null && parsed !== null && isLeft(parsed) ? [brokenConfig(file, parsed.left, defaults)] : []
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

const mergeFile = perValue((file: SourceFile) => merge(file))

/**
 * Merges the committed file key by key over the defaults (B 8), once for each file. Null: no file. Unknown keys stay
 * unread. A text that does not parse has the default of every key, and an error.
 */
export const readConfig = (file: SourceFile | null): ReadConfig =>
  file === null ? merge(null) : mergeFile(file)

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
