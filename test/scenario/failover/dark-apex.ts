import { ok } from 'node:assert/strict'
import type { ScenarioHost } from '#test/scenario/world/host.js'
import { afterSweeps, type FleetWorld, type TownName } from '#test/scenario/world/world.js'
import { eventually } from '#test/support/daemon.js'
import { announceFlip, awaitEnds, claimRequests, claimWrites, readApex } from './steps.js'

/** The failed probes of the apex that the request shows, as the host that asked had counted them. */
const missesIn = (description: string, apex: TownName): number => {
  const [, misses] = new RegExp(`- ${apex}: unreachable, (\\d+) failed probes`).exec(description) ?? []
  if (misses === undefined) throw new Error(`the request has no misses of ${apex}: ${description}`)
  return Number(misses)
}

const countLines = (host: ScenarioHost, event: string): number =>
  host.log().split(`"event":"${event}"`).length - 1

/**
 * Sweeps that a host may pass because it was paused, or could not look at the forge: what a busy machine does to it.
 */
const sweepsLost = (host: ScenarioHost): number =>
  3 * countLines(host, 'host_paused') + countLines(host, 'failover_unseen')

/**
 * Waits until one of these hosts has taken over from an apex that they do not see, and claims that it asked in time and
 * that there is one request. Returns the new apex, which has taken a write.
 */
export const awaitFailover = async (
  world: FleetWorld,
  others: ReadonlyArray<ScenarioHost>,
  apex: TownName,
): Promise<TownName> => {
  const { forge, story, hosts } = world
  const [request] = await eventually(forge.requests, requests => requests.length > 0)
  const asked = /Requested on (\S+) by daemon/.exec(request?.description ?? '')?.[1]
  const asker = others.find(({ town }) => town === asked)
  await story.claim(
    `${asked ?? 'no host'} asked by itself, before a further sweep found ${apex} dark`,
    () => {
      ok(asker !== undefined, request?.description)
      const misses = missesIn(request?.description ?? '', apex)
      story.tell(asker.town, `had ${misses} failed probes of ${apex} when it asked`)
      // The second candidate asks one sweep after the first.
      ok(misses >= afterSweeps && misses <= afterSweeps + 1 + sweepsLost(asker), `${misses} failed probes`)
    },
  )
  if (asker === undefined) throw new Error('no host asked')
  await story.claim(`the takeover of ${asker.town} is done`, async () => {
    ok((await awaitEnds(world, asker, 1)).includes('done'))
  })
  const next = readApex(world)
  await announceFlip(others, next)
  await claimRequests(world, ['merged'])
  await story.claim(`${next} is not ${apex}`, () => ok(next !== apex))
  await claimWrites(world, hosts[next], 3)
  return next
}
