import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import type { Caller } from '#src/domain/callers/caller.js'
import { hasEveryRightOf, identitiesOf, type Known } from '#src/domain/identity/callers.js'
import { resolveCapabilities } from '#src/domain/identity/grade.js'
import { reachesId } from '#src/domain/identity/readable.js'
import { unknownWorth } from '#src/domain/identity/roles.js'
import { parseBlocks } from '#src/domain/lore/blocks.js'
import type { ChangeSet } from '#src/domain/lore/changes.js'
import { activeOn } from '#src/domain/lore/days.js'
import { type FileEdit, keepHidden } from '#src/domain/lore/file-edit.js'
import { linesOf } from '#src/domain/lore/lines.js'
import { rowSplices } from '#src/domain/lore/row-splices.js'
import { ownBlock } from '#src/domain/people/contributor-store.js'
import type { Person } from '#src/domain/people/roster.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'

/** The hash that a dry run shows; no key has it. */
export const noHash = '0'.repeat(64)

export type IssueRefusal = RefusalOf<'Forbidden' | 'IdentityNotFound' | 'StoreUnreadable'>

const manage = 'apikey.manage'

/** The first capability that the person has and the caller lacks. */
const missingCapability = (caller: Caller, { holds }: Known): string => {
  const held = new Set(resolveCapabilities(caller.holds))
  return resolveCapabilities(holds).find(one => !held.has(one)) ?? manage
}

/**
 * The person for whom a caller may issue a key. Their resolved capabilities must be a subset of the caller's,
 * because the key gives its holder all of them; with `.own` it must be the caller (A 5). For another person's
 * id a caller without the full capability gets 403 before 404.
 */
const keyOwner = (snapshot: Snapshot, caller: Caller, gameId: string): Either<IssueRefusal, Known> => {
  if (!reachesId(caller, gameId))
    return left(
      refuse('Forbidden', `A key for another person needs the capability ${manage}.`, { required: manage }),
    )
  const owner = identitiesOf(snapshot).byGameId(gameId)
  if (owner === null)
    return left(
      refuse(
        'IdentityNotFound',
        `The game id ${gameId} does not belong to exactly one person today. GET /people lists the ids.`,
      ),
    )
  const unknown = unknownWorth(snapshot)
  if (unknown !== null)
    return left(
      refuse(
        'StoreUnreadable',
        `${unknown}, which says what the person may do, cannot be read. Fix it and commit the fix.`,
        {
          file: unknown,
        },
      ),
    )
  if (hasEveryRightOf(caller.holds, owner.holds)) return right(owner)
  const required = missingCapability(caller, owner)
  return left(
    refuse(
      'Forbidden',
      `The person has the capability ${required}, which you lack, so you cannot make a key for them.`,
      { required },
    ),
  )
}

/** Appends a `@klucz_api` row to the person's block, after their other keys (D38). */
const editKeyRow = ({ files }: Snapshot, person: Person, hash: string): FileEdit => {
  const file = files.get(person.file)
  const block = file === undefined ? null : parseBlocks(file).blocks.find(one => one.line === person.line)
  if (file === undefined || block === null || block === undefined)
    throw new Error(`${person.file}:${person.line} holds no block`)
  const added = { _tag: 'Add', tag: 'klucz_api', value: `sha256:${hash}`, range: '' } as const
  const lines = linesOf(file.text)
  return {
    _tag: 'Lines',
    path: file.path,
    before: file.blob,
    splices: keepHidden(lines, rowSplices(ownBlock(lines.lines, block), lines, [added])),
  }
}

const openKeys = ({ day }: Snapshot, person: Person): number =>
  person.rows.filter(row => row.tag === 'klucz_api' && activeOn(row.range, day)).length

/** What the rule knows about the issued key. The planner adds the claim code to it. */
export interface Issued {
  readonly name: string
  readonly openKeys: number
}

/**
 * Adds the hash of a new key to the block of its owner. Older keys stay until a commit ends them (ADR 1020).
 */
export const issuePlan =
  <A>(gameId: string, hash: string, caller: Caller, answer: (issued: Issued) => A) =>
  (snapshot: Snapshot): Either<IssueRefusal, ChangeSet<A>> => {
    const owner = keyOwner(snapshot, caller, gameId)
    if (isLeft(owner)) return owner
    const { person } = owner.right.contributor
    const issued = { name: person.name, openKeys: openKeys(snapshot, person) + 1 }
    return right({
      edits: [editKeyRow(snapshot, person, hash)],
      claims: [`entity:Gracz:${person.key}`],
      touches: [{ kind: 'identity', name: person.name }],
      subject: `api-keys: a key of ${person.name} (${gameId})`,
      answer: answer(issued),
      preview: { wouldIssue: gameId, ...issued },
    })
  }
