import { type Either, isLeft, left, map, right } from 'fp-ts/lib/Either.js'
import { instantOf } from '#protocol/atoms.js'
import {
  challengeTtlMs,
  type chatSignInRoutes,
  type GameEnvelope,
  type gameSignInRoutes,
  type LoginChallenge,
  type SignInAnswer,
} from '#protocol/identity/sign-in.js'
import { httpStatusOf, type RefusalOf, refuse } from '#protocol/refusal.js'
import { type Doubt, identitiesOf, type Known, resolveGameId } from '#src/domain/identity/callers.js'
import {
  checkEnvelope,
  type EnvelopeRefusal,
  verifyEnvelope,
} from '#src/domain/identity/credentials/game-envelope.js'
import type { IdToken } from '#src/domain/identity/credentials/id-token.js'
import { resolveCapabilities } from '#src/domain/identity/grade.js'
import { verifyIdToken } from '#src/http/credentials/authenticate.js'
import type { Answer, Handlers, Input } from '#src/http/routing/handler.js'
import type { AttemptResult, Challenge, IdentityPorts, Minted } from '#src/ports/identity.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'

export const chatSignInHandlers: Handlers<typeof chatSignInRoutes, IdentityPorts> = {
  'auth.chat.signIn': async input => {
    const answer = await signInByChat(input)
    const { attempted } = input.node
    if (isLeft(answer)) attempted('chat', results[answer.left._tag], answer.left.detail, input.network())
    else attempted('chat', 'accepted', null, input.network())
    return answer
  },
  'auth.chatChallenge.issue': ({ node, network, nowMs }) => {
    const minted = node.challenges.mint('chat', network(), nowMs)
    return isLeft(minted) ? minted : right({ body: challengeAnswer(minted.right) })
  },
  'auth.chatConfig.get': ({ node }) => {
    const { rules } = node.chatSignIn
    return right({ body: rules === null ? off : { enabled: true, ...rules, scope: 'openid' } })
  },
}

export const gameSignInHandlers: Handlers<typeof gameSignInRoutes, IdentityPorts> = {
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

/**
 * The answer of every sign-in (A 2.2, D42): who signed in, their capabilities, and the tokens, which are
 * shown only here.
 */
export const makeSignInAnswer = ({ identity, holds }: Known, minted: Minted): SignInAnswer => ({
  token: minted.token,
  identity,
  capabilities: resolveCapabilities(holds),
  expires: instantOf(minted.expiresMs),
  ...(minted.fleet === null
    ? {}
    : { fleetToken: minted.fleet.token, fleetTokenExpires: instantOf(minted.fleet.expiresMs) }),
})

type SignIn = (typeof chatSignInRoutes)['auth.chat.signIn']
type Tag = SignIn['refusals'][number]
type Signing = Input<SignIn, IdentityPorts>

const off = { enabled: false, clientId: null, issuer: null, scope: null } as const

const results: { readonly [K in Tag]: AttemptResult } = {
  chat_auth_disabled: 'unavailable',
  Unauthorized: 'refused',
  SigningKeyAway: 'unavailable',
  DiskRefused: 'unavailable',
  not_linked: 'not_linked',
  no_gracz_at_sign_in: 'unknown_id',
}

const chatSignInDisabled: RefusalOf<'chat_auth_disabled'> = refuse(
  'chat_auth_disabled',
  'Chat sign-in is off on this host; sign in with the game.',
)

/**
 * Uses up the challenge that is the nonce of the token (D42). Refuses a nonce that is not outstanding here.
 */
const burnNonce = (
  { nonce }: IdToken,
  { node, nowMs }: Signing,
): Either<RefusalOf<'Unauthorized' | 'DiskRefused'>, void> => {
  if (nonce === null) return right(undefined)
  const burn = node.challenges.burn('chat', nonce, nowMs)
  if (isLeft(burn)) return burn
  return burn.right
    ? right(undefined)
    : left(
        refuse(
          'Unauthorized',
          'The `nonce` is not an outstanding challenge of this host. Ask for a new one, and sign in again.',
        ),
      )
}

/**
 * A token without a nonce also opens only one session here: its text is remembered for as long as it would be
 * accepted.
 */
const isNew = (
  { nonce, refusedFromMs }: IdToken,
  { body, node, nowMs }: Signing,
): Either<RefusalOf<'Unauthorized' | 'DiskRefused'>, void> => {
  if (nonce !== null) return right(undefined)
  const first = node.isFirstShowing(body.id_token, refusedFromMs, nowMs)
  if (isLeft(first)) return first
  return first.right
    ? right(undefined)
    : left(refuse('Unauthorized', 'The id token was already used here. Ask the issuer for a new one.'))
}

/** The Gracz that the committed binding gives for a chat account. */
const findLinked = (
  chatId: string,
  { snapshot }: Signing,
): Either<RefusalOf<'not_linked' | 'no_gracz_at_sign_in'>, Known> => {
  const binding = snapshot.bindings.byChat.get(chatId)
  if (binding === undefined)
    return left(refuse('not_linked', 'The chat account is not linked to a game id. Register it first.'))
  const known = identitiesOf(snapshot).byGameId(binding.gameId)
  return known === null
    ? left(
        refuse(
          'no_gracz_at_sign_in',
          'The game id of the chat account does not belong to exactly one Gracz. Fix kontrybutorzy.md.',
        ),
      )
    : right(known)
}

const signInByChat = async (
  input: Signing,
): Promise<Either<RefusalOf<Tag>, Answer<ReturnType<typeof makeSignInAnswer>>>> => {
  const { body, node, nowMs } = input
  const { rules } = node.chatSignIn
  if (rules === null) return left(chatSignInDisabled)
  const token = await verifyIdToken(body.id_token, rules, node.chatSignIn, nowMs)
  if (isLeft(token)) return token
  const nonce = burnNonce(token.right, input)
  if (isLeft(nonce)) return nonce
  const chatId = token.right.subject
  const known = findLinked(chatId, input)
  if (isLeft(known)) return known
  const first = isNew(token.right, input)
  if (isLeft(first)) return first
  const minted = await node.mintLogin({ gameId: known.right.identity.gameId, chatId }, nowMs)
  return isLeft(minted) ? minted : right({ body: makeSignInAnswer(known.right, minted.right) })
}

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
  { gameSignIn: { rules, key }, challenges, mintLogin }: IdentityPorts,
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

/** The answer of both challenge rows (A 2.2). */
const challengeAnswer = ({ text, expiresMs }: Challenge): LoginChallenge => ({
  challenge: text,
  expires: instantOf(expiresMs),
  ttlSeconds: challengeTtlMs / 1000,
})
