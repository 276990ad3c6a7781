import { isLeft } from 'fp-ts/lib/Either.js'
import type { LookOutcome } from '#actors/corpus-keeper/corpus-keeper.js'
import type { Loaded } from '#actors/corpus-keeper/load.js'
import type { AdoptPorts } from '#actors/write-gate/adopt.js'
import type { CommitId } from '#protocol/atoms.js'
import type { Config } from '#protocol/host/config.js'
import {
  type BlockCode,
  type Blocker,
  blockCodes,
  type CheckoutFault,
  goneWords,
} from '#protocol/host/discovery.js'
import { openCheckoutWatch } from '#src/adapters/landing/checkout/checkout-faults.js'
import type { ConfirmDirty } from '#src/adapters/landing/checkout/dirty.js'
import { blockersOf, isDamage } from '#src/domain/admin/blockers.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { AddressTrust } from '#src/domain/config/addresses.js'
import { leftOutFault } from '#src/domain/config/read-config.js'
import { type ConfigView, configView } from '#src/domain/config/unknown-keys.js'
import { realClock } from '#src/kernel/time/clock.js'
import type { CheckoutView, ServedFile, TreeSource } from '#src/ports/git.js'
import { type Cell, makeCell } from '#src/snapshot/cell.js'
import { unreadLedgers } from '#src/snapshot/left-out.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { Log } from '../records/records.js'
import { type Checkout } from '../start/checkout.js'
import { reasonOf } from '../start/environment.js'
import type { HostSync } from '../sync/sync.js'
import { configOf } from '../tree/corpus.js'
import { type Looking, type LookPorts, lookAtCommit, lookBetween } from './look.js'

/** What blocks writes. The keeper observes it; all others read it from memory. */
export interface BlockWatch {
  readonly blockers: () => ReadonlyArray<Blocker>
  readonly isGone: () => boolean
  /** Whether the state area is gone, as last observed. */
  readonly isStateGone: () => boolean
  /** Looks at the disk and logs what changed; resolves to how long it took, in ms. Never rejects. */
  readonly watch: () => Promise<number>
}

export const blockWatch = (setup: BlockSources): BlockWatch => {
  const { checkout, config, addresses, held, lastLook, sync, log } = setup
  const checkoutView = makeCell<CheckoutView>()
  /** The dirty files of the last conclusive look, with their blobs in the commit that it compared with. */
  const lastDirty = makeCell<ReadonlyArray<ServedFile>>()
  const stateGone = makeCell<boolean>()
  const look = lookerOf(setup)
  const tell = blockLog(setup)
  const configNow = configWatch(config, addresses, held)
  // The look at HEAD may find out before the watch does.
  const isGone = (): boolean => {
    const last = lastLook.get()
    return checkoutView.get()?.gone === true || (last?._tag === 'LookFailed' && last.reason === goneWords)
  }
  const blockers = (): ReadonlyArray<Blocker> => {
    const { detached, faults } = checkoutView.get() ?? nothing
    const [snapshot, last, report] = [held.get()?.build.snapshot ?? null, lastLook.get(), sync.report.get()]
    // A file whose blob in the served commit differs was compared with a commit that is no longer served.
    const dirty = (lastDirty.get() ?? []).filter(({ path, blob }) => snapshot?.files.get(path)?.blob === blob)
    return blockersOf({
      gone: isGone(),
      stateGone: stateGone.get() === true,
      ...{ detached, faults },
      notAdopted: snapshot?.format.state === 'SchemaTooOld',
      unreadLedgers: unreadLedgers(snapshot),
      dirty: dirty.map(({ path }) => path),
      config: configNow(),
      rewrite: report?.rewrite ?? null,
      purged: report?.lastAction === 'history_purged' ? report.lastDetail : null,
      staleReason: last?._tag === 'LookFailed' ? last.reason : null,
    })
  }
  const once = async (): Promise<void> => {
    stateGone.set(!checkout.runtime.stands())
    const loaded = held.get()
    // Index and work tree are compared with HEAD: not possible while it is being read, or cannot be.
    const isCurrent = loaded !== null && !loaded.ahead && lastLook.get()?._tag === 'Current'
    const found = await look(isCurrent ? loaded : null)
    checkoutView.set(found)
    if (isCurrent && found.dirty !== null) {
      const dirty = new Set(found.dirty)
      lastDirty.set(filesOf(loaded.build.snapshot).filter(({ path }) => dirty.has(path)))
    }
    tell(blockers())
  }
  return {
    blockers,
    isGone,
    isStateGone: () => stateGone.get() === true,
    watch: async () => {
      const beganMs = realClock.monotonicMs()
      try {
        await once()
      } catch (error) {
        log.warn('watch_failed', { reason: reasonOf(error) })
      }
      return realClock.monotonicMs() - beganMs
    },
  }
}

/**
 * The state of the committed configuration in the newest snapshot. Computed when a snapshot with another
 * version of the file is published, not at each call.
 */
export const configWatch = (
  config: Config,
  addresses: AddressTrust,
  held: Pick<Cell<Published>, 'get' | 'watch'>,
): (() => ConfigView) => {
  let seen: { readonly version: string; readonly view: ConfigView } | null = null
  const look = (): void => {
    const snapshot = held.get()?.build.snapshot
    if (snapshot === undefined) return
    const { files, leftOut } = snapshot
    const version = leftOut.has(configPath) ? 'left out' : (files.get(configPath)?.blob ?? 'none')
    if (seen?.version !== version) seen = { version, view: configViewIn(config, addresses, snapshot) }
  }
  held.watch(look)
  look()
  return () => seen?.view ?? { _tag: 'Same' }
}

