import { isLeft, left, right } from 'fp-ts/lib/Either.js'
import { type AdoptPorts, checkoutBlocked, headDetached, repositoryLocked } from '#actors/write-gate/adopt.js'
import type { Write, WriteOutcome } from '#actors/write-gate/messages.js'
import { composeWrites, type PlannedWrites, type PlanPorts, planOn } from '#actors/write-gate/plan-on.js'
import { callerLeft, dirtyRefusal } from '#actors/write-gate/refusals.js'
import { instantOf, type RepoPath } from '#protocol/atoms.js'
import type { WithheldChange } from '#protocol/dry-run.js'
import type { Config } from '#protocol/host/config.js'
import { refuse } from '#protocol/refusal.js'
import {
  type ChangedLines,
  changedLinesOf,
  formatUnifiedDiff,
  type TextChange,
} from '#src/adapters/history/unified-diff.js'
import { planAdoptionInSlices } from '#src/domain/adoption/plan.js'
import type { Caller } from '#src/domain/callers/caller.js'
import { isEveryLine, readersOfLines, unreadableLines } from '#src/domain/identity/readable.js'
import type { ChangeSet } from '#src/domain/lore/changes.js'
import { type FileRole, isFixedPath, roleOf } from '#src/domain/lore/layout.js'
import { civilDay } from '#src/domain/lore/rows/days.js'
import { withheldLinesOf } from '#src/domain/people/visible-document.js'
import { ask, type Ref, type ReplyTo } from '#src/kernel/actor/ref.js'
import { type AskAdvice, explainUnanswered } from '#src/kernel/ask-trouble.js'
import { runDaemonWork } from '#src/kernel/work-scheduler.js'
import type { TouchedFile } from '#src/ports/landing.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { Admit, Command, WritePort } from '#src/writing/command.js'
import { type HeadLook, type LookFailure, type LookPorts, lookAtHead } from './look.js'

/** Where a dry run looks for a person's uncommitted work. */
export interface Checked extends LookPorts {
  /** The snapshot of what HEAD names at this moment; null where it could not be loaded in time. */
  readonly fresh: () => Promise<Snapshot | null>
}

/** What a dry run works with. */
export interface PreviewPorts extends PlanPorts {
  /** Returns the caller, whose rights decide which lines the diff shows. */
  readonly admit: Admit
  /** Null on a plain directory. */
  readonly checked: Checked | null
}

/**
 * Returns what a write would do at the commit that the outcome names, or why it would be refused, without the
 * gate: nothing here can write (A 1, S17). Takes no lock and delays no write. Where HEAD has other content in
 * a file of the plan by the time of the look, it plans once more, on what HEAD names then
 * (docs/spec/writes.md#dry-run-commit). Does no further step once the caller has left.
 */
export const preview = async (
  ports: PreviewPorts,
  first: Snapshot,
  command: Command,
  isCallerThere: () => boolean = always,
): Promise<WriteOutcome> => {
  const { checked } = ports
  if (!isCallerThere()) return dropped
  if (checked === null) return previewDiff(ports, await planOn(ports, first, [command]), noFiles, first)
  const attempt = await attemptOn(ports, checked, first, command, isCallerThere)
  if (!attempt.isOutdated) return attempt.show()
  if (!isCallerThere()) return dropped
  const next = await checked.fresh()
  // Where writes come faster than loads there is no newer snapshot, and the first plan holds at its commit.
  if (next === null) return attempt.show()
  return (await attemptOn(ports, checked, next, command, isCallerThere)).show()
}

/**
 * The diff without the lines that are withheld from public documents, the same for every caller. A caller who
 * may read restricted topics reads them at their own routes (ADR 1009).
 */
export const publicDiff = (changes: ReadonlyArray<TextChange>): string =>
  changes.map(change => fileDiff(change, nothingHidden)).join('')

export interface DiffedFile extends TextChange {
  readonly path: RepoPath
}

