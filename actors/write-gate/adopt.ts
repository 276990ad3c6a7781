import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { CommitId } from '#protocol/atoms.js'
import type { Adoption, AdoptRefusal } from '#protocol/host/admin.js'
import { type BlockCode, blockCodes, detachedWords } from '#protocol/host/discovery.js'
import type { AuditLine } from '#protocol/host/events.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import type { PastRows } from '#src/domain/adoption/close-plan.js'
import { tokenFields } from '#src/domain/events/audit-of.js'
import type { FileChange } from '#src/domain/lore/changes.js'
import { bytesMaxOf, formatOf, mebibytesMaxOf, type SourceFile } from '#src/domain/lore/layout.js'
import { closeLedgerPath, lacksMeaning } from '#src/domain/sessions/effects/closed-sessions.js'
import type { Head, LineOrigins, TreeEntry, TreeSource } from '#src/ports/git.js'
import type { Draft, Landing, LandingFailure, LandingSession, TouchedFile } from '#src/ports/landing.js'
import type { TellProgress } from '#src/ports/records.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { authorOf, commitMessage } from '#src/writing/batch/plan-batch.js'
import type { Admit, ClaimedRight, WriteOrigin } from '#src/writing/command.js'
import { unreadLedgersIn } from '../corpus-keeper/lore-files.js'
import { decodeFile } from '../corpus-keeper/read-entries.js'

export type AdoptOutcome = Either<AdoptRefusal, Adoption>

export interface AdoptPorts {
  readonly source: TreeSource
  /** Null on a plain directory, and where only dry runs are requested. */
  readonly landing: Landing | null
  readonly nowMs: () => number
  /** The snapshot of what HEAD names now; null where it cannot be read. */
  readonly fresh: () => Promise<Snapshot | null>
  /** Checks again whether the asker may do this. */
  readonly admit: Admit
  readonly plan: (
    files: ReadonlyMap<string, SourceFile>,
    nowMs: number,
    dryRun: boolean,
    past: PastRows,
  ) => Promise<PlannedAdoption>
  readonly lineOrigins: LineOrigins
  /**
   * The files that hold uncommitted work, sorted; `base` is the commit that the files are of. Empty where
   * that cannot be determined. Absent where a dry run should not look.
   */
  readonly dirtyNow?: (
    base: CommitId | null,
    files: ReadonlyArray<TouchedFile>,
  ) => Promise<ReadonlyArray<string>>
  readonly newIntent: () => string
  /** Called after an adoption was committed. */
  readonly done: (commit: CommitId, adoption: Adoption, audit: AuditLine) => void
  /** Called when the disk accepts no more writes. */
  readonly diskRefused: (reason: string) => void
  /** Publishes the commit to readers; false where that failed within its time. */
  readonly published: (commit: CommitId) => Promise<boolean>
}

/** The origin of an adoption that the operator runs at the host. */
export const atTheHost: WriteOrigin = {
  actor: { name: 'machine', gracz: null, kind: 'machine' },
  route: 'POST /import',
}

/** The right of the operator at the host, which cannot be revoked. */
export const claimedAtTheHost: ClaimedRight = { row: 'import.run', asker: { _tag: 'Host' }, grade: 'full' }

/** An adoption cannot be planned; `findings` says why, as the plan does. */
export const refuseAdoption = (findings: ReadonlyArray<string>): RefusalOf<'AdoptionFailed'> =>
  refuse('AdoptionFailed', 'Fix the errors in `findings`, commit, then adopt again.', { findings })

/**
 * Adopts the committed tree in one commit, all or nothing; a dry run plans and writes nothing. Without
 * changes there is no commit (D32). Refuses a plain directory, a dirty work tree, a ledger that cannot be read and a
 * repository of a newer format. Once `superseded` aborts it makes no commit: its asker already has the answer that it
 * failed.
 */
