import { isLeft } from 'fp-ts/lib/Either.js'
import { type Config, type ConfigName, configKeys } from '#protocol/config/keys.js'
import type { SourceFile } from '#src/domain/lore/source-file.js'
import { type ConfigFault, configIn } from './parse-config.js'

/** How the committed configuration differs from the one that the host started with. */
export type ConfigSight =
  | { readonly _tag: 'Same' }
  | { readonly _tag: 'Broken'; readonly fault: ConfigFault }
  /**
   * Keys with another value, and their line in the file; null when the file leaves the key to its default.
   */
  | {
      readonly _tag: 'Differs'
      readonly keys: ReadonlyArray<{ readonly name: string; readonly line: number | null }>
    }

/** Whether a key is compared: `schedules` is read at each use, so changing it needs no restart. */
const isCompared = (name: string): boolean => !name.startsWith('schedules.')

const isSame = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right)

/**
 * Compares the committed file with the loaded configuration. `configOf` must read a file as the start does. A
 * missing file leaves every key to its default.
 */
export const configSight = (
  loaded: Config,
  file: SourceFile | null,
  configOf: (file: SourceFile | null) => Config,
): ConfigSight => {
  const parsed = file === null ? null : configIn(file)
  if (parsed !== null && isLeft(parsed)) return { _tag: 'Broken', fault: parsed.left }
  const committed = configOf(file)
  const isName = (name: string): name is ConfigName => Object.hasOwn(configKeys, name)
  const names = Object.keys(configKeys)
    .filter(isName)
    .filter(name => isCompared(name) && !isSame(loaded[name], committed[name]))
  if (names.length === 0) return { _tag: 'Same' }
  const lineOf = (name: string): number | null => parsed?.right.placeOf(`$.${name}`)?.line ?? null
  return { _tag: 'Differs', keys: names.map(name => ({ name, line: lineOf(name) })) }
}
