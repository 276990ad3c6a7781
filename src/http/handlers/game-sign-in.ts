import { isLeft, right } from 'fp-ts/lib/Either.js'
import type { gameSignInRoutes } from '#protocol/identity/game-sign-in-routes.js'
import type { Handlers } from '#src/http/handler.js'
import { challengeAnswer } from './challenge-answer.js'

export const gameSignIn: Handlers<typeof gameSignInRoutes> = {
  'identity.gameChallenge': ({ node, nowMs }) => {
    const minted = node.challenges.mint('game', nowMs)
    return isLeft(minted) ? minted : right({ body: challengeAnswer(minted.right) })
  },
}