/**
 * The diff in the answer of a dry run: only with lines that the caller may read by `GET`, or sent. Where the
 * write takes no line away anywhere, what it adds comes from the request; else an added line may repeat a
 * part of a removed one. `isKnown` tells whether the caller may know the path of a file that they may not
 * read (docs/spec/security.md#lines-by-sight).
 */
export const diffFor = (
  caller: Pick<Caller, 'holds'>,
  changes: ReadonlyArray<DiffedFile>,
  isKnown: (path: string) => boolean,
): ShownDiff => {
  const found = changes.map(change => ({ change, hidden: findHidden(caller, change) }))
  if (found.every(({ hidden }) => hidden.before.size + hidden.after.size === 0))
    return { diff: publicDiff(changes) }
  const files = found.map(one => ({ ...one, lines: changedLinesOf(one.change) }))
  const isAddition = files.every(({ lines }) => lines.removed.length === 0)
  const shown = files.map(({ change, hidden: all, lines }) => {
    const isSent = isAddition && !derived.has(roleOf(change.path))
    const hidden = isSent ? { ...all, after: none } : all
    const withheld = pickHidden(lines, hidden)
    const isWhole = countOf(withheld) > 0 && countOf(withheld) === countOf(lines)
    return { change, withheld, diff: isWhole ? '' : fileDiff(change, hidden) }
  })
  const withheld = shown
    .filter(one => countOf(one.withheld) > 0)
    .map(({ change, withheld: lines }) => ({
      file: isKnown(change.path) ? change.path : null,
      added: lines.added.length,
      removed: lines.removed.length,
      required: findReaders(change, lines),
    }))
  const diff = shown.map(one => one.diff).join('')
  return withheld.length === 0 ? { diff } : { diff, withheld }
}

/**
 * The body of a dry run as a caller may see it: that of the row, with the diff. The caller may know a path
 * that the layout fixes, or that the answer of the row names.
 */
export const showPreview = (
  { preview }: Pick<ChangeSet<unknown>, 'preview'>,
  changes: ReadonlyArray<DiffedFile>,
  caller: Pick<Caller, 'holds'>,
): object => ({
  ...preview,
  ...diffFor(caller, changes, path => isFixedPath(path) || holdsText(preview, path)),
})

/**
 * The pure plan with the host's time and the configured legacy labels; yields to the event loop while it
 * runs.
 */
export const adoptionPlan = (config: Config): AdoptPorts['plan'] => {
  const word = config['import.legacy.game']
  const labels = { game: word === '' ? null : word }
  return (files, nowMs, dryRun, past) =>
    runDaemonWork(
      planAdoptionInSlices(files, {
        now: instantOf(nowMs),
        today: civilDay(nowMs, config['server.time_zone']),
        dryRun,
        labels,
        past,
      }),
    )
}

/**
 * The single entry for writes: a dry run is answered here, everything else by the gate. `publishes`: the commit goes to
 * the remote before the branch moves.
 */
export const writePort =
  (
    ports: PreviewPorts & { readonly gate: Ref<Write>; readonly snapshot: () => Snapshot | null },
    publishes = false,
  ): WritePort =>
  async (command, isCallerThere) => {
    const snapshot = ports.snapshot()
    if (snapshot === null)
      return left(refuse('Starting', 'The host is still reading the lore. Try again in a second.'))
    if (command.dryRun) return preview(ports, snapshot, command, isCallerThere)
    const asked = (replyTo: ReplyTo<WriteOutcome>): Write => ({ _tag: 'Write', command, publishes, replyTo })
    const answer = await ask<Write, WriteOutcome>(ports.gate, asked, writeDeadlineMs, isCallerThere)
    if (isLeft(answer))
      return left(refuse('Overloaded', explainUnanswered('the write gate', answer.left, advice)))
    return answer.right
  }

const textOf = (bytes: Buffer | null): string | null => bytes?.toString('utf8') ?? null