export const adopt = async (
  ports: AdoptPorts,
  { dryRun, origin, claimed, progress = () => undefined }: AdoptRequest,
  scope: AdoptScope = 'adoption',
  superseded: AbortSignal = new AbortController().signal,
): Promise<AdoptOutcome> => {
  const step = (nth: keyof typeof steps): void =>
    progress({ done: nth, total: stepCount, detail: steps[nth] })
  const { source, landing, newIntent } = ports
  if (source.kind === 'directory' || (landing === null && !dryRun))
    return left(
      refuse('NoRepository', 'There is no git repository. Run `git init` and commit the lore first.'),
    )
  step(0)
  const asker = await resolveAsker(ports, claimed)
  if (isLeft(asker)) return asker
  const { head, gone } = asker.right
  const listing = await source.list(head)
  const { entries } = listing
  const filesOf = filesReader(source)
  const files = await filesOf(entries)
  if (formatOf(files.get('.svc/format.json') ?? null).state === 'SchemaTooNew')
    return left(refuse('SchemaTooNew', 'A newer version of Kronika wrote this repository. Update this host.'))
  const unread = unreadLedgersIn(listing, path => files.get(path))
  if (unread.length > 0) return left(refuseAdoption(unread.map(describeUnread)))
  step(1)
  const filesAt = async (at: Head) => filesOf((await source.list(at)).entries)
  const past: PastRows =
    scope === 'adoption' ? await pastRows(ports.lineOrigins, filesAt, head, files) : new Map()
  const { report, changes, refused } = await ports.plan(files, ports.nowMs(), dryRun, past)
  if (refused.length > 0) return left(refuseAdoption(refused))
  if (changes.length === 0) return right(report)
  if (dryRun || landing === null) {
    const dirty = (await ports.dirtyNow?.(head.commit, collectTouchedFiles(entries, changes))) ?? []
    return right(dirty.length === 0 ? report : { ...report, Dirty: dirty })
  }
  step(2)
  const intent = newIntent()
  const audit = {
    action: 'adoption',
    actor: origin.actor.name,
    ...tokenFields(origin.actor.token),
    route: origin.route,
    intent,
    files: changes.length,
  } as const
  const asked = { head, origin, gone, intent, audit }
  const commit = await landAdoption({ ...ports, landing }, asked, entries, changes, superseded)
  if (isLeft(commit)) return commit
  step(3)
  await ports.published(commit.right)
  ports.done(commit.right, report, audit)
  step(4)
  return right(report)
}

/** Adoption would take a ledger that it cannot read for one without rows, and so would every later reader. */
const describeUnread = (path: string): string =>
  `${path} cannot be read: it is above ${mebibytesMaxOf(path)} MiB, not UTF-8, or no plain file. ` +
  blockCodes.ledger_unreadable.mend

export const headDetached = (): RefusalOf<'HeadDetached'> =>
  refuse('HeadDetached', `${detachedWords}. Nothing was written.`)

/** The commit of HEAD could not be loaded: it is broken, or HEAD moved at every look. */
export const headUnread = (): RefusalOf<'CheckoutBlocked'> =>
  checkoutBlocked('snapshot_stale', 'HEAD could not be loaded in time')

export const repositoryLocked = (lock: string): RefusalOf<'RepositoryLocked'> =>
  refuse('RepositoryLocked', `Another process holds ${lock}, so nothing was written. ${whenFree}`, { lock })

/** A fault of the checkout that `blocked` lists under this code. */
export const checkoutBlocked = (code: BlockCode, reason: string): RefusalOf<'CheckoutBlocked'> =>
  refuse(
    'CheckoutBlocked',
    `${reason.replace(/\.$/u, '')}, so nothing was written. ${blockCodes[code].mend}`,
    { code },
  )

/** What adoption decides, as the pure plan returns it (FORMATS 9). */
interface PlannedAdoption {
  readonly report: Adoption
  readonly changes: ReadonlyArray<FileChange>
  /** Why nothing can be planned; empty for a valid plan. */
  readonly refused: ReadonlyArray<string>
}

