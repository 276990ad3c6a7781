import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { configBounds } from '#protocol/bounds.js'
import { type Config, configKeys } from '#protocol/host/config.js'
import { perValue } from '#src/domain/caching/per-value.js'
import { type JsonFault, type JsonPlace, readPlacedJson } from '#src/domain/json/json-text.js'
import type { Finding } from '#src/domain/lore/finding.js'
import type { SourceFile } from '#src/domain/lore/layout.js'

/** The configuration with the findings about its file: a bad key never stops a host (D2). */
export interface ReadConfig {
  readonly config: Config
  readonly findings: ReadonlyArray<Finding>
}

/**
 * The warning about the value of one key. Its reason is "The key NAME (place) WISH", so `wish` is the rest of
 * that sentence, with its full stop.
 */
export const invalidKeyFinding = (
  file: ConfigFile,
  name: string,
  wish: string,
  suggestion: string,
): Finding => {
  const place = placeOfKey(file, name)
  return {
    kind: 'ConfigInvalid',
    severity: 'warning',
    file: file.path,
    line: place?.line ?? null,
    subject: name,
    reason: `The key ${name}${placeWords(place)} ${wish}`,
    suggestion,
  }
}

/** The finding about a configuration that does not parse; `instead` says what the host uses. */
export const invalidConfigFinding = (
  file: Pick<ConfigFile, 'path'>,
  fault: ConfigFault,
  instead: string,
): Finding => ({
  kind: 'ConfigInvalid',
  severity: 'error',
  file: file.path,
  line: fault.line,
  subject: null,
  reason:
    `The committed ${file.path} does not parse${placeWords(fault)}: ${fault.reason}. ` +
    `This host uses ${instead}.`,
  suggestion: 'Fix that place, commit the file, and restart the host.',
})

const keys = Object.keys(configKeys)

/** The names of objects that contain keys: `server`, `integrations.chat`, … */
export const sectionNames: ReadonlySet<string> = new Set(
  keys.flatMap(name => {
    const parts = name.split('.')
    return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('.'))
  }),
)

/** The value of a key such as `server.port`; undefined where the tree has none. */
export const valueAt = (tree: unknown, name: string): unknown =>
  name
    .split('.')
    .reduce<unknown>(
      (node, part) => (Tree.is(node) && Object.hasOwn(node, part) ? node[part] : undefined),
      tree,
    )

/** The fault of a file with this many bytes; null within the bound. */
export const sizeFault = (bytes: number): ConfigFault | null =>
  bytes > configBounds.bytes
    ? { reason: `it has ${bytes} bytes, and a configuration has at most ${configBounds.bytes}`, ...start }
    : null

/**
 * Parses a configuration (D53). A fault is a text above `configBounds`, text that is no JSON, a repeated key,
 * a value that is no object, or a section such as `server` that is none. A single key of a wrong type is no
 * fault: it gets its default.
 */
export const parseConfig = (text: string): Either<ConfigFault, ParsedConfig> => {
  const large = sizeFault(Buffer.byteLength(text))
  if (large !== null) return left(large)
  const read = readPlacedJson(text, configBounds.values)
  if (isLeft(read)) return left(faultOf(read.left))
  const { value, placeOf } = read.right
  if (!Tree.is(value)) return left({ reason: 'the file must be one JSON object', ...start })
  for (const name of sectionNames) {
    const section = valueAt(value, name)
    if (section !== undefined && !Tree.is(section))
      return left({ reason: `${name} must be an object`, ...(placeOf(`$.${name}`) ?? start) })
  }
  return right({ tree: value, placeOf })
}

const Tree = t.UnknownRecord

const start: JsonPlace = { line: 1, column: 1 }

const faultOf = ({ path, reason, line, column, isExcess }: JsonFault & JsonPlace): ConfigFault => {
  if (isExcess === true)
    return { reason: `a configuration has at most ${configBounds.values} values`, line, column }
  return { reason: path === '$' ? reason : `${reason}, at ${path.slice(2)}`, line, column }
}

/**
 * `parseConfig` of a file, cached by file object: a file that a commit did not change is the same object in
 * the next snapshot.
 */
export const configIn = perValue((file: ConfigFile) => parseConfig(file.text))

/** The place of a key's value; null when the file does not have it or does not parse. */
export const placeOfKey = (file: ConfigFile, name: string): JsonPlace | null => {
  const parsed = configIn(file)
  return isLeft(parsed) ? null : parsed.right.placeOf(`$.${name}`)
}

/** ` at line 3, column 5`, for the text of a finding; empty when the place is unknown. */
export const placeWords = (place: JsonPlace | null): string =>
  place === null ? '' : ` at line ${place.line}, column ${place.column}`

/**
 * Merges the committed file key by key over the defaults (B 8). A value that its codec rejects gives the
 * default and a warning. A text that does not parse gives every default and one error. Unknown keys are
 * ignored; null means no file. The result is cached for the file object. Never throws because of the file.
 */
export const readConfig = (file: ConfigFile | null): ReadConfig =>
  file === null ? merge(null) : mergeFile(file)

/** Why a text is not a configuration, and where. `reason` quotes no value of the text. */
export interface ConfigFault extends JsonPlace {
  readonly reason: string
}

/** The fault of a file that was left out of the tree because it exceeds the limit on files or the budget. */
export const leftOutFault: ConfigFault = {
  reason: `it is too large to be read, and a configuration has at most ${configBounds.bytes} bytes`,
  ...start,
}

/** A configuration file of a commit or of the work tree. */
export type ConfigFile = Pick<SourceFile, 'path' | 'text'>

const defaults = 'the default of every key'

const merge = (file: ConfigFile | null): ReadConfig => {
  const parsed = file === null ? null : configIn(file)
  const tree = parsed === null || isLeft(parsed) ? {} : parsed.right.tree
  const found: Array<Finding> =
    file !== null && parsed !== null && isLeft(parsed)
      ? [invalidConfigFinding(file, parsed.left, defaults)]
      : []
  const entries = Object.entries(configKeys).map(([name, row]): readonly [string, unknown] => {
    const value = valueAt(tree, name)
    if (value === undefined || file === null) return [name, row.fallback]
    const decoded = row.codec.decode(value)
    if (!isLeft(decoded)) return [name, decoded.right]
    found.push(
      invalidKeyFinding(
        file,
        name,
        `must be ${row.codec.name}; the default is used.`,
        `Set ${name} to ${row.codec.name}, or remove it.`,
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
    throw new Error('a default of protocol/host/config.ts does not satisfy its own codec')
  return values
}

const mergeFile = perValue((file: ConfigFile) => merge(file))

/** A parsed configuration. `placeOf` returns where the value at a path such as `$.server` begins. */
interface ParsedConfig {
  readonly tree: Record<string, unknown>
  readonly placeOf: (path: string) => JsonPlace | null
}