/** Reads from a checkout what HEAD has at paths. */
export const headFilesIn =
  (source: Pick<TreeSource, 'head' | 'listAt'>): LookPorts['headFiles'] =>
  async paths => {
    try {
      const head = await source.head()
      const { entries } = await source.listAt(head, paths)
      const blobs = new Map(entries.map(({ path, blob }) => [path, blob] as const))
      return { commit: head.commit, files: paths.map(path => ({ path, before: blobs.get(path) ?? null })) }
    } catch {
      // The load of the commit reports an unreadable HEAD.
      return null
    }
  }

/** The dirty files, sorted; none where HEAD left the base, or names no branch. */
export const dirtyAt =
  (landing: Looking): NonNullable<AdoptPorts['dirtyNow']> =>
  async (base, files) => {
    const found = await lookBetween(landing, base, files)
    return isLeft(found) ? [] : [...found.right].sort()
  }

interface BlockSources {
  readonly checkout: Checkout
  readonly config: Config
  readonly addresses: AddressTrust
  readonly held: Cell<Loaded>
  readonly lastLook: Cell<LookOutcome>
  readonly sync: Pick<HostSync, 'report'>
  readonly log: Pick<Log, 'info' | 'warn'>
}

const nothing: CheckoutView = { gone: false, detached: false, faults: [], dirty: [] }

const filesOf = perValue(
  ({ files }: Snapshot): ReadonlyArray<ServedFile> =>
    [...files.values()].map(({ path, blob }) => ({ path, blob })),
)

/** Looks at the checkout; null in place of a commit where index and work tree cannot be compared with one. */
type Look = (loaded: Loaded | null) => Promise<CheckoutView>

/** Looks at the checkout. A plain directory has no index and no commit, so only its absence matters. */
const lookerOf = ({ checkout, held }: BlockSources): Look => {
  const { repo, stands, landing, source } = checkout
  if (landing === null) return async () => ({ ...nothing, gone: !(await stands()) }) satisfies CheckoutView
  let commit: CommitId | null = null
  const confirm: ConfirmDirty = async suspects => {
    const files = suspects.map(({ path, blob }) => ({ path, before: blob }))
    const found = await lookBetween(landing, commit, files)
    return found._tag === 'Right' ? found.right : null
  }
  const look = openCheckoutWatch({ repo, stands, confirm, atOnce: false })
  const lookAt = lookAtCommit(look, source.head)
  const findDamage = damageFinder(source)
  return async loaded => {
    if (loaded === null) return { ...(await look([])), dirty: null }
    commit = loaded.loreHead.commit
    const files = filesOf(loaded.build.snapshot)
    const seen = await lookAt(commit, files)
    const found = { ...seen, faults: [...seen.faults, ...(await findDamage(files))] }
    return held.get()?.loreHead.commit === commit ? found : { ...found, dirty: null }
  }
}

/** The log events for the begin and the end of a code. */
const eventsOf = (code: BlockCode): { readonly begin: string; readonly end: string } =>
  !blockCodes[code].blocks
    ? { begin: 'host_degraded', end: 'host_recovered' }
    : { begin: 'writes_blocked', end: 'writes_unblocked' }

/** Logs each blocker when it appears or names other files, and when it ends. */
const blockLog = ({ log, checkout }: BlockSources): ((blockers: ReadonlyArray<Blocker>) => void) => {
  let told: ReadonlyMap<BlockCode, string> = new Map()
  return blockers => {
    const next: ReadonlyMap<BlockCode, string> = new Map(blockers.map(one => [one.code, JSON.stringify(one)]))
    for (const { code, count, reason, mend, files } of blockers)
      if (next.get(code) !== told.get(code))
        log.warn(eventsOf(code).begin, { code, count, reason, mend, files, repo: checkout.repo })
    for (const code of told.keys()) if (!next.has(code)) log.info(eventsOf(code).end, { code })
    told = next
  }
}

/** The committed files that one look reads, in turn. */
const readsMost = 20

/**
 * Returns the look for damaged objects of git: it reads some of the served files from HEAD, each time other ones, and
 * those that were damaged again. What git cannot read otherwise, such as a file that HEAD no longer has, is no damage.
 */
const damageFinder = (
  source: Pick<TreeSource, 'file'>,
): ((files: ReadonlyArray<ServedFile>) => Promise<ReadonlyArray<CheckoutFault>>) => {
  let next = 0
  let damaged: ReadonlyMap<string, string> = new Map()
  const reasonAt = async (path: string): Promise<string | null> => {
    try {
      await source.file(path)
      return null
    } catch (error) {
      const reason = reasonOf(error)
      return isDamage(reason) ? reason : null
    }
  }
  return async files => {
    const inTurn = Array.from({ length: Math.min(readsMost, files.length) }, (_, at) => next + at)
    next = files.length === 0 ? 0 : (next + inTurn.length) % files.length
    const turn = inTurn.map(at => files[at % files.length]?.path ?? '')
    const found = new Map<string, string>()
    for (const path of new Set<string>([...damaged.keys(), ...turn])) {
      const reason = await reasonAt(path)
      if (reason !== null) found.set(path, reason)
    }
    damaged = found
    const [first] = found.values()
    return first === undefined
      ? []
      : [
          {
            code: 'object_damaged',
            reason: `A file cannot be read from git: ${first}.`,
            files: [...found.keys()],
          },
        ]
  }
}

interface Published {
  readonly build: { readonly snapshot: Snapshot }
}

const configPath = '.svc/config.json'

/** A file that is left out for its size also exceeds every bound of a configuration. */
const configViewIn = (config: Config, addresses: AddressTrust, { files, leftOut }: Snapshot): ConfigView =>
  leftOut.has(configPath)
    ? { _tag: 'Broken', fault: leftOutFault }
    : configView(config, addresses, files.get(configPath) ?? null, configOf)
