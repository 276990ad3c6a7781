import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { RegisterAnswer } from '#protocol/chat/workflows.js'
import { bodyInvalid, type RefusalOf } from '#protocol/refusal.js'
import { announcedOf } from '#src/domain/identity/links/announced.js'
import { registrationSentence } from '#src/domain/identity/links/announcement.js'
import { knownById } from '#src/domain/identity/links/known-by-id.js'
import { reserved } from '#src/domain/identity/links/player-refusals.js'
import { isAboveFloor } from '#src/domain/identity/rights/identities.js'
import type { ChangeSet } from '#src/domain/lore/edits/change-set.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { accountName, bindingWrite, saidOf } from './binding-write.js'

type RegisterRefusal = RefusalOf<
  'no_gracz_for_game_id' | 'ambiguous_game_id' | 'StoreUnreadable' | 'registration_reserved'
>

/** Which account is to speak for which id. */
export interface Registration {
  readonly chatId: string
  readonly gameId: string
}

const missing = (field: string): RefusalOf<'BodyInvalid'> =>
  bodyInvalid(`A text is wanted at ${field}.`, { path: `$.${field}`, expected: 'a text' })

/** The registration that a body asks for, or the first field that is missing. */
export const registrationOf = ({
  chatId,
  gameId,
}: Partial<Registration>): Either<RefusalOf<'BodyInvalid'>, Registration> => {
  if (chatId === undefined) return left(missing('chatId'))
  return gameId === undefined ? left(missing('gameId')) : right({ chatId, gameId })
}

/**
 * Binds the account of whoever asks to an id that gives no more than the bundle `gracz` (A 4.4.2). Nothing shows that
 * the id is theirs; what is announced is the control. A binding that stands is told so, whatever the id gives by now.
 */
export const registered = (
  snapshot: Snapshot,
  { chatId, gameId }: Registration,
  nowMs: number,
): Either<RegisterRefusal, ChangeSet<RegisterAnswer>> => {
  const known = knownById(snapshot, gameId)
  if (isLeft(known)) return known
  const write = bindingWrite(snapshot, { chatId, gameId, by: accountName(chatId) }, nowMs)
  if (isLeft(write)) return write
  const { bound, change } = write.right
  if (!bound.alreadyLinked && isAboveFloor(known.right.holds, snapshot.roles)) return left(reserved(gameId))
  const said = saidOf(bound, known.right.identity.name)
  const { displaces, replaces, gracz } = said
  const answer = {
    status: bound.alreadyLinked ? 'already_linked' : 'registered',
    ...said,
    announcement: registrationSentence(announcedOf(snapshot, bound, known.right)),
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
