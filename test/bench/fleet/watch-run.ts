import { setTimeout as wait } from 'node:timers/promises'
import type { Town } from '#src/domain/fleet/topology.js'
import { openKernel } from '#src/kernel/kernel.js'
import { realHost } from '#src/node/fleet/host-clocks.js'
import { nodePeers } from '#src/node/fleet/peers.js'
import { silentFleet } from './silent-fleet.js'

/**
 * The watchers of a node in a process of their own: `watch-run.ts PORT TOWNS INTERVAL_S SECONDS WARM_UP_S`. Sends the share of a
 * processor that the probes took after a warm-up, and by how much the resident memory grew at its highest.
 */

const [port, towns = 0, intervalS = 0, seconds = 0, warmUpS = 0] = process.argv.slice(2).map(Number)
const samplesPerSecond = 4
const warmUpIntervalS = 0.25
const bytesPerMiB = 1_048_576

const rssMiB = (): number => process.memoryUsage.rss() / bytesPerMiB

const townOf = (_: unknown, at: number): [string, Town] => {
  const name = `town-${at}`
  return [name, { name, url: `http://127.0.0.1:${port}/${name}`, isEligible: true, isSteppingDown: false }]
}

/** Watches all towns at an interval while `work` runs; returns how many of them were observed. */
const watchDuring = async (everyS: number, work: () => Promise<void>): Promise<number> => {
  const kernel = openKernel()
  const peers = nodePeers({
    ...silentFleet(kernel),
    host: realHost,
    config: { 'fleet.watch_interval_min': everyS / 60 },
  })
  const tree = kernel.run(
    {
      id: 'host',
      strategy: 'one_for_one',
      restartsMax: 1,
      windowMs: 1_000,
      children: [{ id: 'peers', restart: 'permanent', drainMs: 1_000 }],
    },
    { peers: peers.child },
    () => process.exit(1),
  )
  await tree.ready
  peers.watchTowns(new Map(Array.from({ length: towns }, townOf)))
  await work()
  const { size } = peers.table.records()
  tree.close()
  return size
}

const baseMiB = rssMiB()
// Compiles the code, as in a host that has run for some minutes; the garbage of it would be taken for memory.
if (warmUpS > 0) await watchDuring(warmUpIntervalS, () => wait(warmUpS * 1_000))
const shares: Array<number> = []
let highestMiB = rssMiB()
const observed = await watchDuring(intervalS, async () => {
  await wait(2 * intervalS * 1_000)
  for (let round = 0; round < seconds / intervalS; round += 1) {
    const [before, startedMs] = [process.cpuUsage(), performance.now()]
    for (let sample = 0; sample < intervalS * samplesPerSecond; sample += 1) {
      await wait(1_000 / samplesPerSecond)
      highestMiB = Math.max(highestMiB, rssMiB())
    }
    const { user, system } = process.cpuUsage(before)
    shares.push((user + system) / 1_000 / (performance.now() - startedMs))
  }
})
process.send?.({ shares, grownMiB: highestMiB - baseMiB, observed })
process.disconnect()
