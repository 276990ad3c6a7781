import { isLeft } from 'fp-ts/lib/Either.js'
import type {
  BudgetAsked,
  RosterFetched,
  RosterKeeperMessage,
  RosterKeeperPorts,
  RosterKeeperSetup,
} from '#actors/roster-keeper.js'
import type { Config } from '#protocol/host/config.js'
import { fetchText } from '#src/adapters/outbound/fetch-text.js'
import { sqliteCode } from '#src/adapters/runtime/sqlite.js'
import { readRosterInSlices } from '#src/domain/people/players.js'
import type { PlayersDeps } from '#src/http/handlers/people.js'
import { ask, type Ref, tell } from '#src/kernel/actor/ref.js'
import { realClock } from '#src/kernel/time/clock.js'
import { runDaemonWork } from '#src/kernel/work-scheduler.js'
import type { NodeParts } from '#src/node/tree/node.js'
import type { AskRoster, OnlineAnswer } from '#src/ports/identity.js'

/** What the front needs to find players of the game. */
export const playersDeps = ({ config, metrics, tree }: NodeParts): PlayersDeps => ({
  players: {
    askRoster: config['integrations.game.roster_url'] === '' ? null : askThrough(tree.doors.roster),
    resolved: result => metrics.meter.count('svc_players_resolves_total', { result }),
  },
})

export const rosterKeeperSetup = (config: Config): RosterKeeperSetup => ({
  missTtlMs: config['integrations.game.resolve_miss_ttl_s'] * 1_000,
})

/** The ports of the roster keeper on this host. A full mailbox loses an outcome; the fetch is then overdue. */
export const rosterKeeperPorts = ({
  checkout,
  config,
  log,
  metrics,
  tree,
}: NodeParts): RosterKeeperPorts => ({
  takeFetch: person =>
    unlessRefused(() =>
      checkout.runtime.rosterFetches.take(
        config['integrations.game.resolve_fetches_per_hour'],
        realClock.nowMs(),
        person,
      ),
    ),
  giveBack: fetch => void unlessRefused(() => checkout.runtime.rosterFetches.giveBack(fetch)),
  launch: (flight, signal) =>
    void fetchRoster(config['integrations.game.roster_url'], signal).then(outcome =>
      tell(tree.doors.roster, { _tag: 'Fetched', flight, outcome }),
    ),
  fetched: told => {
    metrics.meter.count('svc_players_roster_fetches_total', { result: told.result })
    if (told.result === 'ok') log.info('roster_fetched', { rows: told.rows })
    else log.warn('roster_fetch_failed', { result: told.result })
  },
})

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

/** A roster of 512 KiB lists some 8,000 players; parsing it takes some 5 ms. */
const limits = { timeoutMs: 5_000, bytesMax: 512 * 1024 }

const fetchRoster = async (url: string, signal: AbortSignal): Promise<RosterFetched['outcome']> => {
  const fetched = await fetchText(url, limits, signal)
  if (isLeft(fetched)) return { _tag: 'Failed', why: fetched.left }
  const players = await runDaemonWork(readRosterInSlices(fetched.right))
  return players === null ? { _tag: 'Failed', why: 'malformed' } : { _tag: 'Read', players }
}

/** Runs a change of the budget. Where the disk refuses it, returns the code of that. */
const unlessRefused = <A>(change: () => A): A | Extract<BudgetAsked['outcome'], { _tag: 'DiskRefused' }> => {
  try {
    return change()
  } catch (error) {
    const code = sqliteCode(error)
    if (code === null) throw error
    return { _tag: 'DiskRefused', code }
  }
}
