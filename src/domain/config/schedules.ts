import { isLeft } from 'fp-ts/lib/Either.js'
import { requirePath } from '#protocol/atoms.js'
import { type ScheduleOwner, type Workload, workloadNames } from '#protocol/config.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { type ConfigFile, configIn, valueAt } from './parse-config.js'
import { readConfig } from './read-config.js'

export const configPath = requirePath('.svc/config.json')

/** The owner of a workload, and whether the committed file states it or it is the default. */
export interface Schedule {
  readonly owner: ScheduleOwner
  readonly source: 'committed' | 'default'
}

/** The schedules that a configuration file gives, with the findings about its invalid owners. */
export interface Schedules {
  readonly of: (workload: Workload) => Schedule
  /** `committed` when the file states the owner of at least one workload. */
  readonly source: 'committed' | 'default'
  readonly findings: ReadonlyArray<Finding>
}

/** Whether a finding of the configuration is about `schedules.*`, which is read at each use. */
export const isAboutSchedules = ({ subject }: Finding): boolean => subject?.startsWith('schedules.') === true

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

/**
 * Reads the owners of a committed configuration (A 4.11). An owner outside the set of its workload counts as
 * the default and is a finding. Null is no file; a file that does not parse has every default. The result is cached for
 * the file object.
 */
export const readSchedules = (file: ConfigFile | null): Schedules =>
  file === null ? noSchedules : schedulesOfFile(file)
