import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { CommitId } from '#protocol/atoms.js'
import type { ExitCode } from '#protocol/exit-code.js'
import type { IntegrityFinding } from '#protocol/finding.js'
import type { Config } from '#protocol/host/config.js'
import { checkoutState, repositoryStands } from '#src/adapters/git/checkout-state.js'
import { readUncommittedConfig } from '#src/adapters/git/corpus-tree.js'
import { openCheckoutWatch } from '#src/adapters/landing/checkout/checkout-faults.js'
import { lastStateArea } from '#src/adapters/state/state-record.js'
import { readConvergeFailure, readLintRecord } from '#src/adapters/sync/records.js'
import { gitFleetBranch } from '#src/adapters/sync/remote/takeover-git.js'
import {
  checkoutNotes,
  convergeNote,
  dirtyNote,
  faultNote,
  invalidEdit,
  noteOfBrokenEdit,
  plainDirectory,
  readOnlyNote,
  stateLossNote,
  trustNote,
  uncommittedConfig,
  unusableForgeNote,
} from '#src/cli/checkout/checkout-notes.js'
import { doctor } from '#src/cli/checkout/doctor.js'
import type { DoctorOptions } from '#src/cli/options.js'
import type { Output } from '#src/cli/output.js'
import { isDamage } from '#src/domain/admin/blockers.js'
import { leftOutFault, sizeFault } from '#src/domain/config/read-config.js'
import { findingsOfTopology, hostFleetKinds } from '#src/domain/fleet/role.js'
import { topologyPath } from '#src/domain/fleet/topology.js'
import { projectAddress } from '#src/domain/forge/wire.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { suggestNear } from '#src/domain/names/nearest.js'
import { atOnce } from '#src/domain/slicing/sliced.js'
import type { CheckoutState, TreeSource } from '#src/ports/git.js'
import { allFindings } from '#src/snapshot/all-findings.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { topologyReader } from '../fleet/role.js'
import { lookAtCommit } from '../gate/look.js'
import { findLostState, openSource, type Stop } from '../start/checkout.js'
import { viewTrust } from '../start/host-trust.js'
import { judgeConfig, oneSnapshot, readCommittedConfig } from '../tree/corpus.js'

/** `kronika doctor`: prints the findings of one snapshot and the state of the checkout. */
export const doctorCommand =
  (output: Output) =>
  async (options: DoctorOptions): Promise<ExitCode> => {
    const snapshot = await snapshotOrDamage(options.repo)
    if (isLeft(snapshot)) {
      output.err(`kronika doctor: ${snapshot.left.reason}`)
      return snapshot.left.code
    }
    if ('unloadable' in snapshot.right) {
      const damage = damageNote(snapshot.right.unloadable)
      const notes = async (repo: string) => [damage, ...(await notesOnCheckout(repo, null))]
      return doctor(() => Promise.resolve([]), notes, output)(options)
    }
    const served = snapshot.right
    const { commit, entities } = served
    const findings = async (repo: string): Promise<ReadonlyArray<Finding>> => {
      const committed = allFindings(served)
      const reasons = new Set(committed.map(({ reason }) => reason))
      const ofFleet = await findFleetFindings(repo, commit)
      const found = [...committed, ...ofFleet.filter(({ reason }) => !reasons.has(reason))]
      return atOnce(suggestNear(found, entities, lookedUpMax, sayNear))
    }
    return doctor(findings, repo => notesOnCheckout(repo, served), output)(options)
  }

/** One snapshot, or why git cannot read the commit of HEAD: then doctor tells that, and what it sees beside it. */
const snapshotOrDamage = async (
  repo: string,
): Promise<Either<Stop, Snapshot | { readonly unloadable: string }>> => {
  try {
    return await oneSnapshot(repo)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    if (!isDamage(reason)) throw error
    return right({ unloadable: reason })
  }
}

const damageNote = (reason: string): IntegrityFinding =>
  faultNote({ code: 'object_damaged', reason: `Git cannot read the lore: ${reason}.`, files: [] })

/** What is wrong with `.svc/fleet.json`, in Polish, each finding once. None for a plain directory. */
export const findFleetFindings = async (
  repo: string,
  served: CommitId | null,
): Promise<ReadonlyArray<Finding>> => {
  const opened = await openSource(repo)
  if (isLeft(opened)) return []
  const source = opened.right
  try {
    if (source.kind !== 'git') return []
    const { config } = await readCommittedConfig(source)
    const found = await findInFiles(source, config['server.sync_remote'], served)
    const all = [...found, ...findRecorded(source.path)]
    return [...new Map(all.map(finding => [`${finding.kind} ${finding.reason}`, finding])).values()]
  } finally {
    await source.close()
  }
}

const configPath = '.svc/config.json'

/** The most findings for which near names are searched: each search compares the name with every spelling. */
const lookedUpMax = 100

/** Polish, like the findings that it is appended to (ADR 1031). */
const sayNear = (near: ReadonlyArray<string>): string => `Najbliższe nazwy: ${near.join(', ')}.`

