import { describe } from 'mocha'
import { seeChallenges } from '#test/security/game-challenge-table.js'
import { seeEnvelopes } from '#test/security/game-envelope-table.js'
import { startBuiltSignIn } from '#test/support/identity/built-sign-in.js'

describe('game sign-in at the built daemon', () => {
  seeEnvelopes(startBuiltSignIn)
  seeChallenges(startBuiltSignIn)
})
