import { isLeft } from 'fp-ts/lib/Either.js'
import { requirePath } from '#protocol/atoms.js'
import {
  listOwners,
  type ScheduleOwner,
  type Workload,
  workloadNames,
  workloads,
} from '#protocol/host/config.js'
import type { SchedulesAnswer } from '#protocol/identity/governance.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { Finding } from '#src/domain/lore/finding.js'
import {
  type ConfigFile,
  configIn,
  invalidKeyFinding,
  type ReadConfig,
  readConfig,
  valueAt,
} from './read-config.js'

export const configPath = requirePath('.svc/config.json')

/** The owner of a workload, and whether the committed file states it or it is the default. */
export interface Schedule {
  readonly owner: ScheduleOwner
  readonly source: 'committed' | 'default'
}

/** Whether a finding of the configuration is about `schedules.*`, which is read at each use. */
export const isAboutSchedules = ({ subject }: Finding): boolean => subject?.startsWith('schedules.') === true

/**
 * Reads the owners of a committed configuration (A 4.11). An owner outside the set of its workload counts as
 * the default and is a finding. Null is no file; a file that does not parse has every default. The result is cached for
 * the file object.
 */
export const readSchedules = (file: ConfigFile | null): Schedules =>
  file === null ? noSchedules : schedulesOfFile(file)

/** The answer of `GET /config/schedules`. */
export const schedulesAnswer = ({ of, source }: Schedules): SchedulesAnswer => ({
  workloads: workloadNames.map(workload => ({
    workload,
    ...of(workload),
    allowed: listOwners(workload),
    default: workloads[workload].fallback,
  })),
  source,
})

/**
 * Limits the window of a dispatch to the time-out of the worker less 1,500 ms: later the worker has given up and
 * enacts the interaction elsewhere. Adds a finding when it does.
 */
export const boundDispatchWindow = (file: ConfigFile, read: ReadConfig): ReadConfig => {
  const { [key]: wantedMs, [workerKey]: timeoutMs } = read.config
  const windowMsMax = Math.max(0, timeoutMs - marginMs)
  if (wantedMs <= windowMsMax) return read
  const finding = invalidKeyFinding(
    file,
    key,
    `is ${wantedMs}, and ${workerKey} is ${timeoutMs}; this host uses ${windowMsMax}, which is ${marginMs} less.`,
    `Set ${key} to ${windowMsMax} or less, or raise ${workerKey} to the time-out of the worker.`,
  )
  return { config: { ...read.config, [key]: windowMsMax }, findings: [...read.findings, finding] }
}

/** The schedules that a configuration file gives, with the findings about its invalid owners. */
interface Schedules {
  readonly of: (workload: Workload) => Schedule
  /** `committed` when the file states the owner of at least one workload. */
  readonly source: 'committed' | 'default'
  readonly findings: ReadonlyArray<Finding>
}

const schedulesOf = (file: ConfigFile | null): Schedules => {
  const { config, findings } = readConfig(file)
  const parsed = file === null ? null : configIn(file)
  const tree = parsed === null || isLeft(parsed) ? {} : parsed.right.tree
  const about = findings.filter(isAboutSchedules)
  const invalid = new Set(about.map(one => one.subject))
  const sourceOf = (workload: Workload): Schedule['source'] => {
    const name = `schedules.${workload}` as const
    return valueAt(tree, name) === undefined || invalid.has(name) ? 'default' : 'committed'
  }
  return {
    of: workload => ({ owner: config[`schedules.${workload}`], source: sourceOf(workload) }),
    source: workloadNames.some(name => sourceOf(name) === 'committed') ? 'committed' : 'default',
    findings: about,
  }
}

const noSchedules = schedulesOf(null)
const schedulesOfFile = perValue((file: ConfigFile): Schedules => schedulesOf(file))

const key = 'integrations.chat.dispatch.window_ms'
const workerKey = 'integrations.chat.dispatch.worker_timeout_ms'

/** How long before the worker gives up the window must end (A 8). */
const marginMs = 1_500
