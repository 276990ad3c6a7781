import { existsSync, mkdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { AcceptedRewrite, AdvanceBranch, HoldGate } from '#actors/repository-sync/join-remote.js'
import type { HostRequests } from '#actors/repository-sync/publish.js'
import { repositorySync, type SyncPorts } from '#actors/repository-sync/repository-sync.js'
import type {
  EndedConverge,
  SyncAnswer,
  SyncOptions,
  SyncReport,
  SyncRequest,
} from '#actors/repository-sync/state.js'
import { git } from '#src/adapters/git/git-command.js'
import { gitRemote } from '#src/adapters/sync/remote/remote.js'
import type { RemoteOptions } from '#src/adapters/sync/remote/run-git.js'
import { ask, type ReplyTo } from '#src/kernel/actor/ref.js'
import { openKernel } from '#src/kernel/kernel.js'
import { type KernelClock, realClock } from '#src/kernel/time/clock.js'
import { daemonBreather } from '#src/kernel/work-scheduler.js'
import type { Remote } from '#src/ports/git.js'
import { publishPlainly } from './plain-git.js'
import { cloneOf, commitIn, gitIn, headIn, repositoryOf, temporaryFolder, writeFiles } from './repository.js'

/**
 * One host over the shared remote: a clone, its remote as the daemon uses it, and its sync actor on demand.
 */
export interface SyncHost {
  readonly path: string
  readonly state: string
  readonly remote: Remote
  readonly ended: ReadonlyArray<EndedConverge>
  readonly reports: ReadonlyArray<SyncReport>
  readonly accepted: ReadonlyArray<AcceptedRewrite>
  readonly git: (...args: ReadonlyArray<string>) => string
  /** Commits files beside the daemon, like a write through the gate; returns the commit. */
  readonly write: (files: Readonly<Record<string, string>>, intent?: string) => string
  readonly head: () => string
  readonly file: (path: string) => string
  /** Resolves when the converge that follows the start has ended. */
  readonly begun: Promise<void>
  /** Runs one converge by the actor. */
  readonly sync: () => Promise<SyncReport>
  /** As `sync`, and takes a history that was rewritten. */
  readonly accept: () => Promise<SyncReport>
  readonly stop: () => Promise<void>
}

export interface SyncWorld {
  readonly bare: string
  /** A clone whose actor has started and is idle. */
  readonly host: (name: string, options?: HostOptions) => Promise<SyncHost>
  /** Another process over the clone of a host that was stopped. */
  readonly reopen: (host: SyncHost, options?: HostOptions) => Promise<SyncHost>
  readonly remoteHead: () => string
  readonly dispose: () => Promise<void>
}

export interface HostOptions {
  readonly setup?: Partial<SyncOptions>
  readonly limitsMs?: RemoteOptions['limitsMs']
  /** The clock of the time that a converge has. */
  readonly after?: SyncPorts['after']
  readonly remote?: (remote: Remote) => Remote
  readonly advance?: (advance: AdvanceBranch) => AdvanceBranch
  /** If absent, nothing writes beside a converge, and every hold begins at once. */
  readonly hold?: (hold: HoldGate) => HoldGate
  /** If absent, the host has no forge. */
  readonly requests?: (place: RemoteOptions) => HostRequests
  /** `server.sync_branch`; empty: the branch of the remote's head. */
  readonly branch?: string
  /** The tree that the host is a clone of; default: the lore. */
  readonly tree?: RemoteOptions['tree']
  /** Runs between the clone and the first converge. */
  readonly whenCloned?: () => void
}

/** Moves the branch by compare-and-swap only; the work tree is not updated. */
const updateRef =
  (cwd: string): AdvanceBranch =>
  async (from, to, reason) => {
    const moved = await git(['update-ref', '-m', reason, 'HEAD', to, from], { cwd })
    return moved.code === 0 ? right(undefined) : left({ _tag: 'Moved' })
  }

/**
 * The clock of the actor. A host converges when its test asks: the tick, and the looks at a request or a remote that
 * come by themselves after 1.6 s or more, would come between two steps of a test on a slow machine.
 */
const askedOnly: KernelClock = {
  ...realClock,
  after: (delayMs, run) => (delayMs < 1_600 ? realClock.after(delayMs, run) : () => undefined),
}

const hostIn = (path: string, bare: string, name: string, options: HostOptions): SyncHost => {
  const state = join(path, '.git/svc-state')
  if (!existsSync(path)) {
    cloneOf(bare, path)
    mkdirSync(state)
    options.whenCloned?.()
  }
  const place: RemoteOptions = {
    repo: path,
    state,
    remote: 'origin',
    branch: options.branch ?? '',
    town: name,
    breathe: daemonBreather(),
    ...(options.tree === undefined ? {} : { tree: options.tree }),
    ...(options.limitsMs === undefined ? {} : { limitsMs: options.limitsMs }),
  }
  const real = gitRemote(place)
  const remote = options.remote?.(real) ?? real
  const ended: Array<EndedConverge> = []
  const reports: Array<SyncReport> = []
  const accepted: Array<AcceptedRewrite> = []
  let onBegun: () => void = () => undefined
  const begun = new Promise<void>(resolve => {
    onBegun = resolve
  })
  const advance = updateRef(path)
  const hold: HoldGate = async (work, limitMs) => right(await work(advance, AbortSignal.timeout(limitMs)))
  const ports: SyncPorts = {
    remote,
    advance: options.advance?.(advance) ?? advance,
    hold: options.hold?.(hold) ?? hold,
    nowMs: () => Date.now(),
    after: options.after ?? realClock.after,
    requests: options.requests?.(place) ?? { missing: 'This host has no forge.' },
    timed: (_step, work) => work(),
    accepted: one => void accepted.push(one),
    report: report => void reports.push(report),
    ticked: () => undefined,
    concluded: one => {
      ended.push(one)
      onBegun()
      return Promise.resolve()
    },
  }
  const kernel = openKernel({ checkMessages: true, clock: askedOnly })
  const placed = kernel.place(
    repositorySync({ publishMode: 'push', intervalMs: 3_600_000, convergeMsMax: 85_000, ...options.setup }),
  )
  const tree = kernel.run(
    {
      id: 'root',
      strategy: 'one_for_one',
      restartsMax: 0,
      windowMs: 1000,
      children: [{ id: 'sync', restart: 'permanent', drainMs: 1000 }],
    },
    { sync: placed.with(ports) },
    () => undefined,
  )
  const run = (...args: ReadonlyArray<string>): string => gitIn(path, ...args)
  const converge = async (tag: SyncRequest['_tag']): Promise<SyncReport> => {
    const asked = (replyTo: ReplyTo<SyncAnswer>): SyncRequest => ({ _tag: tag, replyTo })
    const answer = await ask<SyncRequest, SyncAnswer>(placed.ref, asked, 150_000)
    if (isLeft(answer)) throw new Error(answer.left._tag)
    if (answer.right._tag === 'Disabled') throw new Error('sync is off')
    return answer.right.report
  }
  return {
    path,
    state,
    remote,
    ended,
    reports,
    accepted,
    begun,
    git: run,
    write: (files, intent = 'none') => {
      writeFiles(path, files)
      run('add', '-A', '--', ...Object.keys(files))
      return commitIn(path, `write\n\nSvc-Intent: ${intent}`, false)
    },
    head: () => headIn(path),
    file: at => gitIn(path, 'cat-file', 'blob', `HEAD:${at}`),
    sync: () => converge('Sync'),
    accept: () => converge('Accept'),
    stop: async () => {
      await tree.drain(5_000)
    },
  }
}

/** A bare repository with one commit of `files`, and hosts over it. */
export const syncWorld = (files: Readonly<Record<string, string>>): SyncWorld => {
  const folder = temporaryFolder()
  const bare = join(folder.path, 'bare.git')
  const seed = repositoryOf(files)
  publishPlainly(seed.path, bare)
  seed.dispose()
  const hosts: Array<SyncHost> = []
  const open = async (name: string, options: HostOptions): Promise<SyncHost> => {
    const host = hostIn(join(folder.path, name), bare, name, options)
    hosts.push(host)
    await host.begun
    return host
  }
  return {
    bare,
    host: (name, options = {}) => open(name, options),
    reopen: ({ path }, options = {}) => open(basename(path), options),
    remoteHead: () => headIn(bare, 'refs/heads/main'),
    dispose: async () => {
      await Promise.all(hosts.map(host => host.stop()))
      folder.dispose()
    },
  }
}
