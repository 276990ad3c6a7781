import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { AccountLink, AccountLinkAnswer } from '#protocol/link.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import { beyondReach, findByGameId } from '#src/domain/identity/player-refusals.js'
import type { ChangeSet } from '#src/domain/lore/changes.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { bindingAnswerOf, bindingWrite } from './binding-write.js'

/** The person who makes the link: their capabilities and their name in the contributor store. */
export interface Linker {
  readonly holds: ReadonlySet<string>
  readonly name: string
}

type LinkRefusal = RefusalOf<'no_gracz_for_game_id' | 'ambiguous_game_id' | 'Forbidden' | 'StoreUnreadable'>

/**
 * `POST /auth/link` (A 4.3, D42): binds an account to an id that has no more capabilities than the linker.
 */
export const linkAccount = (
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
