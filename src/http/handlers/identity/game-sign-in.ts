import { type Either, isLeft, left, map, right } from 'fp-ts/lib/Either.js'
import { httpStatusOf, type RefusalOf, refuse } from '#protocol/refusal.js'
import type { GameEnvelope, gameSignInRoutes, SignInAnswer } from '#protocol/sign-in.js'
import { type Doubt, resolveGameId } from '#src/domain/identity/callers.js'
import { checkEnvelope, type EnvelopeRefusal, verifyEnvelope } from '#src/domain/identity/game-envelope.js'
import type { Handlers } from '#src/http/routing/handler.js'
import type { AttemptResult, Minted } from '#src/ports/identity.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { challengeAnswer } from './challenge-answer.js'
import type { GameSignInDeps } from './identity-deps.js'
import { makeSignInAnswer } from './sign-in-answer.js'

type SignInRefusal =
  | EnvelopeRefusal
  | RefusalOf<
      | 'game_auth_disabled'
      | 'SigningKeyAway'
      | 'SigningKeyWeak'
      | 'SignatureInvalid'
      | 'ChallengeUnknown'
      | 'ambiguous_game_id'
      | 'no_gracz_at_sign_in'
      | 'DiskRefused'
    >

const gameSignInDisabled = refuse(
  'game_auth_disabled',
  'Set `integrations.game.signing_key_url` to allow game sign-in.',
)
const away = refuse('SigningKeyAway', "The game's sign-in key cannot be fetched now. Try again in a moment.")
const unknownChallenge = refuse(
  'ChallengeUnknown',
  'The token is not an outstanding challenge of this host. Get a new one from `POST /auth/game/challenge`.',
)

const doubtful = (doubt: Doubt): RefusalOf<'ambiguous_game_id' | 'no_gracz_at_sign_in'> => {
  switch (doubt._tag) {
    case 'Nobody':
      return refuse('no_gracz_at_sign_in', 'No Gracz block has this game id open today.')
    case 'Several':
      return refuse(
        'ambiguous_game_id',
        'Several Gracz blocks have this game id open today. Close it in all but one.',
        { matches: doubt.names },
      )
    case 'OneOfTwo':
      return refuse(
        'ambiguous_game_id',
        'The Gracz block with this game id has a second id open today. Close one of them.',
        { matches: doubt.names },
      )
  }
}

/**
 * Signs in with a payload that the game signed (A 4.3). Cheap checks come first. The challenge is used up
 * once the signature is verified, and before anything is minted (docs/spec/security.md#security-4-2).
 */
const signInByGame = async (
  { gameSignIn: { rules, key }, challenges, mintLogin }: GameSignInDeps,
  snapshot: Snapshot,
  body: GameEnvelope,
  nowMs: number,
): Promise<Either<SignInRefusal, SignInAnswer>> => {
  if (rules === null) return left(gameSignInDisabled)
  const opened = checkEnvelope(body, rules.skewS, nowMs)
  if (isLeft(opened)) return opened
  const { userId: gameId, token } = opened.right
  if (rules.requireChallenge && !challenges.isOutstanding('game', token, nowMs)) return left(unknownChallenge)
  const found = await key()
  if (isLeft(found)) return left(away)
  const verified = verifyEnvelope(found.right, rules.digest, opened.right)
  if (isLeft(verified)) return verified
  const burned = challenges.burn('game', token, nowMs)
  if (isLeft(burned)) return burned
  if (rules.requireChallenge && !burned.right) return left(unknownChallenge)
  const known = resolveGameId(snapshot, gameId)
  if (isLeft(known)) return left(doubtful(known.left))
  return map((minted: Minted) => makeSignInAnswer(known.right, minted))(
    await mintLogin({ gameId, chatId: null }, nowMs),
  )
}

const resultOf = (refusal: SignInRefusal): AttemptResult => {
  if (refusal._tag === 'no_gracz_at_sign_in' || refusal._tag === 'ambiguous_game_id') return 'unknown_id'
  return httpStatusOf(refusal) === 401 ? 'refused' : 'unavailable'
}

export const gameSignInHandlers: Handlers<typeof gameSignInRoutes, GameSignInDeps> = {
  'auth.game.signIn': async ({ node, snapshot, body, network, nowMs }) => {
    const answer = await signInByGame(node, snapshot, body, nowMs)
    if (isLeft(answer)) {
      node.attempted('game', resultOf(answer.left), answer.left._tag, network())
      return answer
    }
    node.attempted('game', 'accepted', null, network())
    return right({ body: answer.right })
  },
  'auth.gameChallenge.issue': ({ node, network, nowMs }) => {
    const minted = node.challenges.mint('game', network(), nowMs)
    return isLeft(minted) ? minted : right({ body: challengeAnswer(minted.right) })
  },
}
