import { isLeft } from 'fp-ts/lib/Either.js'
import { type Config, type ConfigName, configKeys } from '#protocol/config.js'
import type { SourceFile } from '#src/domain/lore/source-file.js'
import { type ConfigFault, configIn } from './parse-config.js'
import { type AddressTrust, judgeAddress } from './pin-addresses.js'

/** How the committed configuration differs from the one that the host started with. */
export type ConfigSight =
  | { readonly _tag: 'Same' }
  | { readonly _tag: 'Broken'; readonly fault: ConfigFault }
  /**
   * Keys with another value: those that the next start uses, and the addresses that no start uses before
   * `kronika trust` accepts them.
   */
  | {
      readonly _tag: 'Differs'
      readonly keys: ReadonlyArray<DifferingKey>
      readonly refused: ReadonlyArray<DifferingKey>
    }

/** A key and its line in the file; null when the file leaves the key to its default. */
export interface DifferingKey {
  readonly name: string
  readonly line: number | null
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
  addresses: AddressTrust,
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
  const lineOf = (name: string): number | null => parsed?.right.placeOf(`$.${name}`)?.line ?? null
  const judged = names.map(name => ({ name, as: judgeAddress(addresses, name, committed[name]) }))
  const keysJudged = (as: 'differs' | 'refused'): ReadonlyArray<DifferingKey> =>
    judged.flatMap(one => (one.as === as ? [{ name: one.name, line: lineOf(one.name) }] : []))
  const [keys, refused] = [keysJudged('differs'), keysJudged('refused')]
  return keys.length + refused.length === 0 ? { _tag: 'Same' } : { _tag: 'Differs', keys, refused }
}
