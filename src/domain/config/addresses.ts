import { Snowflake } from '#protocol/atoms.js'
import { type PinnedAddress, type PinnedKey, pinnedAddresses } from '#protocol/host/addresses.js'
import type { Config, ConfigName } from '#protocol/host/config.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { safeAddress, safeBase } from '#src/domain/outbound/outbound.js'
import { redactAddress } from '#src/domain/redaction/scrub.js'
import { type ConfigFile, invalidKeyFinding, placeOfKey, type ReadConfig } from './read-config.js'

/** Addresses by their key. */
export type AddressByKey = Readonly<Partial<Record<PinnedKey, string>>>

/** What a host knows of its addresses beside the commit. */
export interface AddressTrust {
  /** Those that its state area has pinned. */
  readonly pins: AddressByKey
  /** Those that its operator gave where the secret is; empty for one that is unusable. */
  readonly given: AddressByKey
}

/** The form in which an address is compared and pinned; null for one that the host cannot use. */
export const usableAddress = ({ form }: PinnedAddress, text: string): string | null => {
  if (text === '' || form === 'text') return text === '' ? null : text
  if (form === 'url') return safeAddress(text)?.href ?? null
  const base = safeBase(text)
  return form === 'base' || base?.endsWith('/api/v4') === true ? base : null
}

/**
 * An address for display, in the form in which it is compared and without what a URL may hide. Letters outside ASCII
 * are escaped, because another letter may look like one of the pinned address.
 */
export const showAddress = (row: PinnedAddress, text: string): string =>
  redactAddress(usableAddress(row, text) ?? text).replace(
    /[^\x20-\x7e]/gu,
    letter => `\\u{${(letter.codePointAt(0) ?? 0).toString(16)}}`,
  )

/**
 * Replaces the committed addresses by those that the host uses: the given one, else the pinned one, else the committed
 * one, which is pinned from now on. An empty key stays empty, because it sends nothing anywhere; its pin stays too.
 */
export const pinAddresses = (config: Config, { pins, given }: AddressTrust): HeldAddresses => {
  const used: Partial<Record<PinnedKey, string>> = {}
  const next: Partial<Record<PinnedKey, string>> = { ...pins }
  const changed: Array<ChangedAddress> = []
  const first: Array<PinnedKey> = []
  for (const row of pinnedAddresses) {
    const { key } = row
    const [committed, pinned, chosen] = [config[key], pins[key], given[key]]
    const usable = usableAddress(row, committed)
    if (chosen !== undefined) {
      used[key] = chosen
      if (chosen !== '') next[key] = chosen
    } else if (committed === '') continue
    else if (pinned !== undefined) {
      used[key] = pinned
      if (usable !== pinned) changed.push({ row, pinned, committed })
    } else if (usable !== null) {
      used[key] = usable
      next[key] = usable
      first.push(key)
    }
  }
  return { config: { ...config, ...used }, changed, pins: next, first }
}

/** How a committed value of a key relates to the address that a running host has for it. */
export const judgeAddress = (
  { pins, given }: AddressTrust,
  key: ConfigName,
  value: unknown,
): 'same' | 'refused' | 'differs' => {
  const row = pinnedAddresses.find(one => one.key === key)
  if (row === undefined) return 'differs'
  if (given[row.key] !== undefined) return 'same'
  const pinned = pins[row.key]
  if (value === '' || typeof value !== 'string' || pinned === undefined) return 'differs'
  return usableAddress(row, value) === pinned ? 'same' : 'refused'
}

/** The finding for a committed address that the host does not use. */
export const findingOfChange = (file: ConfigFile, { row, pinned, committed }: ChangedAddress): Finding => ({
  kind: 'AddressChanged',
  severity: 'warning',
  file: file.path,
  line: placeOfKey(file, row.key)?.line ?? null,
  subject: row.key,
  reason:
    `The committed ${row.key} is ${showAddress(row, committed)}, and this host goes on with ` +
    `${showAddress(row, pinned)}, which it has pinned because it ${row.because}.`,
  suggestion: `If it is meant, run kronika trust ${row.key} on this host and restart it; else revert the commit.`,
})

/**
 * Adds a finding for an address of the chat platform and for a guild that the host cannot use. Both are optional,
 * so an empty text has none. The values stay: each part that uses one checks it again.
 */
export const reportChatAddresses = (file: ConfigFile, { config, findings }: ReadConfig): ReadConfig => ({
  config,
  findings: [...findings, ...apiFinding(file, config), ...guildFinding(file, config)],
})

/** A committed address that is not used, with the pinned one that is. */
interface ChangedAddress {
  readonly row: PinnedAddress
  readonly pinned: string
  readonly committed: string
}

/** A configuration whose addresses are those that the host uses. */
interface HeldAddresses {
  readonly config: Config
  readonly changed: ReadonlyArray<ChangedAddress>
  /** Every pin after this start. */
  readonly pins: AddressByKey
  /** The keys that are pinned for the first time, to what is committed now. */
  readonly first: ReadonlyArray<PinnedKey>
}

const apiKey = 'integrations.chat.api_url'
const guildKey = 'integrations.chat.guild_id'

const apiFinding = (file: ConfigFile, config: Config): ReadonlyArray<Finding> => {
  const api = config[apiKey]
  if (api === '' || safeBase(api) !== null) return []
  const wish =
    'is no https address to which a path can be appended; this host does not call the chat platform.'
  return [invalidKeyFinding(file, apiKey, wish, `Set ${apiKey} to an https address, or remove it.`)]
}

const guildFinding = (file: ConfigFile, config: Config): ReadonlyArray<Finding> => {
  const guild = config[guildKey]
  if (guild === '' || Snowflake.is(guild)) return []
  const wish = 'is no id of the chat platform; this host finds no channel and no role of the guild.'
  return [
    invalidKeyFinding(file, guildKey, wish, `Set ${guildKey} to the digits of the guild's id, or remove it.`),
  ]
}
