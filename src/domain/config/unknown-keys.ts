import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { type Config, type ConfigName, configKeys, workloadNames } from '#protocol/host/config.js'
import type { Finding } from '#src/domain/lore/finding.js'
import type { SourceFile } from '#src/domain/lore/layout.js'
import { spellingDistance } from '#src/domain/names/near-spellings.js'
import { type AddressTrust, judgeAddress } from './addresses.js'
import {
  type ConfigFault,
  type ConfigFile,
  configIn,
  placeOfKey,
  placeWords,
  sectionNames,
} from './read-config.js'

/**
 * Findings for keys of `.svc/config.json` that `protocol/host/config.ts` does not have, each with the nearest known
 * key. They are information only: B 8 ignores unknown keys, so a file of a newer host is no fault here. The first 20
 * get a finding each, the others one together. None when the file does not parse.
 */
export const unknownKeys = (file: ConfigFile): ReadonlyArray<Finding> => {
  const parsed = configIn(file)
  if (isLeft(parsed)) return []
  const names = unknownIn(parsed.right.tree, '')
  const shown = names.slice(0, shownMax).map(name => reportUnknownKey(file, name))
  return names.length <= shownMax ? shown : [...shown, others(file, names.length - shownMax)]
}

/** How the committed configuration differs from the one that the host started with. */
export type ConfigView =
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

/**
 * Compares the committed file with the loaded configuration. `configOf` must read a file as the start does. A
 * missing file leaves every key to its default.
 */
export const configView = (
  loaded: Config,
  addresses: AddressTrust,
  file: SourceFile | null,
  configOf: (file: SourceFile | null) => Config,
): ConfigView => {
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

const keys = [...Object.keys(configKeys), ...workloadNames.map(name => `schedules.${name}`)]

const sections: ReadonlySet<string> = new Set([...sectionNames, 'schedules'])

const known: ReadonlySet<string> = new Set([...keys, ...sections])

/** Sections whose keys the owner may name freely. */
const freeForm: ReadonlySet<string> = new Set(['corpora'])

/** How many unknown keys get a finding each; the others are counted in one. */
const shownMax = 20

const farthest = 4
const shownChars = 80

const depth = (name: string): number => name.split('.').length

/** The known key that was most likely meant: a near spelling, else the same word in another section. */
const nearest = (name: string): string | null => {
  const max = Math.min(farthest, Math.floor(name.length / 3))
  const near = [...known]
    .filter(key => depth(key) === depth(name))
    .map(key => ({ key, distance: spellingDistance(name, key, max) }))
    .filter(({ distance }) => distance <= max)
    .sort((one, other) => one.distance - other.distance)
  const word = name.slice(name.lastIndexOf('.') + 1)
  return near[0]?.key ?? keys.find(key => key.endsWith(`.${word}`)) ?? null
}

const finding = (
  file: ConfigFile,
  subject: string | null,
  line: number | null,
  reason: string,
  suggestion: string,
): Finding => ({
  kind: 'ConfigInvalid',
  severity: 'info',
  file: file.path,
  line,
  subject,
  reason,
  suggestion,
})

/** `{"server": {"port": …}}` for `server.port`. */
const nestKey = (name: string): string =>
  name.split('.').reduceRight((inner, part) => `{${JSON.stringify(part)}: ${inner}}`, '…')

const suggestionFor = (name: string, shown: string): string => {
  // A known name is unknown here because it is written as one key.
  if (known.has(name)) return `Write it as ${nestKey(name)}.`
  const meant = nearest(name)
  return meant === null ? `Remove ${shown}.` : `Did you mean ${meant}?`
}

const reportUnknownKey = (file: ConfigFile, name: string): Finding => {
  const [shown, place] = [name.slice(0, shownChars), placeOfKey(file, name)]
  return finding(
    file,
    shown,
    place?.line ?? null,
    `The key ${shown}${placeWords(place)} is not known, so it has no effect.`,
    suggestionFor(name, shown),
  )
}

const others = (file: ConfigFile, count: number): Finding =>
  finding(file, null, null, `${count} more keys are not known, so they have no effect.`, 'Remove them.')

const unknownIn = (tree: Record<string, unknown>, above: string): ReadonlyArray<string> =>
  Object.entries(tree).flatMap(([part, value]) => {
    const name = `${above}${part}`
    if (freeForm.has(name)) return []
    if (!known.has(name) || part.includes('.')) return [name]
    return sections.has(name) && t.UnknownRecord.is(value) ? unknownIn(value, `${name}.`) : []
  })

/** Whether a key is compared: `schedules` is read at each use, so changing it needs no restart. */
const isCompared = (name: string): boolean => !name.startsWith('schedules.')

const isSame = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right)
