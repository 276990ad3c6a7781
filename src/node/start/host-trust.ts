import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { exitCodes } from '#protocol/exit-code.js'
import { type PinnedKey, pinnedAddresses } from '#protocol/host/addresses.js'
import { realOf, type TreeRule } from '#src/adapters/git/corpus-tree.js'
import {
  isWithin,
  noTrust,
  readTrust,
  type Trust,
  treeStanding,
  writeTrust,
} from '#src/adapters/state/private-file.js'
import {
  type AddressTrust,
  findingOfChange,
  pinAddresses,
  showAddress,
} from '#src/domain/config/addresses.js'
import type { ConfigFile, ReadConfig } from '#src/domain/config/read-config.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { type Given, readSecrets } from '../identity/secrets.js'
import type { Log } from '../records/records.js'
import type { Stop } from './checkout.js'

/** The configuration that a host runs with: the committed one, with the addresses and trees that it trusts. */
export interface HostConfig extends ReadConfig {
  readonly given: Given
  /** What decides about an address that is committed while the host runs. */
  readonly addresses: AddressTrust
  readonly trees: TreeRule
  /** The addresses that this start pinned. */
  readonly first: ReadonlyArray<PinnedKey>
  /** Records trees that the host reads. Throws where the disk refuses. */
  readonly rememberTrees: (roots: ReadonlyArray<string>) => void
}

/** The end of a start whose trust file cannot be read: nothing tells where a secret may go. */
export const stopOfTrust = (state: string, why: string): Stop => ({
  code: exitCodes.stateUnusable,
  cause: 'state_damaged',
  reason: `the file trust.json of the state area ${state} is damaged (${why}); ${trustMend}`,
})

/**
 * The real path of a folder that the operator allows. Null where there is none, where the disk does not answer, or
 * where the path goes through the lore and out of it: a commit decides where a link of the lore leads.
 */
export const findAllowedFolder = (lore: string, path: string): Promise<string | null> => {
  const late = new Promise<null>(end => setTimeout(end, folderMs, null).unref())
  return Promise.race([findRealFolder(lore, resolve(path)), late])
}

/** The trust of a state area without a file. A host of an earlier version served with one that has streams. */
export const firstTrust = (state: string): Trust => ({
  ...noTrust,
  read: existsSync(join(state, 'streams')) ? null : [],
})

/**
 * Decides at the start of a host which addresses get its secrets and which trees it may read
 * (docs/spec/security.md#addresses), and writes what it pins before anything uses it. Left: the file of the state
 * area is damaged. Throws where the disk refuses.
 */
export const openHostConfig = async (
  {
    repo,
    state,
    allowTree = [],
    environment,
  }: {
    readonly repo: string
    readonly state: string
    /** The folders of `--allow-tree`. */
    readonly allowTree?: ReadonlyArray<string>
    readonly environment: NodeJS.ProcessEnv
  },
  committed: CommittedFile,
): Promise<Either<Stop, HostConfig>> => {
  const stored = readTrust(state)
  if (isLeft(stored)) return left(stopOfTrust(state, stored.left))
  const before = stored.right ?? firstTrust(state)
  const given = readSecrets(environment)
  const held = holdAddresses(committed, { pins: before.addresses, given: given.addresses })
  const folders = await Promise.all(allowTree.map(folder => findAllowedFolder(repo, folder)))
  const flagged = folders.flatMap(folder => (folder === null ? [] : [folder]))
  const trust = { ...before, addresses: held.pins, given: Object.keys(given.addresses), flagged }
  writeTrust(state, stored.right, trust)
  return right({
    config: held.config,
    findings: held.findings,
    given,
    addresses: { pins: held.pins, given: given.addresses },
    trees: root => treeStanding(trust, flagged, root),
    first: held.first,
    rememberTrees: roots => {
      const now = readTrust(state)
      const last = isLeft(now) ? null : now.right
      writeTrust(state, last, { ...(last ?? trust), read: [...new Set([...(last?.read ?? []), ...roots])] })
    },
  })
}

/**
 * What a command sees of the trust of a checkout whose host last used this state area, without writing anything. Trees
 * outside the lore are read where no host recorded which it may read.
 */
export const viewTrust = (
  state: string,
  committed: CommittedFile,
  operator: Given['addresses'] = {},
): ReadConfig & { readonly trees: TreeRule; readonly damage: string | null } => {
  const stored = readTrust(state)
  const trust = isLeft(stored) ? noTrust : stored.right
  const given = Object.fromEntries((trust?.given ?? []).map(key => [key, trust?.addresses[key] ?? '']))
  const { config, findings } = holdAddresses(committed, {
    pins: trust?.addresses ?? {},
    given: { ...given, ...operator },
  })
  return {
    config,
    findings,
    trees: root => (trust === null ? 'unknown' : treeStanding(trust, trust.flagged, root)),
    damage: isLeft(stored) ? stored.left : null,
  }
}

/** Whether a finding is about a committed address that the host does not use. */
export const isAddressChanged = ({ kind }: Finding): boolean => kind === 'AddressChanged'

/** Logs what a start pinned, and which committed addresses it does not use. */
export const tellTrust = (
  { first, config, findings }: Pick<HostConfig, 'first' | 'config' | 'findings'>,
  log: Pick<Log, 'warn'>,
): void => {
  for (const row of pinnedAddresses.filter(({ key }) => first.includes(key)))
    log.warn('address_pinned', { key: row.key, address: showAddress(row, config[row.key]), mend: pinMend })
  for (const { subject, reason, suggestion } of findings.filter(isAddressChanged))
    log.warn('address_changed', { key: subject, reason, mend: suggestion })
}

/** The committed configuration, with the file that it is from; null where there is none. */
interface CommittedFile extends ReadConfig {
  readonly file: ConfigFile | null
}

const trustMend =
  'put a copy back, or move the file away: the next start then pins the addresses that are committed, and reads no ' +
  'tree outside the lore that no operator allows'

/** How long the file system may take to say what a folder of `--allow-tree` is. */
const folderMs = 5_000

/** The real path of a folder; null where there is none, or where it leads out of the lore by a link of the lore. */
const findRealFolder = async (lore: string, path: string): Promise<string | null> => {
  const [realLore, real] = [await realOf(lore), await realOf(path)]
  if (realLore === null || real === null || isWithin(realLore, real)) return real
  for (let above = dirname(path); above !== dirname(above); above = dirname(above))
    if (isWithin(realLore, (await realOf(above)) ?? '/')) return null
  return real
}

/** The configuration with the addresses that the host uses, and a finding for each committed one that it does not. */
const holdAddresses = (committed: CommittedFile, trust: AddressTrust) => {
  const { config, file, findings } = committed
  const held = pinAddresses(config, trust)
  const found = file === null ? [] : held.changed.map(one => findingOfChange(file, one))
  return { ...held, findings: [...findings, ...found] }
}

const pinMend =
  'this host keeps this address whatever is committed later; check that it is right, and see docs/spec/security.md'
