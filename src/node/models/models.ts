import { join } from 'node:path'
import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { ModelKeeperPorts } from '#actors/model-keeper.js'
import { instantOf, type ModelSurface } from '#protocol/atoms.js'
import type { Config } from '#protocol/host/config.js'
import type { AuditAction } from '#protocol/host/events.js'
import type { ModelChanged } from '#protocol/models/models.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import { tokenFields } from '#src/domain/events/audit-of.js'
import { type Held, type LedgerRow, liveIn, liveText, nextSeq, standing } from '#src/domain/models/ledger.js'
import { decidePromotion } from '#src/domain/models/promotion.js'
import { withStep } from '#src/domain/models/runs.js'
import { type ModelStore, storeFolder } from '#src/domain/models/store.js'
import { openWorkQueue } from '#src/kernel/time/work-queue.js'
import type { ChangeOf, Models, PromoteRefusal, Promotion, RollbackRefusal } from '#src/ports/models.js'
import type { WriteActor } from '#src/writing/command.js'
import { reasonOf } from '../start/environment.js'
import { openRuns, type RunSources } from './follow-runs.js'
import {
  findLiveTrouble,
  noStore,
  orRefused,
  type StoreReader,
  storeDisk,
  storeReader,
  versionAfter,
} from './store-files.js'

export interface ModelSources extends RunSources {
  readonly missingSetting: Models['missingSetting']
}

/** The models of a node: what the rows use, and what the keeper does. */
export interface NodeModels {
  readonly view: Models
  readonly ports: ModelKeeperPorts
}

/** How often the keeper looks for changes of the store that other programs made. */
const lookMs = 5_000

/** Opens the models of a host. Reads nothing before the first turn of the keeper. */
export const openModels = (sources: ModelSources): NodeModels => {
  const { missingSetting, runRef, nowMs } = sources
  const shared = openStore(sources)
  const { inTurn, reload, readOne, store, tryLook } = shared
  const runs = openRuns(sources, {
    inTurn,
    reload,
    store,
    apply: step => shared.apply({ runs: withStep(store().runs, step) }, step),
  })
  const change = <E>(
    plan: (now: ModelStore) => Promise<Either<E, LedgerRow>>,
    { by, dryRun }: ChangeOf,
  ): Promise<Either<E | RefusalOf<'DiskRefused'>, ModelChanged>> =>
    inTurn(async () => {
      const planned = await plan(await reload())
      if (isLeft(planned)) return planned
      return dryRun ? right(changedOf(planned.right, false)) : commit(sources, shared, planned.right, by)
    })
  return {
    view: {
      store,
      missingSetting,
      runRef,
      promote: (asked, of) => change(now => planPromotion(now, readOne, asked, of), of),
      rollback: (surface, of) => change(now => Promise.resolve(planRollback(now, surface, of)), of),
      startRun: runs.start,
    },
    ports: {
      turn: async signal => {
        // Without the store it is not known what runs.
        if (!(await tryLook())) return lookMs
        const dueMs = await runs.follow(signal)
        return Math.max(0, Math.min(lookMs, dueMs === null ? lookMs : dueMs - nowMs()))
      },
    },
  }
}

/** The models of this host, in its state area. */
export const nodeModels = (
  state: string,
  config: Pick<Config, 'server.sync_branch'>,
  sources: Omit<ModelSources, 'disk' | 'runRef'>,
): NodeModels =>
  openModels({
    ...sources,
    disk: storeDisk(join(state, storeFolder)),
    runRef: config['server.sync_branch'] || 'main',
  })

/** The store in memory, and the turns of those who change it. */
interface OpenStore {
  readonly inTurn: <A>(work: () => Promise<A>) => Promise<A>
  readonly store: () => ModelStore
  readonly reload: () => Promise<ModelStore>
  readonly readOne: StoreReader['readOne']
  /** Takes a change that is on disk into the store, until the next look reads it again. */
  readonly apply: (changed: Partial<ModelStore>, line: object) => void
  /** Looks at the disk; false where it refuses: the store stays as it was, and the reason is logged once in a row. */
  readonly tryLook: () => Promise<boolean>
}

const openStore = ({ disk, log, audit }: Pick<ModelSources, 'disk' | 'log' | 'audit'>): OpenStore => {
  const reader = storeReader(disk)
  const inTurn = openWorkQueue()
  let store = noStore
  let trouble: string | null = null
  const reload = async (): Promise<ModelStore> => {
    store = await reader.read()
    return store
  }
  /** Writes what the ledger says to `live.json` where it says otherwise, as after a crash between the two. */
  const heal = async (): Promise<void> => {
    const live = await findLiveTrouble(disk, store)
    if (live === null || live.isRight) return
    const { rows } = store.ledger
    disk.replaceLive(liveText(store.ledger))
    log.warn('models_live_healed', { from: live.seq, to: rows.at(-1)?.seq ?? 0 })
    for (const row of rows) if (row.seq > live.seq) audit({ ...auditOf(row), healed: 'live.json' })
  }
  return {
    inTurn,
    store: () => store,
    reload,
    readOne: reader.readOne,
    apply: (changed, line) => {
      store = { ...store, exists: true, ...changed, version: versionAfter(store, line) }
    },
    tryLook: async () => {
      try {
        await inTurn(async () => {
          await reload()
          await heal()
        })
        if (trouble !== null) log.info('models_read')
        trouble = null
        return true
      } catch (error) {
        const reason = reasonOf(error)
        if (reason !== trouble) log.warn('models_unread', { reason })
        trouble = reason
        return false
      }
    },
  }
}