/** What is to be adopted: whether to write, and on whose behalf. */
interface AdoptRequest {
  readonly dryRun: boolean
  readonly origin: WriteOrigin
  readonly claimed: ClaimedRight
  readonly progress?: TellProgress
}

/** What an adoption does beside converting files to format 2. A reindex leaves the close ledger as it is. */
type AdoptScope = 'adoption' | 'reindex'

const messageOf = (intent: string, origin: WriteOrigin, changes: ReadonlyArray<FileChange>): string =>
  commitMessage(
    origin.route === atTheHost.route
      ? 'admin: adopt the legacy repository into format 2'
      : 'places: rebuild the index',
    intent,
    origin,
    `${changes.length} files. Reverting this commit undoes the adoption.`,
  )

/** Text files that adoption may read. Larger files and those that are not UTF-8 text stay where they are. */
const isText = (path: string): boolean => /\.(md|psd1|txt|json|jsonl|csv)$/i.test(path)

/** Reads the files of trees. A file that two of them share is read once and is one value. */
const filesReader = (source: TreeSource) => {
  const known = new Map<string, SourceFile>()
  return async (entries: ReadonlyArray<TreeEntry>): Promise<ReadonlyMap<string, SourceFile>> => {
    const files = new Map<string, SourceFile>()
    for (const entry of entries.filter(one => isText(one.path) && one.bytes <= bytesMaxOf(one.path))) {
      const id = `${entry.blob} ${entry.path}`
      const before = known.get(id)
      const bytes = before === undefined ? await source.read(entry) : null
      const file = bytes === null ? before : decodeFile(entry, bytes)
      if (file === undefined) continue
      known.set(id, file)
      files.set(entry.path, file)
    }
    return files
  }
}

/** Every committed file, because adoption needs a clean work tree, and the files that it creates. */
const collectTouchedFiles = (
  entries: ReadonlyArray<TreeEntry>,
  changes: ReadonlyArray<FileChange>,
): ReadonlyArray<TouchedFile> => {
  const committed = new Set<string>(entries.map(({ path }) => path))
  return [
    ...entries.map(({ path, blob }) => ({ path, before: blob })),
    ...changes.filter(({ path }) => !committed.has(path)).map(({ path }) => ({ path, before: null })),
  ]
}

const refusalOf = (failure: LandingFailure): AdoptRefusal => {
  switch (failure._tag) {
    case 'Dirty':
      return refuse(
        'WorkTreeDirty',
        'The work tree has uncommitted changes. Commit or stash them, then adopt again.',
        {
          files: failure.files,
        },
      )
    case 'Moved':
      return refuse('Overloaded', 'The branch moved while the adoption was planned. Adopt again.')
    case 'Detached':
      return headDetached()
    case 'Locked':
      return repositoryLocked(failure.lock)
    case 'Disk':
      return refuse('DiskRefused', `The disk refuses writes (${failure.reason}). Fix it, then adopt again.`)
    case 'Blocked':
      return checkoutBlocked(failure.code, failure.reason)
    case 'Unpublished':
    case 'Failed':
      return refuse('AdoptionFailed', 'git could not create the commit.', { findings: [failure.reason] })
  }
}

type Gone = RefusalOf<'Unauthorized' | 'Forbidden'> | null

/** The asker of an adoption; `gone` checks each time whether they still may. */
interface Asker {
  readonly head: Head
  readonly gone: () => Gone
}

/** What HEAD names, if the asker still has the right: it may have ended while they waited (S30, ADR 1018). */
const resolveAsker = async (
  { source, fresh, nowMs, admit }: AdoptPorts,
  claimed: ClaimedRight,
): Promise<Either<AdoptRefusal, Asker>> => {
  if (claimed.asker._tag === 'Host') return right({ head: await source.head(), gone: () => null })
  const snapshot = await fresh()
  if (snapshot === null) return left(headUnread())
  const gone = (): Gone => {
    const caller = admit(claimed, snapshot, nowMs())
    return isLeft(caller) ? caller.left : null
  }
  const now = gone()
  if (now !== null) return left(now)
  const head = await source.head()
  return head.commit === snapshot.commit ? right({ head, gone }) : left(refusalOf({ _tag: 'Moved' }))
}

