import { isLeft } from 'fp-ts/lib/Either.js'
import type { RosterKeeperMessage } from '#actors/roster-keeper.js'
import type { PlayersDeps } from '#src/http/handlers/people.js'
import { ask, type Ref } from '#src/kernel/actor/ref.js'
import type { NodeParts } from '#src/node/tree/node-parts.js'
import type { AskRoster, OnlineAnswer } from '#src/ports/identity.js'

/** Longer than a fetch may take. */
const askDeadlineMs = 8_000

/** Asks the roster keeper. A keeper that is down, full or abandoned counts as a roster that is away. */
const askThrough =
  (keeper: Ref<RosterKeeperMessage>): AskRoster =>
  async (sought, person) => {
    const answer = await ask<RosterKeeperMessage, OnlineAnswer>(
      keeper,
      replyTo => ({ _tag: 'Ask', sought, person, replyTo }),
      askDeadlineMs,
    )
    return isLeft(answer) ? { _tag: 'Away' } : answer.right
  }

/** What the front needs to find players of the game. */
export const playersDeps = ({ config, metrics, tree }: NodeParts): PlayersDeps => ({
  players: {
    askRoster: config['integrations.game.roster_url'] === '' ? null : askThrough(tree.doors.roster),
    resolved: result => metrics.meter.count('svc_players_resolves_total', { result }),
  },
})