/** Puts a change on disk: the row of the ledger first, which alone decides what is live, then `live.json`. */
const commit = (
  { disk, audit, log }: Pick<ModelSources, 'disk' | 'audit' | 'log'>,
  { store, apply }: Pick<OpenStore, 'store' | 'apply'>,
  row: LedgerRow,
  by: WriteActor,
): Either<RefusalOf<'DiskRefused'>, ModelChanged> => {
  const written = orRefused('The change of the live model', () => disk.append('ledger', JSON.stringify(row)))
  if (isLeft(written)) return written
  const { ledger } = store()
  apply({ ledger: { ...ledger, rows: [...ledger.rows, row] } }, row)
  audit({ ...auditOf(row), ...tokenFields(by.token) })
  try {
    disk.replaceLive(liveText(store().ledger))
  } catch (error) {
    // The ledger has the row, so the change is made. The next look writes the file again.
    log.warn('models_live_unwritten', { reason: reasonOf(error) })
  }
  return right(changedOf(row, true))
}

/** The row that a promotion adds to the ledger, or why there is none. */
const planPromotion = async (
  store: ModelStore,
  readOne: (id: string) => Promise<LedgerArtifact | undefined>,
  asked: Promotion,
  { by, nowMs }: ChangeOf,
): Promise<Either<PromoteRefusal, LedgerRow>> => {
  const unread = ledgerUnread(store)
  if (unread !== null) return left(unread)
  const { surface, artifact: id, acceptRegression = false, floors, harvestDigest } = asked
  const { live } = liveIn(store.ledger, surface)
  if (live?.id === id)
    return left(
      refuse('ModelAlreadyLive', `${id} is the live artifact of ${surface} already. Nothing was written.`),
    )
  const candidate = await readOne(id)
  const decided = decidePromotion({
    surface,
    id,
    candidate,
    live: live === null ? null : { held: live, artifact: store.artifacts.get(live.id) },
    acceptRegression,
    floors,
    harvestDigest,
  })
  if (isLeft(decided)) {
    const [first] = decided.left
    if (first === undefined) throw new Error('a promotion is refused without a reason')
    return left(
      refuse(first.code, decided.left.map(({ detail }) => detail).join(' '), { refusals: decided.left }),
    )
  }
  const { disclosures, acceptedRegression } = decided.right
  const { digests, stamp } = decided.right.candidate
  if (digests === null) throw new Error('an artifact without digests was found promotable')
  return right({
    ...rowBase(store, surface, by, nowMs),
    kind: 'promote',
    artifact: id,
    previous: live?.id ?? null,
    acceptedRegression,
    heldOutF1: stamp?.score.f1 ?? null,
    disclosures,
    live: { id, digests },
    retained: live,
  })
}

/** The row that a rollback adds to the ledger, or why there is none. */
const planRollback = (
  store: ModelStore,
  surface: ModelSurface,
  { by, nowMs }: ChangeOf,
): Either<RollbackRefusal, LedgerRow> => {
  const unread = ledgerUnread(store)
  if (unread !== null) return left(unread)
  const { live, retained } = liveIn(store.ledger, surface)
  if (live === null || retained === null)
    return left(
      refuse('NoRetainedArtifact', `${surface} has no earlier artifact that could become live again.`),
    )
  const known = store.artifacts.get(retained.id)
  const artifact = standing(retained, known)
  if (artifact === null) {
    const why = known === undefined ? 'is gone from this host' : 'is no longer what was promoted'
    return left(
      refuse('RetainedArtifactMissing', `${retained.id} ${why}. Bring it in again, or promote another.`, {
        artifact: retained.id,
      }),
    )
  }
  return right({
    ...rowBase(store, surface, by, nowMs),
    kind: 'rollback',
    artifact: retained.id,
    previous: live.id,
    acceptedRegression: false,
    heldOutF1: artifact.stamp?.score.f1 ?? null,
    disclosures: [],
    live: retained,
    retained: live satisfies Held,
  })
}

type LedgerArtifact = NonNullable<ReturnType<ModelStore['artifacts']['get']>>

const rowBase = ({ ledger }: ModelStore, surface: ModelSurface, by: WriteActor, nowMs: number) =>
  ({ v: 1, seq: nextSeq(ledger), at: instantOf(nowMs), surface, by: by.name }) as const

/** Without the ledger it is not known what is live. */
const ledgerUnread = ({ ledger: { trouble } }: ModelStore): RefusalOf<'DiskRefused'> | null =>
  trouble === null
    ? null
    : refuse(
        'DiskRefused',
        `The ledger of promotions cannot be read (${trouble}). Repair promotions.jsonl first.`,
      )

const changedOf = (
  { v: _v, live: _live, retained: _retained, ...change }: LedgerRow,
  applied: boolean,
): ModelChanged => ({ ...change, applied })

const auditOf = ({ kind, seq, surface, artifact, previous, by, disclosures }: LedgerRow) => {
  const action: AuditAction = kind === 'promote' ? 'model.promote' : 'model.rollback'
  return {
    action,
    actor: by,
    seq,
    surface,
    artifact,
    previous,
    disclosures: disclosures.map(({ code }) => code).join(' '),
  }
}
