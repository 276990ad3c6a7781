import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { instantOf } from '#protocol/atoms.js'
import type { RegisterAnswer, workflowRoutes } from '#protocol/chat/workflows.js'
import type { rightsRoutes } from '#protocol/identity/identity.js'
import type { AccountLink, AccountLinkAnswer } from '#protocol/identity/link.js'
import type { ApiKeyAnswer, apiKeyRoutes, linkRoutes } from '#protocol/identity/sign-in.js'
import { bodyInvalid, type RefusalOf, refuse } from '#protocol/refusal.js'
import { type Caller, callerName } from '#src/domain/callers/caller.js'
import { announceBinding, registrationSentence } from '#src/domain/identity/announcements.js'
import { hasEveryRightOf, identitiesOf, isAboveFloor, type Known } from '#src/domain/identity/callers.js'
import { resolveCapabilities } from '#src/domain/identity/grade.js'
import { beyondReach, findByGameId, refuseReserved } from '#src/domain/identity/player-refusals.js'
import { reachesId } from '#src/domain/identity/readable.js'
import { unknownWorth } from '#src/domain/identity/roles.js'
import { parseBlocks } from '#src/domain/lore/blocks.js'
import type { ChangeSet } from '#src/domain/lore/changes.js'
import { type FileEdit, keepHidden } from '#src/domain/lore/file-edit.js'
import { linesOf } from '#src/domain/lore/lines.js'
import { activeOn } from '#src/domain/lore/rows/days.js'
import { rowSplices } from '#src/domain/lore/rows/row-splices.js'
import { ownBlock } from '#src/domain/people/contributor-store.js'
import type { Person } from '#src/domain/people/roster.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { decodePrepared, type Planners } from '../command.js'
import { accountName, assignAccount, bindingAnswerOf, bindingWrite, grantPlan, revokePlan } from './grants.js'

/** Planners of the writes of accounts, grants, bindings and api keys (A 4.3, A 4.4). */
export const identityPlanners: Planners<IdentityRoutes> = {
  'auth.link': (snapshot, { body, caller, nowMs }) =>
    linkAccount(snapshot, { holds: caller.holds, name: callerName(caller) }, body, nowMs),
  'capabilities.grant': (snapshot, { body, caller, nowMs }) =>
    grantPlan(body, { by: callerName(caller), holds: caller.holds })(snapshot, nowMs),
  'capabilities.revoke': (snapshot, { body }) => revokePlan(body)(snapshot),
  'apiKeys.issue': (snapshot, { body: { gameId }, caller, prepared }) => {
    const key = decodePrepared(PreparedKey, prepared)
    return issuePlan(gameId, key?.hash ?? noHash, caller, answerOf(gameId, key))(snapshot)
  },
  'workflows.registerByChat': (snapshot, { body, nowMs }) => {
    const registration = registrationOf(body)
    return isLeft(registration) ? registration : registerAccount(snapshot, registration.right, nowMs)
  },
  'workflows.assignByChat': (snapshot, { body, nowMs, prepared }) => {
    const { chatId, roles: held = [] } = body
    const guild = decodePrepared(PreparedRoles, prepared)
    return assignAccount(snapshot, { chatId, held, guild }, body, nowMs)
  },
}

/** The registration in a body; the refusal names the first missing field. */
export const registrationOf = ({
  chatId,
  gameId,
}: Partial<Registration>): Either<RefusalOf<'BodyInvalid'>, Registration> => {
  if (chatId === undefined) return left(refuseMissing('chatId'))
  return gameId === undefined ? left(refuseMissing('gameId')) : right({ chatId, gameId })
}

/** The hash that a dry run shows; no key has it. */
export const noHash = '0'.repeat(64)

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

/** A key that was made before its hash is committed; null in a dry run, which makes none. */
const PreparedKey = t.union([t.null, t.type({ hash: t.string, code: t.string, expiresMs: t.number })])

/** The roles of the guild when the command was made. */
const PreparedRoles = t.readonlyArray(t.type({ id: t.string, name: t.string }))

