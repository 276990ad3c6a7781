import { contractChatId } from '#test/support/contract-world.js'
import { nowMs } from '#test/support/front.js'
import { sampleCode } from '#test/support/identity/claims.js'
import { signedEnvelope } from '#test/support/identity/game-envelopes.js'
import { goodClaims, idToken } from '#test/support/identity/id-tokens.js'
import { standingToken } from '#test/support/identity/named-tokens.js'

const none = { path: {}, query: {} } as const

/** Samples of sign-in, identities, rights and tokens; `samples` checks that each row has one. */
export const identitySamples = {
  'identity.chatSignIn': {
    ...none,
    body: { id_token: idToken(goodClaims(nowMs, contractChatId)) },
    says: '"token":"sess_',
  },
  'identity.chatChallenge': { ...none, says: '"ttlSeconds":300' },
  'identity.chatConfig': { ...none, says: '"enabled":true' },

  'identity.whoami': { ...none, says: '"identity.read"' },
  'identity.one': { path: { id: '41001' }, query: {}, says: 'Brzoza' },
  'identity.gameSignIn': {
    ...none,
    body: signedEnvelope({ userId: '41001', token: 'kontrakt', ts: nowMs / 1000 }),
    says: '"token":"sess_',
  },
  'identity.gameChallenge': { ...none, says: '"ttlSeconds":300' },
  'identity.capabilities': { ...none, says: 'capability.read' },
  'capabilities.grant': {
    ...none,
    body: { gameId: '41002', capability: 'capability.admin' },
    says: '"changed":true',
  },
  'apiKeys.issue': { ...none, body: { gameId: '41001' }, says: '"issued":"41001"' },
  'apiKeys.claim': { path: { sha: sampleCode }, query: {}, says: '"gameId":"41001"' },
  'capabilities.revoke': {
    ...none,
    body: { gameId: '41002', capability: 'sync.run' },
    says: '"changed":false',
  },

  'tokens.mint': { ...none, body: { name: 'bot', capabilities: ['token.manage'] }, says: '"named_' },
  'tokens.list': { ...none, says: standingToken.id },
  'tokens.revoke': { path: { id: standingToken.id }, query: {}, says: '"revoked":true' },
} as const
