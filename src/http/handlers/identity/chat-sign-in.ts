import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import type { chatSignInRoutes } from '#protocol/sign-in.js'
import { identitiesOf, type Known } from '#src/domain/identity/callers.js'
import type { IdToken } from '#src/domain/identity/id-token.js'
import { verifyIdToken } from '#src/http/credentials/id-token.js'
import type { Answer, Handlers, Input } from '#src/http/routing/handler.js'
import type { AttemptResult } from '#src/ports/identity.js'
import { challengeAnswer } from './challenge-answer.js'
import type { ChatSignInDeps } from './identity-deps.js'
import { makeSignInAnswer } from './sign-in-answer.js'

type SignIn = (typeof chatSignInRoutes)['auth.chat.signIn']
type Tag = SignIn['refusals'][number]
type Signing = Input<SignIn, ChatSignInDeps>

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

export const chatSignInHandlers: Handlers<typeof chatSignInRoutes, ChatSignInDeps> = {
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
