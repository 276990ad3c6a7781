import { signInRig } from '#test/support/identity/game-sign-in-rig.js'
import { seeEnvelopes } from './game-envelope-table.js'

seeEnvelopes(signInRig)
