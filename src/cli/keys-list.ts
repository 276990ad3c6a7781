import type { ListedKey } from '#src/domain/identity/credentials/api-keys.js'
import { escapeControls } from './escape-controls.js'
import { formatColumns } from './output.js'

/** The options of `kronika keys list`. */
export interface KeysListOptions {
  readonly repo: string
  readonly state?: string
  readonly json: boolean
}

/** The published keys of one commit. */
export interface KeysList {
  readonly commit: string
  readonly epoch: number
  /** Where this host has its private keys; never the keys themselves. */
  readonly privateKey: string
  /** Why it is unknown which of them are here; null where it is known. */
  readonly unreadable: string | null
  readonly keys: ReadonlyArray<ListedKey>
}

/** What `kronika keys list --help` says below the options. */
export const keysListHelp =
  '\nSTANDING is current (no end), older (valid until its end), withdrawn (its end is past) or unusable\n' +
  '(no key, an id that is there twice, or a published private half: kronika doctor says which).\n' +
  'Private halves are looked for in SVC_FLEET_KEY, else in the file that SVC_FLEET_KEY_FILE names, else in\n' +
  'fleet.key of the state area: run it with the environment of the daemon.\n' +
  'Exit codes: 0 listed; 64 no checkout, no commit, or nothing published; 65 the file cannot be read.'

const heading = ['KEY', 'TOWN', 'STANDING', 'VALID UNTIL', 'PRIVATE HALF']

const untilOf = ({ standing, notAfter }: ListedKey): string => {
  if (standing === 'unusable') return 'never valid'
  return notAfter ?? 'replaced'
}

const halfOf = ({ held }: ListedKey): string => {
  if (held === null) return 'unknown'
  return held ? 'here' : 'elsewhere'
}

const rowOf = (key: ListedKey): ReadonlyArray<string> =>
  [key.kid, key.town, key.standing, untilOf(key), halfOf(key)].map(escapeControls)

/** The list as text, with the first twelve characters of the commit. */
export const keysTable = ({ commit, epoch, keys }: KeysList): ReadonlyArray<string> => [
  `epoch ${epoch}, commit ${commit.slice(0, 12)}`,
  keys.length === 0 ? 'no published keys' : formatColumns([heading, ...keys.map(rowOf)]),
]
