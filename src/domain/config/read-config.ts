import { isLeft } from 'fp-ts/lib/Either.js'
import { type Config, configKeys } from '#protocol/config.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { Finding } from '#src/domain/lore/finding.js'
import {
  type ConfigFault,
  type ConfigFile,
  configIn,
  placeOfKey,
  placeWords,
  valueAt,
} from './parse-config.js'

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

const mergeFile = perValue((file: ConfigFile) => merge(file))

/**
 * Merges the committed file key by key over the defaults (B 8). A value that its codec rejects gives the
 * default and a warning. A text that does not parse gives every default and one error. Unknown keys are
 * ignored; null means no file. The result is cached for the file object. Never throws because of the file.
 */
export const readConfig = (file: ConfigFile | null): ReadConfig =>
  file === null ? merge(null) : mergeFile(file)

const isConfig = (values: object): values is Config =>
  Object.entries(configKeys).every(([name, row]) => {
    const value: unknown = Reflect.get(values, name)
    return row.codec.is(value)
  })

const configOf = (values: object): Config => {
  if (!isConfig(values)) throw new Error('a default of protocol/config.ts does not satisfy its own codec')
  return values
}
