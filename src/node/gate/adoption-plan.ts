import type { AdoptPorts } from '#actors/write-gate/adopt.js'
import { instantOf } from '#protocol/atoms.js'
import type { Config } from '#protocol/config.js'
import { planAdoptionInSlices } from '#src/domain/adoption/plan.js'
import { civilDay } from '#src/domain/lore/days.js'
import { runDaemonWork } from '#src/kernel/work-scheduler.js'

/**
 * The pure plan with the host's time and the configured legacy labels; yields to the event loop while it
 * runs.
 */
export const adoptionPlan = (config: Config): AdoptPorts['plan'] => {
  const word = config['import.legacy.game']
  const labels = { game: word === '' ? null : word }
  return (files, nowMs, dryRun, past) =>
    runDaemonWork(
      planAdoptionInSlices(files, {
        now: instantOf(nowMs),
        today: civilDay(nowMs, config['server.time_zone']),
        dryRun,
        labels,
        past,
      }),
    )
}
