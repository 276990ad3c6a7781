import type { GatePorts, ModeCell } from '#actors/write-gate/mode.js'
import type { PlanPorts } from '#actors/write-gate/plan-on.js'
import type { ReleaseNotices } from '#src/node/chat/enactment-notices.js'
import type { Checked } from '#src/node/gate/preview.js'
import type { TouchedFile } from '#src/ports/landing.js'
import type { Publish } from '#src/ports/records.js'
import { builtInHooks } from '#src/writing/batch/hooks.js'
import { admitMachine } from '#test/support/commands.js'
import { noMeter } from '#test/support/no-meter.js'
import type { SimHost } from './host.js'
import { planSimulated } from './plans.js'
import { simLanding } from './sim-landing.js'
import { blobTextOf, snapshotOf } from './sim-repository.js'
import type { Life } from './weather.js'
import type { HostWorld } from './world.js'

/** The bytes of a blob that stood in any commit. */
export const readCommittedFile = ({ before }: TouchedFile): Promise<Buffer | null> => {
  const text = before === null ? null : blobTextOf(before)
  return Promise.resolve(text === null ? null : Buffer.from(text))
}

/** What dry runs and commits of a host are planned with. */
export const simPlanPorts = ({ clock }: Pick<HostWorld, 'clock'>): PlanPorts => ({
  plan: planSimulated,
  containsCommit: () => Promise.resolve(true),
  hooks: builtInHooks,
  nowMs: clock.nowMs,
  read: readCommittedFile,
  trees: new Map(),
  warn: () => undefined,
})

/** What the gate of a host writes in. */
export type GateHost = Pick<SimHost, 'name' | 'repository'>

const rejectUse = (): Promise<never> => Promise.reject(new Error('not in this world'))

/** Adoption is not simulated: it is one write of the gate among others. */
const adoption = (
  host: GateHost,
  landing: GatePorts['landing'],
  nowMs: () => number,
): GatePorts['adoption'] => ({
  source: {
    kind: 'git',
    path: host.name,
    head: rejectUse,
    list: rejectUse,
    listAt: rejectUse,
    read: rejectUse,
    file: rejectUse,
    contains: rejectUse,
    close: rejectUse,
  },
  landing,
  nowMs,
  fresh: rejectUse,
  admit: admitMachine,
  plan: () => {
    throw new Error('not in this world')
  },
  newIntent: () => '',
  done: () => undefined,
  diskRefused: () => undefined,
  lineOrigins: () => Promise.resolve([]),
  published: () => Promise.resolve(true),
})

/** Where dry runs of a host look for a person's work: everything real but HEAD, which may move at each step. */
export const simChecked = (world: HostWorld, host: GateHost, life: Life, ports: GatePorts): Checked | null =>
  ports.landing === null
    ? null
    : {
        landing: ports.landing,
        fresh: ports.fresh,
        headFiles: async paths => {
          await world.weather.step(life, 'look')
          const { files, commit } = snapshotOf(world.objects.get(host.repository.head))
          const found = paths.map(path => ({ path, before: files.get(path)?.blob ?? null }))
          await world.weather.step(life, 'look')
          return { commit, files: found }
        },
      }

export interface GateParts {
  readonly world: HostWorld
  readonly host: GateHost
  readonly life: Life
  readonly publish: Publish
  readonly mode: ModeCell
  readonly isStale: () => boolean
  /** Publishes an enactment; absent: the host makes none. */
  readonly push?: GatePorts['push']
  /** Lets the notices go that may; absent: the host has none. */
  readonly release?: ReleaseNotices
}

/** What the write gate of a host is given: everything real but the landing, and a disk and HEAD that may fail. */
export const simGatePorts = ({
  world,
  host,
  life,
  publish,
  mode,
  isStale,
  push = rejectUse,
  release = () => Promise.resolve(),
}: GateParts): GatePorts => {
  const { weather, objects, checks, clock } = world
  const { repository } = host
  const landing = simLanding({
    life,
    repository,
    objects,
    weather,
    mark: world.trace.mark,
    dirty: world.dirty,
    moved: (by, from, to) => {
      if (by === 'land') checks.branches.wrote(host.name)
      const parked = [...repository.parked.values()]
      if (by === 'replace') checks.branches.replaced(host.name, from, to, parked)
      else checks.branches.moved(host.name, from, to, parked)
    },
  })
  return {
    ...simPlanPorts(world),
    admit: admitMachine,
    push,
    settleRole: () => null,
    adoption: adoption(host, landing, clock.nowMs),
    arms: () => {
      const syncStale = isStale()
      if (syncStale) world.trace.mark('the last converge was too old to write')
      return { format: 'Current', syncStale, ...mode.get() }
    },
    fresh: async () => {
      await weather.step(life, 'look')
      return weather.mishap(0.01) ? null : snapshotOf(objects.get(repository.head))
    },
    landing: {
      ...landing,
      // Nothing but reads lies between the look at the arms and this call, and they change between turns.
      open: (base, signal) => {
        const { mode: now } = mode.get()
        checks.branches.lands(host.name, isStale() ? 'stale' : now === 'ReadOnly' ? 'read-only' : null)
        return landing.open(base, signal)
      },
    },
    published: async () => {
      await weather.step(life, 'publish')
      return !weather.mishap(0.02)
    },
    recovered: () => {
      void release(false)
      return Promise.resolve()
    },
    publish,
    mode,
    tellFollower: () => undefined,
    meter: noMeter,
    after: clock.after,
    afterWrite: [
      { name: 'events', run: fact => publish('write:committed', fact) },
      { name: 'notices', run: ({ hasNotices }) => void (hasNotices && release(false)) },
    ],
    monotonicMs: clock.monotonicMs,
    newIntent: () => world.entropy.id(),
  }
}