/** An adoption that is to land: its asker, its intent, and its audit line. */
interface Asked extends Asker {
  readonly origin: WriteOrigin
  readonly intent: string
  readonly audit: AuditLine
}

const draftOf = ({ origin, intent, audit }: Asked, changes: ReadonlyArray<FileChange>): Draft => {
  const { actor, route } = origin
  const after = new Map(
    changes.map(one => [one.path, one.after === null ? null : Buffer.from(one.after, 'utf8')]),
  )
  const message = messageOf(intent, origin, changes)
  return { intent, actor: actor.name, route, author: authorOf(actor), message, after, audit: [audit] }
}

type Committed = Either<AdoptRefusal, CommitId>

/** Makes one commit of all changes; none where a file is dirty or the asker has lost the right. */
const commitIn = async (
  { nowMs, diskRefused }: AdoptPorts,
  session: LandingSession,
  asked: Asked,
  files: ReadonlyArray<TouchedFile>,
  changes: ReadonlyArray<FileChange>,
): Promise<Either<LandingFailure, Committed>> => {
  const found = await session.inspect(files)
  if (isLeft(found)) return found
  const gone = asked.gone()
  if (gone !== null) return right(left(gone))
  if (found.right.size > 0) return left({ _tag: 'Dirty', files: [...found.right].sort() })
  const outcome = await session.commit({ drafts: [draftOf(asked, changes)], atMs: nowMs() })
  if (isLeft(outcome)) return outcome
  const { commits, unfinished } = outcome.right
  if (unfinished?._tag === 'Disk') diskRefused(unfinished.reason)
  const commit = commits.at(-1)
  if (commit === undefined) throw new Error('a draft makes a commit')
  return right(right(commit))
}

const landAdoption = async (
  ports: AdoptPorts & { readonly landing: Landing },
  asked: Asked,
  entries: ReadonlyArray<TreeEntry>,
  changes: ReadonlyArray<FileChange>,
  superseded: AbortSignal,
): Promise<Committed> => {
  const opened = await ports.landing.open(asked.head.commit, superseded)
  const landed = isLeft(opened)
    ? opened
    : await commitIn(ports, opened.right, asked, collectTouchedFiles(entries, changes), changes).finally(
        opened.right.close,
      )
  if (!isLeft(landed)) return landed.right
  if (landed.left._tag === 'Disk') ports.diskRefused(landed.left.reason)
  return left(refusalOf(landed.left))
}

const stepCount = 4
const steps = { 0: 'read', 1: 'plan', 2: 'commit', 3: 'publish', 4: 'done' } as const

type Files = ReadonlyMap<string, SourceFile>

/**
 * The rows of the close ledger that do not record what their sessions meant, each with the files of the
 * commit that added it. Reads one tree for each such commit: a ledger from an adoption has one; later rows
 * record their meaning.
 */
const pastRows = async (
  origins: LineOrigins,
  filesAt: (head: Head) => Promise<Files>,
  head: Head,
  files: Files,
): Promise<PastRows> => {
  const ledger = files.get(closeLedgerPath)
  const lacking = new Set(ledger?.text.split(/\r?\n/u).filter(lacksMeaning) ?? [])
  if (head.commit === null || lacking.size === 0) return new Map()
  const past = new Map<string, Files>()
  const trees = new Map<string, Files>()
  for (const { commit, line } of await origins(head.commit, closeLedgerPath)) {
    if (!lacking.has(line)) continue
    const tree = trees.get(commit) ?? (await filesAt({ commit, id: commit }))
    trees.set(commit, tree)
    past.set(line, tree)
  }
  return past
}

const whenFree = 'Try again when that git process has ended; if no git is running, remove the file.'
