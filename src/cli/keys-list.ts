import type { ListedKey } from '#src/domain/identity/tokens/listed-keys.js'
import { columns } from './output.js'
import { plainLine } from './plain.js'

/** Whose published keys, and where this host has its private ones. */
export interface KeysListOptions {
  readonly repo: string
  readonly state?: string
  readonly json: boolean
}

/** The published keys of one commit. */
export interface KeysList {
  readonly commit: string
  readonly epoch: number
  /** Where this host has its private keys; never a key itself. */
  readonly privateKey: string
  /** Why it cannot be told which of them are here; null where it can. */
  readonly unreadable: string | null
  readonly keys: ReadonlyArray<ListedKey>
}

const heading = ['KEY', 'TOWN', 'STANDING', 'GOOD UNTIL', 'PRIVATE HALF']

const untilOf = ({ standing, notAfter }: ListedKey): string => {
  if (standing === 'unusable') return 'never good'
  return notAfter ?? 'replaced'
}

const halfOf = ({ held }: ListedKey): string => {
  if (held === null) return 'unknown'
  return held ? 'here' : 'elsewhere'
}

const rowOf = (key: ListedKey): ReadonlyArray<string> =>
  [key.kid, key.town, key.standing, untilOf(key), halfOf(key)].map(plainLine)

/** The list as a person reads it; of the commit the first twelve letters. */
export const keysTable = ({ commit, epoch, keys }: KeysList): ReadonlyArray<string> => [
  `epoch ${epoch}, commit ${commit.slice(0, 12)}`,
  keys.length === 0 ? 'no published keys' : columns([heading, ...keys.map(rowOf)]),
]