/** The body of the row's dry run, with the diff of the write. */
const previewDiff = (
  { admit, nowMs }: PreviewPorts,
  { batch, bytes }: PlannedWrites,
  dirty: ReadonlySet<RepoPath>,
  snapshot: Snapshot,
): WriteOutcome => {
  const { clean, dirty: kept } = composeWrites({ batch, bytes }, dirty)
  const [same] = batch.same
  const [write] = clean
  const [refused] = batch.refused
  if (refused !== undefined) return left(refused.refusal)
  if (kept[0] !== undefined) return left(dirtyRefusal(kept[0].files))
  const planned = write ?? same
  if (planned === undefined) throw new Error('a write that is alone is never deferred')
  const { command, set } = planned
  const caller = admit(command, snapshot, nowMs())
  if (isLeft(caller)) return caller
  const changes = set.edits.map(edit => ({
    path: edit.path,
    before: textOf(bytes.get(edit.path) ?? null),
    after: textOf(write?.after.get(edit.path) ?? null),
    splices: edit._tag === 'Lines' ? edit.splices : null,
  }))
  return right({ status: null, body: showPreview(set, changes, caller.right), commit: snapshot.commit })
}

const whyDisturbed = {
  'this host': 'Writes of this host came in between each time the dry run looked at the work tree.',
  'another program': 'Another program kept moving the branch while the dry run looked at the work tree.',
} as const

const reasonOf = (
  failure: Exclude<LookFailure, { readonly _tag: 'Detached' | 'Locked' | 'Blocked' }>,
): string => {
  if (failure._tag === 'Disturbed') return `${whyDisturbed[failure.by]} Try the dry run again in a second.`
  if (failure._tag === 'NoHead')
    return 'git cannot read the commit of HEAD. Fix that, then try the dry run again.'
  const why = 'reason' in failure ? failure.reason : failure._tag
  return `The work tree cannot be read (${why}). Fix that, then try the dry run again.`
}

const refusalOf = (failure: LookFailure): WriteOutcome => {
  if (failure._tag === 'Detached') return left(headDetached())
  if (failure._tag === 'Locked') return left(repositoryLocked(failure.lock))
  if (failure._tag === 'Blocked') return left(checkoutBlocked(failure.code, failure.reason))
  return left(refuse('Overloaded', reasonOf(failure)))
}

const always = (): boolean => true

const noFiles: ReadonlySet<RepoPath> = new Set()

/** Whether HEAD has the files as the plan read them. */
const isUnchanged = (files: ReadonlyArray<TouchedFile>, look: HeadLook): boolean => {
  const blobs = new Map(look.files.map(({ path, before }) => [path, before]))
  return files.every(({ path, before }) => blobs.get(path) === before)
}

/** A dry run whose caller has left. */
const dropped: WriteOutcome = left(callerLeft())

/** The dry run on one snapshot. */
interface Attempt {
  readonly show: () => WriteOutcome
  /** Whether HEAD had other content in a file of the plan at the look. */
  readonly isOutdated: boolean
}

const attemptOn = async (
  ports: PreviewPorts,
  checked: Checked,
  snapshot: Snapshot,
  command: Command,
  isCallerThere: () => boolean,
): Promise<Attempt> => {
  const planned = await planOn(ports, snapshot, [command])
  const { files } = planned
  const { tree } = planned.batch
  const where = tree === 'lore' ? checked : ports.trees.get(tree)
  if (files.length === 0 || where === undefined)
    return { show: () => previewDiff(ports, planned, noFiles, snapshot), isOutdated: false }
  if (!isCallerThere()) return { show: () => dropped, isOutdated: false }
  const paths = files.map(({ path }) => path)
  const look = await lookAtHead(where, paths)
  if (isLeft(look)) return { show: () => refusalOf(look.left), isOutdated: false }
  const { dirty } = look.right
  return {
    show: () => previewDiff(ports, planned, dirty, snapshot),
    isOutdated: !isUnchanged(files, look.right),
  }
}

