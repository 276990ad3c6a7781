import { absurd } from 'fp-ts/lib/function.js'
import { type BlockCode, type Blocker, blockCodes, type CheckoutFault } from '#protocol/host/discovery.js'
import type { ConfigView, DifferingKey } from '#src/domain/config/unknown-keys.js'

/** What a host knows of its checkout, held in memory. */
export interface Observed {
  readonly gone: boolean
  /** Whether the runtime database is no longer the file that this host opened. */
  readonly stateGone: boolean
  readonly detached: boolean
  /** Whether the served lore needs an adoption first. */
  readonly notAdopted: boolean
  /** Ledgers of the served commit that cannot be read. */
  readonly unreadLedgers: ReadonlyArray<string>
  /** What a look at git's own files found. */
  readonly faults: ReadonlyArray<CheckoutFault>
  readonly dirty: ReadonlyArray<string>
  readonly config: ConfigView
  /**
   * A new history of the remote that the operator has not accepted; null without one. `tip` is null where the branch
   * is gone.
   */
  readonly rewrite: { readonly seen: string; readonly tip: string | null } | null
  /** What would come back that was purged, as the last converge said; null where nothing would. */
  readonly purged: string | null
  /** Why HEAD cannot be loaded; null when it can. */
  readonly staleReason: string | null
}

/** Whether the reason of a failure says that an object of git is damaged or missing. */
export const isDamage = (reason: string): boolean =>
  /git fsck|corrupt|unable to (?:read|unpack)|bad object|missing (?:blob|tree|commit|object)|inflate/u.test(
    reason,
  )

/** What blocks writes of a host now or later, in the order of the table. Empty when nothing does. */
export const blockersOf = ({
  gone,
  stateGone,
  detached,
  notAdopted,
  unreadLedgers,
  faults,
  dirty,
  config,
  rewrite,
  purged,
  staleReason,
}: Observed): ReadonlyArray<Blocker> => {
  // When the repository is gone, HEAD cannot be loaded either, and no commit would repair that.
  const stale = gone ? null : staleReason
  const found = [
    ...(gone ? [blocker('repository_gone', [])] : []),
    ...(stale === null
      ? []
      : [
          blocker(
            isDamage(stale) ? 'object_damaged' : 'snapshot_stale',
            [],
            `HEAD cannot be loaded: ${stale}.`,
          ),
        ]),
    ...(unreadLedgers.length === 0 ? [] : [blocker('ledger_unreadable', unreadLedgers.map(whole))]),
    ...(stateGone && !gone ? [blocker('state_gone', [])] : []),
    ...(detached ? [blocker('head_detached', [])] : []),
    ...(notAdopted ? [blocker('not_adopted', [])] : []),
    ...faults.map(({ code, reason, files }) => blocker(code, files.map(whole), reason)),
    ...(dirty.length === 0 ? [] : [blocker('work_tree_dirty', dirty.map(whole))]),
    ...(rewrite === null ? [] : [historyRewritten(rewrite)]),
    ...(purged === null ? [] : [blocker('history_purged', [], purged)]),
    ...ofConfig(config),
  ]
  const codes = Object.keys(blockCodes)
  const once = new Map(found.map(one => [one.code, one]))
  return [...once.values()].sort((a, b) => codes.indexOf(a.code) - codes.indexOf(b.code))
}

/** How many files a list of blockers names. */
const filesMax = 50

const configPath = '.svc/config.json'

const whole = (path: string): Blocker['files'][number] => ({ path, line: null })

/** A cause with its row of the table, and what this host found. */
const blocker = (
  code: BlockCode,
  files: Blocker['files'],
  reason: string = blockCodes[code].means,
): Blocker => ({
  code,
  count: Math.max(1, files.length),
  reason,
  mend: blockCodes[code].mend,
  files: files.slice(0, filesMax),
})

/** A blocker for keys of the configuration; none where there is no key. */
const ofKeys = (
  keys: ReadonlyArray<DifferingKey>,
  code: BlockCode,
  reason: string,
): ReadonlyArray<Blocker> => {
  const files = keys.map(({ line }) => ({ path: configPath, line }))
  const names = keys.map(({ name }) => name).join(', ')
  return keys.length === 0 ? [] : [blocker(code, files, `${reason}: ${names}.`)]
}

const configDiffers = `The committed ${configPath} differs from what this host started with`
const addressChanged =
  `The committed ${configPath} names other addresses than those that ` +
  'this host has pinned and goes on with'

const ofConfig = (config: ConfigView): ReadonlyArray<Blocker> => {
  switch (config._tag) {
    case 'Same':
      return []
    case 'Broken': {
      const { line, column, reason } = config.fault
      return [
        blocker(
          'config_broken',
          [{ path: configPath, line }],
          `The committed ${configPath} does not parse at line ${line}, column ${column}: ${reason}.`,
        ),
      ]
    }
    case 'Differs':
      return [
        ...ofKeys(config.keys, 'config_differs', configDiffers),
        ...ofKeys(config.refused, 'address_changed', addressChanged),
      ]
    default:
      return absurd(config)
  }
}

const historyRewritten = ({ seen, tip }: NonNullable<Observed['rewrite']>): Blocker => {
  const now = tip === null ? 'no longer has the branch' : `has ${tip} without it now`
  const made = blocker(
    'history_rewritten',
    [],
    `The remote had ${seen} and ${now}, so nothing is merged or published. Writes go on until the sync is too old.`,
  )
  return tip === null
    ? { ...made, mend: 'Push the branch there again, or set another server.sync_branch.' }
    : made
}
