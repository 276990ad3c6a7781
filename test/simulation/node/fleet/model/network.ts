import type { ForgeCall, ForgeOutcome } from '#protocol/host/forge.js'
import { statusCardOf } from '#src/http/handlers/fleet.js'
import type { HostPorts } from '#src/node/fleet/host-clocks.js'
import type { ForgePort } from '#src/ports/fleet.js'
import type { FleetMember } from '../fleet-host.js'
import type { SimFleet } from '../fleet-world.js'
import { forgePlace } from './links.js'

const waitMs = ({ clock }: FleetMember, ms: number): Promise<void> =>
  new Promise(resolve => {
    clock.after(ms, resolve)
  })

const lost = { _tag: 'Failed', kind: 'fleet-status', why: 'timeout' } as const
const refused = { _tag: 'Failed', kind: 'fleet-status', why: 'refused' } as const

/** How a host reaches the other towns: a card is read where both directions are open at that moment. */
export const probeThrough =
  (world: SimFleet, host: FleetMember): HostPorts['probe'] =>
  async ({ town, timeoutMs }) => {
    const { links, weather, hosts, faults, checks } = world
    const ended = (isAnswered: boolean): void => checks.fleet.takeovers.probed(host, town, isAnswered)
    links.began()
    if (faults.hasNoNames(host.name)) return { _tag: 'NotSent' }
    const untilMs = host.clock.monotonicMs() + timeoutMs
    const waitOut = (): Promise<void> => waitMs(host, Math.max(0, untilMs - host.clock.monotonicMs()))
    await waitMs(host, weather.between(5, 80))
    const peer = hosts.find(({ name }) => name === town)
    const isHeard = peer !== undefined && links.canPass(host.name, town)
    // A stopped host accepts the request, and reads it when it runs again.
    if (isHeard && peer.clock.isStopped()) await Promise.race([waitMs(peer, 0), waitOut()])
    // A host that runs again at the very end of the wait answers too late.
    if (isHeard && (peer.clock.isStopped() || host.clock.monotonicMs() >= untilMs)) {
      ended(false)
      return lost
    }
    if (isHeard && peer.running === null) {
      ended(false)
      const card = faults.cardInCache(town)
      if (card !== undefined && links.canPass(town, host.name))
        return { _tag: 'Answered', kind: 'fleet-status', card }
      return refused
    }
    if (isHeard && peer.running !== null && links.canPass(town, host.name)) {
      const card = statusCardOf(peer.running.card, null, peer.clock.nowMs())
      checks.fleet.roles.shown(peer, peer.running, card)
      ended(true)
      const shown = faults.isLiar(town) ? { ...card, role: 'primary' as const } : card
      return { _tag: 'Answered', kind: 'fleet-status', card: shown }
    }
    await waitOut()
    ended(false)
    return lost
  }

const statusOf = (outcome: ForgeOutcome): number | null => {
  if (outcome._tag === 'NoAnswer') return null
  return 'status' in outcome ? outcome.status : 200
}

/** How a host calls the forge: the call may not arrive, be refused, or be performed without an answer. */
export const forgeThrough =
  (world: SimFleet, host: FleetMember): ForgePort =>
  async (call: ForgeCall, timeoutMs) => {
    const { links, weather, faults, forge: project, trace } = world
    links.began()
    await waitMs(host, weather.between(20, 400))
    // `Date` has whole seconds.
    const dateMs = Math.floor(world.clock.nowMs() / 1_000) * 1_000
    const answer = (outcome: ForgeOutcome) => ({ outcome, status: statusOf(outcome), dateMs })
    const silence = async () => {
      await waitMs(host, timeoutMs)
      return { outcome: { _tag: 'NoAnswer', failure: 'timeout' }, status: null, dateMs: null } as const
    }
    if (faults.hasNoNames(host.name))
      return { outcome: { _tag: 'NoAnswer', failure: 'not_sent' }, status: null, dateMs: null }
    if (!links.canPass(host.name, forgePlace)) return silence()
    const trouble = faults.forgeTrouble()
    if (trouble !== null) return answer(trouble)
    world.checks.fleet.takeovers.calls(host, call)
    const outcome = project.perform(host.name, call)
    trace.say(`${host.name} forge ${call._tag} ${outcome._tag}`)
    if (outcome._tag === 'Conflict' && call._tag === 'OpenRequest')
      trace.mark('a second request of a branch was refused')
    if (outcome._tag === 'NotMergeable') trace.mark('the forge still checked a request')
    if (!links.canPass(forgePlace, host.name) || faults.losesAnswers()) {
      if (call._tag !== 'ListRequests' && call._tag !== 'ReadRequest')
        trace.mark('the forge performed a call and its answer was lost')
      return silence()
    }
    return answer(outcome)
  }
