import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { Reference } from '#protocol/entities/write.js'
import { type Refusal, refuse } from '#protocol/refusal.js'
import type { Caller } from '#src/domain/callers/caller.js'
import { gradeOf } from '#src/domain/identity/rights/grade.js'
import type { ChangeSet } from '#src/domain/lore/edits/change-set.js'
import { type FileRole, roleOf } from '#src/domain/lore/layout.js'
import { withheldLinesOf } from '#src/domain/people/characters/visible-document.js'
import { ownScopeAt } from '#src/snapshot/own-scope-at.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { seesNames } from '../people/own-names.js'

type ReferenceReader = Pick<Caller, 'holds' | 'view' | 'grade' | 'gracz'>

/** Files of blocks and people; every other file belongs to sessions. */
const blockRoles: ReadonlySet<FileRole> = new Set(['index', 'contributors', 'character'])

const mayRead = (caller: ReferenceReader, path: string): boolean =>
  blockRoles.has(roleOf(path)) ? seesNames(caller) : caller.view.sessions

/**
 * Keeps only references to lines that the caller may read: a line of a restricted topic would confirm a guess
 * about it.
 */
const filterReferences = (
  { files }: Snapshot,
  caller: ReferenceReader,
  references: ReadonlyArray<Reference>,
): ReadonlyArray<Reference> =>
  references.flatMap(reference => {
    if (!mayRead(caller, reference.file)) return []
    const text = files.get(reference.file)?.text ?? ''
    const withheld = withheldLinesOf(text, caller.view.mayReadRestricted)
    const lines = reference.lines.filter(line => !withheld.has(line))
    return lines.length === 0 ? [] : [{ ...reference, lines }]
  })

interface Referring {
  readonly retargeted: ReadonlyArray<Reference>
  readonly reported: ReadonlyArray<Reference>
}

const isReferring = (body: unknown): body is Referring =>
  typeof body === 'object' && body !== null && 'retargeted' in body && 'reported' in body

/**
 * Hides the entries of a Postać from a caller who may not read players, unless the Postać is the caller's
 * own.
 */
const hideEntries = (snapshot: Snapshot, refusal: Refusal, caller: ReferenceReader): Refusal =>
  refusal._tag !== 'MatchStale' ||
  ownScopeAt(snapshot, caller) !== null ||
  gradeOf(caller.holds, 'player.read') === 'full'
    ? refusal
    : refuse(
        'MatchStale',
        'No entry has the text of `match`. Callers who may read players see the entries in `current`.',
        {
          current: [],
        },
      )

/**
 * The result of a plan for a caller: only with references to lines, and entries of a Postać, that the caller
 * may read.
 */
export const showReferences = (
  planned: Either<Refusal, ChangeSet<unknown>>,
  snapshot: Snapshot,
  caller: ReferenceReader,
): Either<Refusal, ChangeSet<unknown>> => {
  if (isLeft(planned)) return left(hideEntries(snapshot, planned.left, caller))
  const showBody = <A>(body: A): A =>
    isReferring(body)
      ? {
          ...body,
          retargeted: filterReferences(snapshot, caller, body.retargeted),
          reported: filterReferences(snapshot, caller, body.reported),
        }
      : body
  const { answer, preview } = planned.right
  return right({ ...planned.right, answer: showBody(answer), preview: showBody(preview) })
}