/**
 * What would block the writes of a host that serves this checkout. Without dirty files once HEAD left the
 * snapshot's commit.
 */
const notesOnWrites = async (
  { path: repo, head }: TreeSource,
  snapshot: Snapshot | null,
): Promise<ReadonlyArray<IntegrityFinding>> => {
  const [commit, served] = snapshot === null ? [null, []] : [snapshot.commit, [...snapshot.files.values()]]
  const look = openCheckoutWatch({ repo, stands: repositoryStands(repo), atOnce: true })
  const { faults, dirty } = await lookAtCommit(look, head)(commit, served)
  return [
    ...faults.map(faultNote),
    // An uncommitted configuration has its own note.
    ...(dirty ?? []).filter(path => path !== configPath).map(dirtyNote),
  ]
}

/** The notes on an uncommitted edit of the configuration: that there is one, and what is wrong with it. */
const notesOnConfig = async (source: TreeSource): Promise<ReadonlyArray<IntegrityFinding>> => {
  const lying = await readUncommittedConfig(source)
  if (lying === null) return []
  if (lying._tag === 'Absent') return [uncommittedConfig]
  const judged =
    lying._tag === 'Oversized' ? left(sizeFault(lying.size) ?? leftOutFault) : judgeConfig(lying.bytes)
  return [
    uncommittedConfig,
    ...(isLeft(judged) ? [noteOfBrokenEdit(judged.left)] : judged.right.map(invalidEdit)),
  ]
}

/** The note on mode `mr` without a forge. Whether a host has its token, only that host knows. */
const notesOnForge = (config: Config): ReadonlyArray<IntegrityFinding> => {
  if (config['server.publish_mode'] !== 'mr') return []
  const address = projectAddress(config['integrations.forge.api_url'], config['integrations.forge.project'])
  return typeof address === 'string' ? [] : [unusableForgeNote(address.bad)]
}

/** The state of the checkout, or why git cannot list its refs, such as one that names a missing object. */
const stateOrDamage = async (
  path: string,
  remote: string,
): Promise<
  | { readonly _tag: 'Read'; readonly state: CheckoutState }
  | { readonly _tag: 'Damaged'; readonly reason: string }
> => {
  try {
    return { _tag: 'Read', state: await checkoutState(path, remote) }
  } catch (error) {
    const reason = error instanceof Error ? error.message.trim() : String(error)
    if (!isDamage(reason)) throw error
    return { _tag: 'Damaged', reason }
  }
}

/** The notes on the checkout; for a plain directory, that it is one. */
const notesOnCheckout = async (
  repo: string,
  snapshot: Snapshot | null,
): Promise<ReadonlyArray<IntegrityFinding>> => {
  const opened = await openSource(repo)
  if (isLeft(opened)) return []
  const source = opened.right
  try {
    if (source.kind !== 'git') return [plainDirectory(source.path)]
    const area = lastStateArea(source.path)
    const { config, damage } = viewTrust(area, await readCommittedConfig(source))
    const remote = config['server.sync_remote']
    const state = await stateOrDamage(source.path, remote)
    const failure = readConvergeFailure(area)
    const lost = findLostState(source.path)
    return [
      ...(lost === null ? [] : [stateLossNote(lost)]),
      ...(damage === null ? [] : [trustNote(damage)]),
      ...(state._tag === 'Damaged' ? [damageNote(state.reason)] : checkoutNotes(state.state, remote)),
      ...(failure === null
        ? []
        : [convergeNote(failure, remote, state._tag === 'Damaged' ? null : state.state.remote)]),
      ...(config['server.read_only'] ? [readOnlyNote] : []),
      ...notesOnForge(config),
      ...(await notesOnWrites(source, snapshot)),
      ...(await notesOnConfig(source)),
    ]
  } finally {
    await source.close()
  }
}

/** The commits whose file of the fleet matters: the one that is served, and the one that gives hosts their roles. */
const commitsOf = async (
  repo: string,
  remote: string,
  served: CommitId | null,
): Promise<ReadonlyArray<CommitId>> => {
  const tip = await gitFleetBranch(repo, remote).tip()
  const fetched = tip._tag === 'Fetched' ? tip.commit : null
  return [...new Set([served, fetched])].filter(commit => commit !== null)
}

const findInFiles = async (
  source: TreeSource,
  remote: string,
  served: CommitId | null,
): Promise<ReadonlyArray<Finding>> => {
  const read = topologyReader(source, { lastChange: () => Promise.resolve(null) })
  const findings: Array<Finding> = []
  for (const commit of await commitsOf(source.path, remote, served))
    findings.push(...findingsOfTopology((await read(commit)).source))
  return findings
}

/** What only a running host knows, such as its town, as its last converge recorded it. */
const findRecorded = (repo: string): ReadonlyArray<Finding> =>
  (readLintRecord(lastStateArea(repo))?.findings ?? [])
    .filter(({ kind }) => hostFleetKinds.has(kind))
    .map(({ kind, severity, entity, reason }) => ({
      kind,
      severity,
      file: topologyPath,
      line: null,
      subject: entity,
      reason,
      suggestion: null,
    }))
