import type { Chance } from '../chance.js'
import type { Change } from '../commit.js'
import { makeGivenName } from '../names/given-names.js'
import type { WorldCast } from './cast.js'

/** One in this many players had another nick before. */
const renamedEvery = 4

/** `.svc/players/ledger.jsonl`: the nicks of the players in the game, with the day from which each is known. */
export const playersLedger = (cast: WorldCast, chance: Chance): Change => {
  const lines = cast.players.flatMap(({ nick, gameId }, at) => {
    const charId = String(700_000 + at * 13)
    const year = chance.whole(2019, 2025)
    const row = { gameId, nick, charId, since: `${year}-0${chance.whole(1, 9)}-${chance.whole(10, 28)}` }
    const former = makeGivenName(chance, 'man', 2).forms.nom
    return at % renamedEvery === 0
      ? [{ ...row, nick: former, since: `${year - 1}-11-${chance.whole(10, 28)}` }, row]
      : [row]
  })
  return {
    path: '.svc/players/ledger.jsonl',
    text: lines.map(line => `${JSON.stringify(line)}\n`).join(''),
  }
}
