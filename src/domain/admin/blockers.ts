import { absurd } from 'fp-ts/lib/function.js'
import type { BlockCode, Blocker } from '#protocol/discovery/blocked.js'
import { goneMend, stateGoneMend } from '#protocol/discovery/gone-words.js'
import type { ConfigSight, DifferingKey } from '#src/domain/config/config-sight.js'

/** What a host knows of its checkout, held in memory. */
export interface Observed {
  readonly gone: boolean
  /** Whether the runtime database is no longer the file that this host opened. */
  readonly stateGone: boolean
  readonly detached: boolean
  /** Whether the served lore needs an adoption first. */
  readonly notAdopted: boolean
  /** Path of git's lock below the checkout; null unless another process holds it. */
  readonly lock: string | null
  readonly dirty: ReadonlyArray<string>
  readonly config: ConfigSight
  /** A history of the remote that nobody accepted yet; null without one. `tip` null: the branch is gone. */
  readonly rewrite: { readonly seen: string; readonly tip: string | null } | null
  /** Why HEAD cannot be loaded; null when it can. */
  readonly staleReason: string | null
}

/** How many files a list of blockers names. */
const filesMax = 50

const configPath = '.svc/config.json'

const whole = (path: string): Blocker['files'][number] => ({ path, line: null })

const blocker = (
  code: BlockCode,
  files: Blocker['files'],
  words: { readonly reason: string; readonly mend: string },
): Blocker => ({ code, count: Math.max(1, files.length), ...words, files: files.slice(0, filesMax) })

/** A blocker for keys of the configuration; none where there is no key. */
const ofKeys = (
  keys: ReadonlyArray<DifferingKey>,
  { code, reason, mend }: Pick<Blocker, 'code' | 'mend'> & { readonly reason: string },
): ReadonlyArray<Blocker> => {
  const files = keys.map(({ line }) => ({ path: configPath, line }))
  const names = keys.map(({ name }) => name).join(', ')
  return keys.length === 0 ? [] : [blocker(code, files, { reason: `${reason}: ${names}.`, mend })]
}

const configDiffers = {
  code: 'config_differs',
  reason: `The committed ${configPath} differs from what this host started with`,
  mend: 'Restart the host to use it.',
} as const

const addressChanged = {
  code: 'address_changed',
  reason: `The committed ${configPath} names other addresses than those that this host has pinned and goes on with`,
  mend: 'If you meant it, run kronika trust on this host, and restart it; else revert the commit.',
} as const

const ofConfig = (config: ConfigSight): ReadonlyArray<Blocker> => {
  switch (config._tag) {
    case 'Same':
      return []
    case 'Broken': {
      const { line, column, reason } = config.fault
      return [
        blocker('config_broken', [{ path: configPath, line }], {
          reason: `The committed ${configPath} does not parse at line ${line}, column ${column}: ${reason}.`,
          mend: 'Fix that place, commit the file, and restart the host.',
        }),
      ]
    }
    case 'Differs':
      return [...ofKeys(config.keys, configDiffers), ...ofKeys(config.refused, addressChanged)]
    default:
      return absurd(config)
  }
}

const repositoryGone = blocker('repository_gone', [], {
  reason: 'The repository was moved, removed or replaced while this host served it.',
  mend: goneMend,
})

const snapshotStale = (staleReason: string): Blocker =>
  blocker('snapshot_stale', [], {
    reason: `HEAD cannot be loaded: ${staleReason}.`,
    mend: 'Commit a fix; the host loads it by itself.',
  })

const stateAreaGone = blocker('state_gone', [], {
  reason:
    'The state area was moved, removed or replaced while this host used it: tokens, logins, jobs and ' +
    'journal of this host are lost if it stops before the folder is back.',
  mend: stateGoneMend,
})

const headDetached = blocker('head_detached', [], {
  reason:
    'HEAD is on no branch: a rebase or bisect is under way, or a commit is checked out. ' +
    'What is committed there would be on no branch.',
  mend: 'End the rebase or bisect, or go back with git switch BRANCH; git status shows which it is.',
})

const legacyLayout = blocker('not_adopted', [], {
  reason: 'The repository has the legacy layout and is not adopted, so it is served read-only.',
  mend: 'POST /import adopts it; or stop the host, run kronika adopt DIR, and start it again.',
})

const indexLock = (lock: string): Blocker =>
  blocker('index_lock', [whole(lock)], {
    reason: `Another program holds ${lock}.`,
    mend: 'Wait until that git process has ended; if no git is running, remove the file.',
  })

const workTreeDirty = (dirty: ReadonlyArray<string>): Blocker =>
  blocker('work_tree_dirty', dirty.map(whole), {
    reason: 'These files have uncommitted changes, so a write that touches one is refused.',
    mend: 'Commit or stash the changes; git status lists them.',
  })

const historyRewritten = ({ seen, tip }: NonNullable<Observed['rewrite']>): Blocker =>
  blocker('history_rewritten', [], {
    reason:
      `The remote had ${seen} and ${tip === null ? 'no longer has the branch' : `has ${tip} without it now`}, ` +
      'so nothing is merged or published. Writes go on until the sync is too old.',
    mend:
      tip === null
        ? 'Push the branch there again, or set another server.sync_branch.'
        : 'If it was meant, run kronika accept-rewrite here, which shows what it does; else push the old history back.',
  })

/** What blocks writes of a host now or later, the gravest first. Empty when nothing does. */
export const blockersOf = ({
  gone,
  stateGone,
  detached,
  notAdopted,
  lock,
  dirty,
  config,
  rewrite,
  staleReason,
}: Observed): ReadonlyArray<Blocker> => [
  ...(gone ? [repositoryGone] : []),
  // When the repository is gone, HEAD cannot be loaded either, and no commit would repair that.
  ...(staleReason === null || gone ? [] : [snapshotStale(staleReason)]),
  ...(stateGone && !gone ? [stateAreaGone] : []),
  ...(detached ? [headDetached] : []),
  ...(notAdopted ? [legacyLayout] : []),
  ...(lock === null ? [] : [indexLock(lock)]),
  ...(dirty.length === 0 ? [] : [workTreeDirty(dirty)]),
  ...(rewrite === null ? [] : [historyRewritten(rewrite)]),
  ...ofConfig(config),
]
