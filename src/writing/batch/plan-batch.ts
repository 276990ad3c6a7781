import { type Either, isLeft, left } from 'fp-ts/lib/Either.js'
import type { RepoPath, Tree } from '#protocol/atoms.js'
import { interactionTrailer } from '#protocol/chat/dispatch.js'
import { type Refusal, refuse } from '#protocol/refusal.js'
import { type ChangeSet, treeOf } from '#src/domain/lore/changes.js'
import { applySplices, type FileEdit, hasOverlap, type Splice } from '#src/domain/lore/file-edit.js'
import { type FileRole, roleOf } from '#src/domain/lore/layout.js'
import { slugOf } from '#src/domain/sessions/session-answers.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { WriteActor, WriteOrigin } from '../command.js'
import { type BeforeWrite, leavesTooLarge, refuseChange } from './hooks.js'

/** A planned write with its place in the order of arrival. */
export interface Ready<C> {
  readonly at: number
  readonly command: C
  readonly set: ChangeSet<unknown>
}

/** Writes planned on one snapshot, each in exactly one of `ready`, `same`, `refused` and `deferred`. */
export interface PlannedBatch<C> {
  /** The tree of every write in `ready`: that of the first one. */
  readonly tree: Tree
  /** Writes to commit together, in this order. */
  readonly ready: ReadonlyArray<Ready<C>>
  /** Writes that change nothing; they are answered with the commit of the snapshot (D32). */
  readonly same: ReadonlyArray<Ready<C>>
  readonly refused: ReadonlyArray<{ readonly at: number; readonly refusal: Refusal }>
  /** Errors thrown by planners, for the log; their writes are among the refused ones. */
  readonly faults: ReadonlyArray<{ readonly route: string; readonly error: unknown }>
  /** Writes to plan again on the result of the others. */
  readonly deferred: ReadonlyArray<number>
  /** Those of `deferred` that are of another tree, so that no fault of this one concerns them. */
  readonly apart: ReadonlySet<number>
}

/**
 * Plans writes on one snapshot, in order of arrival. A write that claims the same thing as an earlier one, or
 * edits the same lines, is deferred; so is a write that conflicts with a deferred one, so that dependent
 * writes keep their order, and a write of another tree than the first one: a batch is of one tree. All writes
 * after one that changes rights are deferred, because their callers are admitted again on its result (S30,
 * ADR 1018).
 */
export const planBatch = <C extends { readonly route: string }>(
  snapshot: Snapshot,
  commands: ReadonlyArray<C>,
  plan: (command: C, at: number) => Plan,
  hooks: ReadonlyArray<BeforeWrite>,
): PlannedBatch<C> => {
  const ready: Array<Ready<C>> = []
  const same: Array<Ready<C>> = []
  const refused: Array<PlannedBatch<C>['refused'][number]> = []
  const deferred: Array<number> = []
  const apart = new Set<number>()
  const faults: Array<PlannedBatch<C>['faults'][number]> = []
  let rightsChange = false
  let tree: Tree | null = null
  const taken = nothingTaken(edit => leavesTooLarge(snapshot, edit))
  for (const [at, command] of commands.entries()) {
    if (rightsChange) {
      deferred.push(at)
      continue
    }
    const { route } = command
    const planned = planContained(
      () => plan(command, at),
      error => void faults.push({ route, error }),
    )
    if (isLeft(planned)) {
      refused.push({ at, refusal: planned.left })
      continue
    }
    const set = planned.right
    const isApart = tree !== null && treeOf(set) !== tree
    if (isApart) apart.add(at)
    if (isApart || taken.meets(set)) {
      taken.take(set)
      deferred.push(at)
      continue
    }
    const rejection = refuseChange(hooks, snapshot, set)
    if (rejection !== null) {
      refused.push({ at, refusal: rejection })
      continue
    }
    if (set.edits.length === 0) same.push({ at, command, set })
    else {
      taken.take(set)
      ready.push({ at, command, set })
      tree = treeOf(set)
      rightsChange = changesRights(set)
    }
  }
  return { tree: tree ?? 'lore', ready, same, refused, deferred, apart, faults }
}

/** Composes edits that do not conflict. `before` holds the bytes of every file with a `Lines` edit. */
export const makeComposition = (before: ReadonlyMap<RepoPath, Buffer>): Composition => {
  const splices = new Map<RepoPath, ReadonlyArray<Splice>>()
  const applyEdit = (edit: FileEdit): Buffer | null => {
    if (edit._tag === 'Whole') return edit.after === null ? null : Buffer.from(edit.after, 'utf8')
    const bytes = before.get(edit.path)
    if (bytes === undefined) throw new Error(`${edit.path}: its bytes were not read`)
    const all = [...(splices.get(edit.path) ?? []), ...edit.splices]
    splices.set(edit.path, all)
    return spliceBytes(bytes, all)
  }
  return { apply: edits => new Map(edits.map(edit => [edit.path, applyEdit(edit)])) }
}

/**
 * The git author of a commit: the person, or the daemon for a write of a machine. The domain of the address
 * does not exist.
 */
export const authorOf = ({ gracz }: WriteActor): { readonly name: string; readonly email: string } =>
  gracz === null
    ? { name: 'Kronika', email: 'kronika@kronika.invalid' }
    : { name: gracz, email: `${slugOf(gracz) || 'gracz'}@kronika.invalid` }

/**
 * The commit message of a write: what changed, then trailers with intent, actor, named token if any, route, and the
 * interaction whose effect it is.
 */
