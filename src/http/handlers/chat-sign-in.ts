import { right } from 'fp-ts/lib/Either.js'
import type { chatSignInRoutes } from '#protocol/identity/chat-sign-in-routes.js'
import type { Handlers } from '#src/http/handler.js'

const off = { enabled: false, clientId: null, issuer: null, scope: null } as const

export const chatSignIn: Handlers<typeof chatSignInRoutes> = {
  'identity.chatConfig': ({ node }) => {
    const { rules } = node.chatSignIn
    return right({ body: rules === null ? off : { enabled: true, ...rules, scope: 'openid' } })
  },
}
