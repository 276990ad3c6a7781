import { realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { type ExitCode, exitCodes } from '#protocol/exit-code.js'
import { pinnedAddresses } from '#protocol/host/addresses.js'
import type { Config } from '#protocol/host/config.js'
import { readTrust, type Trust, writeTrust } from '#src/adapters/state/private-file.js'
import { excludeState, findDistrust, makeStateArea } from '#src/adapters/state/state-area.js'
import { lastStateArea } from '#src/adapters/state/state-record.js'
import { stateTrouble } from '#src/adapters/state/state-trouble.js'
import {
  printTrust,
  type TrustedAddress,
  type TrustedFolder,
  type TrustOptions,
  type TrustReport,
} from '#src/cli/checkout/trust.js'
import type { Output } from '#src/cli/output.js'
import { showAddress, usableAddress } from '#src/domain/config/addresses.js'
import type { TreeSource } from '#src/ports/git.js'
import { findCommittedState, openSource, type Stop } from '../start/checkout.js'
import { findAllowedFolder, firstTrust, stopOfTrust } from '../start/host-trust.js'
import { readCommittedConfig } from '../tree/corpus.js'

/** `kronika trust`: also while a daemon serves the checkout, which reads the change at its next start. */
export const trustCommand =
  (output: Output) =>
  async (options: TrustOptions): Promise<ExitCode> => {
    const opened = await openSource(options.repo)
    const done = isLeft(opened) ? opened : await changeTrust(opened.right, options)
    if (!isLeft(opened)) await opened.right.close()
    if (isLeft(done)) {
      output.err(`kronika trust: ${done.left.reason}`)
      return done.left.code
    }
    printTrust(done.right, options, output)
    return exitCodes.ok
  }

interface Plan {
  readonly trust: Trust
  readonly report: Omit<TrustReport, 'state' | 'dryRun'>
}

/** The real paths of folders that the operator allows. Left: one of them is no folder, or a link of the lore. */
const findFolders = async (
  lore: string,
  paths: ReadonlyArray<string>,
): Promise<Either<Stop, ReadonlyArray<string>>> => {
  const found: Array<string> = []
  for (const path of paths.map(one => resolve(one))) {
    const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
    const folder = isFolder ? await findAllowedFolder(lore, path) : null
    if (folder === null) {
      const why = isFolder ? 'leads out of the lore by a link that a commit can change' : 'is not a folder'
      return left({ code: exitCodes.usage, reason: `${path} ${why}; name the one that has the tree.` })
    }
    found.push(folder)
  }
  return right(found)
}

/** A path that was a folder, as it was recorded and as it is now. */
const pathsOf = (path: string): ReadonlyArray<string> => {
  const absolute = resolve(path)
  return statSync(absolute, { throwIfNoEntry: false }) === undefined
    ? [absolute]
    : [absolute, realpathSync(absolute)]
}

/** The trust after the command, and what it changes. */
const planTrust = (
  config: Config,
  before: Trust,
  options: TrustOptions,
  allowed: ReadonlyArray<string>,
): Plan => {
  const { keys, tree = [], forgetTree = [] } = options
  const isAsked = (key: TrustedAddress['key']): boolean =>
    keys.length === 0 ? tree.length + forgetTree.length === 0 : keys.includes(key)
  const addresses: Record<string, string> = { ...before.addresses }
  const rows: Array<TrustedAddress> = []
  for (const row of pinnedAddresses.filter(({ key }) => isAsked(key))) {
    const [pinned, usable] = [before.addresses[row.key], usableAddress(row, config[row.key])]
    const givenIn = before.given.includes(row.key) ? (row.variable ?? row.key) : null
    const changed = givenIn === null && usable !== null && usable !== pinned
    if (changed) addresses[row.key] = usable
    const shown = (address: string | undefined): string | null =>
      address === undefined ? null : showAddress(row, address)
    const after = shown(addresses[row.key])
    if (after !== null || givenIn !== null)
      rows.push({ key: row.key, before: shown(pinned), after, givenIn, changed })
  }
  const forgotten = new Set(forgetTree.flatMap(pathsOf))
  const keep = (paths: ReadonlyArray<string>) => paths.filter(path => !forgotten.has(path))
  const folders: ReadonlyArray<TrustedFolder> = [
    ...allowed.map(folder => ({ folder, change: 'allowed' as const })),
    ...[...new Set([...before.allowed, ...(before.read ?? [])])]
      .filter(folder => forgotten.has(folder))
      .map(folder => ({ folder, change: 'forgotten' as const })),
  ]
  const trust = {
    ...before,
    addresses,
    allowed: [...new Set([...keep(before.allowed), ...allowed])],
    read: before.read === null ? null : keep(before.read),
  }
  return { trust, report: { addresses: rows, folders } }
}

/** Changes the trust of the state area of a checkout, creating the area where there is none. */
const changeTrust = async (source: TreeSource, options: TrustOptions): Promise<Either<Stop, TrustReport>> => {
  const { path: repo, kind } = source
  const state = options.state === undefined ? lastStateArea(repo) : resolve(options.state)
  const doubt = findDistrust(repo, state, kind === 'git' ? await findCommittedState(repo, state) : null)
  if (doubt !== null) return left({ code: exitCodes.usage, reason: `${doubt}.` })
  const stored = readTrust(state)
  if (isLeft(stored)) return left(stopOfTrust(state, stored.left))
  const { config } = await readCommittedConfig(source)
  const allowed = await findFolders(repo, options.tree ?? [])
  if (isLeft(allowed)) return allowed
  const plan = planTrust(config, stored.right ?? firstTrust(state), options, allowed.right)
  const { dryRun } = options
  if (!dryRun) {
    if (kind === 'git') excludeState(repo, state)
    try {
      makeStateArea(state)
      writeTrust(state, stored.right, plan.trust)
    } catch (error) {
      return left({ code: exitCodes.stateUnusable, ...stateTrouble(state, error) })
    }
  }
  return right({ state, dryRun, ...plan.report })
}
