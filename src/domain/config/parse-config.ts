import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { configBounds } from '#protocol/bounds.js'
import { configKeys } from '#protocol/config.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { JsonPlace } from '#src/domain/json/json-place.js'
import { type JsonFault, readPlacedJson } from '#src/domain/json/json-text.js'
import type { SourceFile } from '#src/domain/lore/source-file.js'

const keys = Object.keys(configKeys)

/** The names of objects that contain keys: `server`, `integrations.chat`, … */
export const sectionNames: ReadonlySet<string> = new Set(
  keys.flatMap(name => {
    const parts = name.split('.')
    return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('.'))
  }),
)

const Tree = t.UnknownRecord

/** The value of a key such as `server.port`; undefined where the tree has none. */
export const valueAt = (tree: unknown, name: string): unknown =>
  name
    .split('.')
    .reduce<unknown>(
      (node, part) => (Tree.is(node) && Object.hasOwn(node, part) ? node[part] : undefined),
      tree,
    )

/** Why a text is not a configuration, and where. `reason` quotes no value of the text. */
export interface ConfigFault extends JsonPlace {
  readonly reason: string
}

const start: JsonPlace = { line: 1, column: 1 }

/** A parsed configuration. `placeOf` returns where the value at a path such as `$.server` begins. */
export interface ParsedConfig {
  readonly tree: Record<string, unknown>
  readonly placeOf: (path: string) => JsonPlace | null
}

/** The fault of a file with this many bytes; null within the bound. */
export const sizeFault = (bytes: number): ConfigFault | null =>
  bytes > configBounds.bytes
    ? { reason: `it has ${bytes} bytes, and a configuration has at most ${configBounds.bytes}`, ...start }
    : null

/** The fault of a file that was left out of the tree because it exceeds the limit on files or the budget. */
export const leftOutFault: ConfigFault = {
  reason: `it is too large to be read, and a configuration has at most ${configBounds.bytes} bytes`,
  ...start,
}

const faultOf = ({ path, reason, line, column, isExcess }: JsonFault & JsonPlace): ConfigFault => {
  if (isExcess === true)
    return { reason: `a configuration has at most ${configBounds.values} values`, line, column }
  return { reason: path === '$' ? reason : `${reason}, at ${path.slice(2)}`, line, column }
}

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

/** A configuration file of a commit or of the work tree. */
export type ConfigFile = Pick<SourceFile, 'path' | 'text'>

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