const isLedger = /^\.svc\/.*\.jsonl$/

/** A SHA-256 as the daemon's files contain it. */
const textHash = /(?<![\da-f])[\da-f]{64}(?![\da-f])/g

/** The lines of a file that one caller may not read, on both sides. */
interface Hidden {
  /** Whether a position would tell of a file of which the caller may read no line. */
  readonly isPlaceHidden: boolean
  readonly before: ReadonlySet<number>
  readonly after: ReadonlySet<number>
}

const none: ReadonlySet<number> = new Set()
const nothingHidden: Hidden = { isPlaceHidden: false, before: none, after: none }

const union = (one: ReadonlySet<number>, other: ReadonlySet<number>): ReadonlySet<number> =>
  other.size === 0 ? one : new Set([...one, ...other])

/** The first lines of a hunk, at the start of a line of a diff; every other line begins with a mark. */
const hunkPlace = /(^|\n)@@ -\d+,(\d+) \+\d+,(\d+) @@/g

/**
 * The diff of one file. A hash in a ledger of the daemon covers whole texts, including withheld lines: with
 * it a reader could test guesses of those lines offline, so it is withheld too. A staged draft keeps its
 * path, which is a hash of its header.
 */
const fileDiff = (change: TextChange, hidden: Hidden): string => {
  const diff = formatUnifiedDiff([change], (text, side) => union(withheldLinesOf(text, false), hidden[side]))
  const open = isLedger.test(change.path) ? diff.replaceAll(textHash, '[withheld]') : diff
  return hidden.isPlaceHidden ? open.replaceAll(hunkPlace, '$1@@ -0,$2 +0,$3 @@') : open
}

/** What an answer shows of a diff. `withheld` is absent where it shows every changed line. */
interface ShownDiff {
  readonly diff: string
  readonly withheld?: ReadonlyArray<WithheldChange>
}

/** Files that the daemon makes from others: no line of them comes from the request. */
const derived: ReadonlySet<FileRole> = new Set(['registry', 'session-hashes', 'close-ledger', 'batches'])

const findHidden = (caller: Pick<Caller, 'holds'>, { path, before, after }: DiffedFile): Hidden => {
  const hiddenIn = (text: string | null): ReadonlySet<number> =>
    text === null ? none : unreadableLines(caller, { path, text })
  const hiddenBefore = hiddenIn(before)
  return {
    isPlaceHidden: isEveryLine(hiddenBefore, before ?? ''),
    before: hiddenBefore,
    after: hiddenIn(after),
  }
}

/** The changed lines among the hidden ones. */
const pickHidden = ({ removed, added }: ChangedLines, hidden: Hidden): ChangedLines => ({
  removed: removed.filter(number => hidden.before.has(number)),
  added: added.filter(number => hidden.after.has(number)),
})

/** The capabilities of which any one shows all of these lines. */
const findReaders = ({ path, before, after }: DiffedFile, { removed, added }: ChangedLines) => {
  const ofRemoved = readersOfLines({ path, text: before ?? '' }, removed)
  return readersOfLines({ path, text: after ?? '' }, added).filter(one => ofRemoved.includes(one))
}

const countOf = ({ removed, added }: ChangedLines): number => removed.length + added.length

/** Whether a text stands in a plain value as a whole, at any depth. */
const holdsText = (value: unknown, text: string): boolean =>
  value === text ||
  (typeof value === 'object' && value !== null && Object.values(value).some(one => holdsText(one, text)))

/**
 * Longer than the slowest batch before it: after a timeout the asker does not know whether its write was
 * made.
 */
const writeDeadlineMs = 60_000

const advice: AskAdvice = {
  mayHaveActed: 'the write may have succeeded. Read what it would change before you send it again.',
  didNothing: 'nothing was written. Send it again after the seconds of Retry-After.',
}
