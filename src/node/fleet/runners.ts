import type { Config } from '#protocol/host/config.js'
import type { HostNode } from '#src/node/tree/node.js'
import type { WorkloadRunners } from '#src/ports/host.js'
import { nodeCloseReminder } from './close-reminder.js'
import { nodeMapCheckup } from './map-checkup.js'

/** The workloads that this build can run. `node` is called when a tick begins. */
export const nodeRunners = (config: Config, node: () => HostNode): WorkloadRunners =>
  new Map([
    ['close_reminder', nodeCloseReminder(config, node)],
    ['map_checkup', nodeMapCheckup(config, node)],
  ])