const answerOf =
  (gameId: string, key: t.TypeOf<typeof PreparedKey>) =>
  (issued: Issued): ApiKeyAnswer =>
    key === null
      ? { wouldIssue: gameId, ...issued, diff: '' }
      : { issued: gameId, ...issued, claim: key.code, expires: instantOf(key.expiresMs) }

type IdentityRoutes = typeof linkRoutes & typeof rightsRoutes & typeof apiKeyRoutes & typeof workflowRoutes

/** The person who makes the link: their capabilities and their name in the contributor store. */
interface Linker {
  readonly holds: ReadonlySet<string>
  readonly name: string
}

type LinkRefusal = RefusalOf<'no_gracz_for_game_id' | 'ambiguous_game_id' | 'Forbidden' | 'StoreUnreadable'>

/**
 * `POST /auth/link` (A 4.3, D42): binds an account to an id that has no more capabilities than the linker.
 */
const linkAccount = (
  snapshot: Snapshot,
  linker: Linker,
  { chatId, gameId }: AccountLink,
  nowMs: number,
): Either<LinkRefusal, ChangeSet<AccountLinkAnswer>> => {
  const known = findByGameId(snapshot, gameId)
  if (isLeft(known)) return known
  const write = bindingWrite(snapshot, { chatId, gameId, by: linker.name }, nowMs)
  if (isLeft(write)) return write
  const { bound, change } = write.right
  const required = beyondReach(snapshot, linker.holds, [gameId, bound.replaces])
  if (required !== null) {
    const detail = `The game id has the capability ${required}, which you lack, so you cannot link it.`
    return left(refuse('Forbidden', detail, { required }))
  }
  const status = bound.alreadyLinked ? 'already_linked' : 'linked'
  const said = { status, ...bindingAnswerOf(bound, known.right.identity.name) } as const
  return right({ ...change, answer: said, preview: { wouldLink: gameId, ...said } })
}

type RegisterRefusal = RefusalOf<
  'no_gracz_for_game_id' | 'ambiguous_game_id' | 'StoreUnreadable' | 'registration_reserved'
>

/** The account to bind, and the id that it will speak for. */
interface Registration {
  readonly chatId: string
  readonly gameId: string
}

const refuseMissing = (field: string): RefusalOf<'BodyInvalid'> =>
  bodyInvalid(`\`${field}\` must be a text.`, { path: `$.${field}`, expected: 'a text' })

/**
 * Binds the caller's account to an id that gives no more than the bundle `gracz` (A 4.4.2). Nothing proves
 * that the id is theirs; the announcement is the control. An existing binding is reported whatever the id
 * gives by now.
 */
const registerAccount = (
  snapshot: Snapshot,
  { chatId, gameId }: Registration,
  nowMs: number,
): Either<RegisterRefusal, ChangeSet<RegisterAnswer>> => {
  const known = findByGameId(snapshot, gameId)
  if (isLeft(known)) return known
  const write = bindingWrite(snapshot, { chatId, gameId, by: accountName(chatId) }, nowMs)
  if (isLeft(write)) return write
  const { bound, change } = write.right
  if (!bound.alreadyLinked && isAboveFloor(known.right.holds, snapshot.roles))
    return left(refuseReserved(gameId))
  const said = bindingAnswerOf(bound, known.right.identity.name)
  const { displaces, replaces, gracz } = said
  const answer = {
    status: bound.alreadyLinked ? 'already_linked' : 'registered',
    ...said,
    announcement: registrationSentence(announceBinding(snapshot, bound, known.right)),
  } as const
  return right({
    ...change,
    answer,
    preview: { wouldRegister: gameId, ...answer },
    audit: [
      {
        action: 'identity.register',
        actor: accountName(chatId),
        fields: { target: chatId, gameId, gracz, displaces, replaces },
      },
    ],
  })
}

type IssueRefusal = RefusalOf<'Forbidden' | 'IdentityNotFound' | 'StoreUnreadable'>

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
interface Issued {
  readonly name: string
  readonly openKeys: number
}
