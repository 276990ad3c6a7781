import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { RegisterAnswer } from '#protocol/chat/workflows.js'
import { bodyInvalid, type RefusalOf } from '#protocol/refusal.js'
import { announceBinding, registrationSentence } from '#src/domain/identity/announcements.js'
import { isAboveFloor } from '#src/domain/identity/callers.js'
import { findByGameId, refuseReserved } from '#src/domain/identity/player-refusals.js'
import type { ChangeSet } from '#src/domain/lore/changes.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { accountName, bindingAnswerOf, bindingWrite } from './binding-write.js'

type RegisterRefusal = RefusalOf<
  'no_gracz_for_game_id' | 'ambiguous_game_id' | 'StoreUnreadable' | 'registration_reserved'
>

/** The account to bind, and the id that it will speak for. */
export interface Registration {
  readonly chatId: string
  readonly gameId: string
}

const refuseMissing = (field: string): RefusalOf<'BodyInvalid'> =>
  bodyInvalid(`\`${field}\` must be a text.`, { path: `$.${field}`, expected: 'a text' })

/** The registration in a body; the refusal names the first missing field. */
export const registrationOf = ({
  chatId,
  gameId,
}: Partial<Registration>): Either<RefusalOf<'BodyInvalid'>, Registration> => {
  if (chatId === undefined) return left(refuseMissing('chatId'))
  return gameId === undefined ? left(refuseMissing('gameId')) : right({ chatId, gameId })
}

/**
 * Binds the caller's account to an id that gives no more than the bundle `gracz` (A 4.4.2). Nothing proves
 * that the id is theirs; the announcement is the control. An existing binding is reported whatever the id
 * gives by now.
 */
export const registerAccount = (
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
