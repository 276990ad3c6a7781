import { deepEqual, equal } from 'node:assert/strict'
import { left, right } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import type { ForgeAnswer } from '#protocol/host/forge.js'
import { whyNoFailover } from '#src/domain/fleet/failover.js'
import { firstFleetState } from '#src/domain/fleet/fleet-state.js'
import { startTrack, trackProbe } from '#src/domain/fleet/peers.js'
import { decideTakeover } from '#src/domain/fleet/takeover-refusals.js'
import { requireCard } from '#test/support/fleet/peers.js'
import { topologyOf } from '#test/support/fleet/topologies.js'
import { realHost } from './host-clocks.js'
import { makePeerTable } from './peers.js'
import { failoverWork } from './takeover-work.js'
import { takeoverFactsOf } from './takeovers.js'
import { knownTowns } from './view.js'

const fence = { commit: 'c', blob: 'b' }
const silence: ForgeAnswer = {
  outcome: { _tag: 'NoAnswer', failure: 'timeout' },
  status: null,
  dateMs: null,
}
const noRequest: ForgeAnswer = { outcome: { _tag: 'Requests', requests: [] }, status: 200, dateMs: 0 }

/** Deyja in a fleet of two, whose apex Erathia has missed three probes. */
const rig = (answer: ForgeAnswer, showsCard: 'never' | 'frozen' = 'never') => {
  const table = makePeerTable(() => 0, 60_000)
  const miss = { _tag: 'Failed', kind: 'fleet-status', why: 'timeout' } as const
  const card = { _tag: 'Answered', kind: 'fleet-status', card: requireCard('Erathia') } as const
  const track = [card, miss, miss, miss].reduce(
    (seen, result) => trackProbe(seen, { result, atMs: 0, monotonicMs: 0, elapsedMs: 1 }),
    startTrack('Erathia'),
  )
  if (track.record !== null) table.set(track.record)
  const state = {
    ...firstFleetState('Deyja', null),
    topology: topologyOf('Erathia', [{ name: 'Erathia' }, { name: 'Deyja' }]),
    fence,
  }
  const config = {
    'server.sync_max_age_min': 60,
    'server.sync_branch': '',
    'fleet.auto_failover.enabled': true,
    'fleet.auto_failover.after_sweeps': 3,
  }
  const towns = knownTowns({
    host: { clock: realHost.clock, probe: () => Promise.resolve(showsCard === 'frozen' ? card : miss) },
    config,
    sync: { ageMs: () => 1_000 },
    fleet: { state: () => state },
    peers: { intervalMs: 1, table },
  })
  const cooldown = {
    current: () => null,
    ask: () => Promise.resolve('over' as const),
    refresh: () => Promise.resolve(),
    sawDate: () => undefined,
  }
  const takeovers = {
    towns,
    forge: { _tag: 'Forge', call: () => Promise.resolve(answer) } as const,
    cooldown,
  }
  const decide = () => {
    const facts = takeoverFactsOf({ ...takeovers, self: 'Deyja', config })
    return decideTakeover(facts, { reason: 'dark', target: null, isForced: false })
  }
  const work = failoverWork({
    self: 'Deyja',
    takeovers,
    store: { active: () => [], failuresOf: () => [] },
    config,
    request: () => {
      const decision = decide()
      return decision._tag === 'Refused'
        ? left(decision.refusal)
        : right({ target: decision.target, known: null, earlierFailure: null })
    },
    log: { info: () => undefined, warn: () => undefined },
  })
  const look = () =>
    work.forge({ _tag: 'ListRequests', sourceBranch: 'b' }, 1_000, new AbortController().signal)
  return { table, work, decide, look, towns }
}

describe('the failover of a host in a fleet of two', () => {
  it('asks where the remote answers, and where there is none', () => {
    for (const hasRemote of [true, false]) {
      const { table, work, decide } = rig(noRequest)
      if (hasRemote) table.noteReach('remote', true)
      equal(decide()._tag, 'Accepted')
      deepEqual([whyNoFailover(work.read()), work.ask()], [null, true])
    }
  })

  it('suspects no town while the remote fails too, until the forge answers', async () => {
    const { table, work, decide, look } = rig(noRequest)
    table.noteReach('remote', false)
    const decision = decide()
    equal(decision._tag === 'Refused' ? decision.refusal._tag : null, 'not_corroborated')
    equal(work.ask(), false)
    equal(whyNoFailover(work.read()), null, 'it looks at the forge')
    await look()
    deepEqual([decide()._tag, work.ask()], ['Accepted', true])
  })

  it('goes on suspecting none while neither the remote nor the forge answers', async () => {
    const { table, work, look } = rig(silence)
    table.noteReach('remote', false)
    await look()
    equal(work.ask(), false)
    table.noteReach('remote', true)
    equal(work.ask(), true)
  })

  it('takes a frozen card for silence in the last probe of a takeover', async () => {
    const { signal } = new AbortController()
    equal(await rig(noRequest, 'frozen').towns.probe('Erathia', signal), 'silent')
  })
})
