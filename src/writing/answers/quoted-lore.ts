import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { RepoPath } from '#protocol/atoms.js'
import type { Reference } from '#protocol/lore/entity-writes.js'
import { type Refusal, refuse } from '#protocol/refusal.js'
import type { Caller } from '#src/domain/callers/caller.js'
import type { Entity } from '#src/domain/entities/entity.js'
import { gradeOf } from '#src/domain/identity/grade.js'
import { isEveryLine, unreadableLines } from '#src/domain/identity/readable.js'
import { type ChangeSet, treeOf } from '#src/domain/lore/changes.js'
import type { SourceFile } from '#src/domain/lore/layout.js'
import { withheldLinesOf } from '#src/domain/people/visible-document.js'
import { ownScopeAt } from '#src/snapshot/own-scope-at.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'

/**
 * A refusal that quotes a line of the lore. `hidden` is the answer to a caller who may not read that line and
 * must quote nothing but the request.
 */
export const quoteLine = <R extends Refusal>(
  shown: R,
  hidden: Refusal,
  { file, line }: Pick<Quote, 'file' | 'line'>,
): R => ({ ...shown, quotes: { file, line, shown, hidden } })

/** A refusal that quotes a block: its name, its type, or a row that `GET` serves with it. */
export const quoteBlock = <R extends Refusal>(shown: R, hidden: Refusal, { file, line }: Entity): R =>
  quoteLine(shown, hidden, { file, line })

/** The refusal as its caller may read it (docs/spec/security.md#lines-by-sight). */
export const hideQuotes = (
  refusal: Refusal,
  { files }: Pick<Snapshot, 'files'>,
  caller: Pick<Caller, 'holds' | 'view'>,
): Refusal => {
  if (!isQuoting(refusal)) return refusal
  const { file: path, line, shown, hidden } = refusal.quotes
  const file = files.get(path)
  return file === undefined || hiddenLinesOf(file, caller).has(line) ? hidden : shown
}

/**
 * The result of a plan for a caller: only with references to lines, places in files, and entries of a Postać,
 * that the caller may read.
 */
export const showReferences = (
  planned: Either<Refusal, ChangeSet<unknown>>,
  snapshot: Snapshot,
  caller: ReferenceReader,
): Either<Refusal, ChangeSet<unknown>> => {
  const seesEntries = mayReadEntries(snapshot, caller)
  if (isLeft(planned)) return seesEntries ? planned : left(hideEntries(planned.left))
  // A write to another tree has no entries of a Postać, whatever its answer lists.
  if (treeOf(planned.right) !== 'lore') return planned
  const showBody = <A>(whole: A): A => {
    const body = hideLine(snapshot, caller, seesEntries ? whole : hideItems(whole))
    return isReferring(body)
      ? {
          ...body,
          retargeted: filterReferences(snapshot, caller, body.retargeted),
          reported: filterReferences(snapshot, caller, body.reported),
        }
      : body
  }
  const { answer, preview } = planned.right
  return right({ ...planned.right, answer: showBody(answer), preview: showBody(preview) })
}

/** A line of the lore, and the answers to those who may read it and to those who may not. */
interface Quote {
  readonly file: RepoPath
  readonly line: number
  readonly shown: Refusal
  readonly hidden: Refusal
}

interface Quoting {
  readonly quotes: Quote
}

const isQuoting = (refusal: Refusal): refusal is Refusal & Quoting => 'quotes' in refusal

/**
 * The numbers of the lines of a file that an answer to a write must not name to the caller: those that they may
 * not read by `GET`, and withheld ones, such as a line of a restricted topic, whose number would confirm a guess.
 */
const hiddenLinesOf = (file: SourceFile, caller: Pick<Caller, 'holds' | 'view'>): ReadonlySet<number> =>
  new Set([...unreadableLines(caller, file), ...withheldLinesOf(file.text, caller.view.mayReadRestricted)])

type ReferenceReader = Pick<Caller, 'holds' | 'view' | 'grade' | 'gracz'>

/** Keeps only references to lines that the answer may name to the caller. */
const filterReferences = (
  { files }: Snapshot,
  caller: ReferenceReader,
  references: ReadonlyArray<Reference>,
): ReadonlyArray<Reference> =>
  references.flatMap(reference => {
    const file = files.get(reference.file)
    if (file === undefined) return []
    const hidden = hiddenLinesOf(file, caller)
    const lines = reference.lines.filter(line => !hidden.has(line))
    return lines.length === 0 ? [] : [{ ...reference, lines }]
  })

interface Referring {
  readonly retargeted: ReadonlyArray<Reference>
  readonly reported: ReadonlyArray<Reference>
}

const isReferring = (body: unknown): body is Referring =>
  typeof body === 'object' && body !== null && 'retargeted' in body && 'reported' in body

interface Placed {
  readonly file: string
  readonly line: number
  readonly staged: boolean
}

const isPlaced = (body: unknown): body is Placed =>
  typeof body === 'object' && body !== null && 'file' in body && 'line' in body && 'staged' in body

/** A body without the line of a session in a file of which the caller may read no line. */
const hideLine = <A>({ files }: Snapshot, caller: ReferenceReader, body: A): A => {
  const file = isPlaced(body) ? files.get(body.file) : undefined
  return file === undefined || !isEveryLine(unreadableLines(caller, file), file.text)
    ? body
    : { ...body, line: null }
}

/** Whether the caller may read the entries of the Postać of a write: of every one, or of their own. */
const mayReadEntries = (snapshot: Snapshot, caller: ReferenceReader): boolean =>
  ownScopeAt(snapshot, caller) !== null || gradeOf(caller.holds, 'player.read') === 'full'

/** A body without the entries of a Postać; only answers about its entries have `items` of a `file`. */
const hideItems = <A>(body: A): A =>
  typeof body === 'object' && body !== null && 'items' in body && 'file' in body
    ? { ...body, count: 0, items: [] }
    : body

const hideEntries = (refusal: Refusal): Refusal =>
  refusal._tag !== 'MatchStale'
    ? refusal
    : refuse(
        'MatchStale',
        'No entry has the text of `match`. Callers who may read players see the entries in `current`.',
        {
          current: [],
        },
      )
