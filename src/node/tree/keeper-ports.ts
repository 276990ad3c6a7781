import type { KeeperPorts, KeeperSetup } from '#actors/corpus-keeper/corpus-keeper.js'
import type { Config } from '#protocol/config.js'
import { untilNextDayMs } from '#src/domain/lore/days.js'
import { tell } from '#src/kernel/actor/ref.js'
import { rightsLog } from '../identity/rights-log.js'
import { lookLog, publishGenerations, tellOfCommits } from '../records/look-log.js'
import type { PortSources } from './actor-row.js'

/** How often the keeper looks, and when its day ends. */
export const keeperSetup = (config: Config): KeeperSetup => {
  const zone = config['server.time_zone']
  return {
    intervalMs: config['server.selfheal_interval_ms'],
    untilNextDayMs: nowMs => untilNextDayMs(nowMs, zone),
  }
}

const once = (act: () => void): (() => void) => {
  let isDone = false
  return () => {
    if (!isDone) act()
    isDone = true
  }
}

/** The ports of the corpus keeper on this host. */
export const keeperPorts = (sources: PortSources): KeeperPorts => {
  const { blocks, held, lastLook, load, log, records, snapshot, tree } = sources
  const failures = lookLog(log)
  const published = publishGenerations(records.publish)
  const wrote = tellOfCommits([tree.doors.sync, tree.doors.cleaner])
  const rights = rightsLog(log, snapshot)
  const firstRead = once(() => void tell(tree.doors.dispatches, { _tag: 'LoreRead' }))
  return {
    load,
    cell: held,
    looked: outcome => {
      lastLook.set(outcome)
      failures(outcome)
      published(outcome)
      wrote(outcome)
      rights(outcome)
      if (snapshot() !== null) firstRead()
    },
    watch: blocks.watch,
  }
}