export const commitMessage = (
  subject: string,
  intent: string,
  { actor, route, interaction }: WriteOrigin & Pick<ChangeSet<unknown>, 'interaction'>,
  body = '',
): string =>
  [
    oneLine(subject) || 'write',
    '',
    ...(body === '' ? [] : [body, '']),
    `Svc-Intent: ${intent}`,
    `Svc-Actor: ${oneLine(actor.name)}`,
    ...(actor.token === undefined ? [] : [`Svc-Token: ${oneLine(`${actor.token.id} ${actor.token.name}`)}`]),
    `Svc-Route: ${oneLine(route)}`,
    ...(interaction === undefined ? [] : [`${interactionTrailer}: ${oneLine(interaction)}`]),
    '',
  ].join('\n')

type Plan = Either<Refusal, ChangeSet<unknown>>

/** Runs a planner. An error it throws fails only its own write, not the others of the batch. */
const planContained = (plan: () => Plan, fault: (error: unknown) => void): Plan => {
  try {
    return plan()
  } catch (error) {
    fault(error)
    return left(refuse('Internal', 'The write failed on a fault of the daemon. The log has the fault.'))
  }
}

/** Files that decide who may do what. */
const rightsRoles: ReadonlySet<FileRole> = new Set([
  'contributors',
  'roles',
  'grants',
  'bindings',
  'fleet-keys',
])

const changesRights = (set: ChangeSet<unknown>): boolean =>
  treeOf(set) === 'lore' && set.edits.some(({ path }) => rightsRoles.has(roleOf(path)))

const bom = Buffer.from([0xef, 0xbb, 0xbf])

const startsWithBom = (bytes: Buffer): boolean => bytes.subarray(0, bom.length).equals(bom)

/**
 * Applies splices to the bytes of a file. Bytes outside them are kept, a BOM and what is not UTF-8 too: every
 * character of latin1 is one byte, and ends of lines are the same there. Splices count lines of `bytes` from 1 and must
 * not overlap.
 */
const spliceBytes = (bytes: Buffer, splices: ReadonlyArray<Splice>): Buffer => {
  const [mark, body] = startsWithBom(bytes)
    ? [bytes.subarray(0, bom.length), bytes.subarray(bom.length)]
    : [Buffer.alloc(0), bytes]
  const coded = splices.map(splice => ({
    ...splice,
    lines: splice.lines.map(line => Buffer.from(line, 'utf8').toString('latin1')),
  }))
  return Buffer.concat([mark, Buffer.from(applySplices(body.toString('latin1'), coded), 'latin1')])
}

/** The state of the files while several writes that were all planned on the same bytes are applied. */
interface Composition {
  /**
   * Adds the edits of one write, and returns the files that they touch after all edits so far; null for a
   * removed file. Each call counts: splices that are given twice are applied twice. A `Whole` edit is not
   * remembered, so a later `Lines` edit of its file starts from `before`. Throws when the bytes of
   * a file with a `Lines` edit are missing.
   */
  readonly apply: (edits: ReadonlyArray<FileEdit>) => ReadonlyMap<RepoPath, Buffer | null>
}

/** Replaces control characters, which would end the line and could forge a trailer. */
const oneLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\u{2028}\u{2029}]/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim()

/**
 * The claims and edits of the earlier writes of a batch. The gate plans a later write that conflicts with
 * them again, on their result.
 */
interface TakenClaims {
  readonly meets: (set: ChangeSet<unknown>) => boolean
  readonly take: (set: ChangeSet<unknown>) => void
}

type Hold = { readonly _tag: 'Whole' } | { readonly _tag: 'Lines'; readonly splices: ReadonlyArray<Splice> }

type TooLarge = (edit: FileEdit) => boolean

const isInsertion = ({ from, to }: Splice): boolean => to < from

/**
 * Whether edits of two writes cannot be composed. Two insertions at one place cannot: a row at the end of a
 * block must come before a block that is added after it, whichever write came first.
 */
const meet = (one: Splice, other: Splice): boolean =>
  hasOverlap(one, other) || (one.from === other.from && isInsertion(one) && isInsertion(other))

const clash = (held: Hold | undefined, edit: FileEdit, isTooLarge: TooLarge): boolean => {
  if (held === undefined) return false
  if (held._tag === 'Whole' || edit._tag === 'Whole') return true
  if (edit.splices.some(one => held.splices.some(other => meet(one, other)))) return true
  return isTooLarge({ ...edit, splices: [...held.splices, ...edit.splices] })
}

const joinHolds = (held: Hold | undefined, edit: FileEdit): Hold =>
  edit._tag === 'Whole' || held?._tag === 'Whole'
    ? { _tag: 'Whole' }
    : { _tag: 'Lines', splices: [...(held?.splices ?? []), ...edit.splices] }

/**
 * An empty set of claims and edits. Two edits that only together make a file too large conflict, so that the
 * later one is judged on the file as the earlier one leaves it.
 */
const nothingTaken = (isTooLarge: TooLarge): TakenClaims => {
  const claims = new Set<string>()
  const files = new Map<string, Hold>()
  return {
    meets: set =>
      set.claims.some(claim => claims.has(claim)) ||
      set.edits.some(edit => clash(files.get(edit.path), edit, isTooLarge)),
    take: set => {
      for (const claim of set.claims) claims.add(claim)
      for (const edit of set.edits) files.set(edit.path, joinHolds(files.get(edit.path), edit))
    },
  }
}
