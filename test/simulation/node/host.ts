import { eventJournal, journalWork, type WaitingEvent } from '#actors/event-journal/event-journal.js'
import { eventFeed } from '#actors/event-journal/feed.js'
import { publishTo } from '#actors/event-journal/publish.js'
import { pending } from '#actors/pending.js'
import type { GatePorts } from '#actors/write-gate/ports.js'
import { writeGate } from '#actors/write-gate/write-gate.js'
import { segmentLog } from '#src/adapters/segment-log.js'
import { writePort } from '#src/boot/write-port.js'
import type { Snapshot } from '#src/corpus/snapshot.js'
import type { WritePort } from '#src/corpus/write-plan.js'
import { builtInHooks } from '#src/corpus/writing/hooks.js'
import { seededEntropy } from '#src/kernel/entropy.js'
import { type Kernel, openKernel, type Tree } from '#src/kernel/kernel.js'
import { tell } from '#src/kernel/ref.js'
import type { EventFeed, Publish } from '#src/ports/events.js'
import type { TouchedFile } from '#src/ports/landing.js'
import type { SegmentDisk } from './segment-disk.js'
import { simLanding } from './sim-landing.js'
import { type SimRepository, snapshotOf, textOf } from './sim-repository.js'
import type { Life } from './weather.js'
import type { World } from './world.js'

/** What of a host outlives its process. */
export interface Host {
  readonly name: string
  readonly repository: SimRepository
  readonly journal: SegmentDisk
  lives: number
  running: Running | null
}

/** A process: the real actors over simulated ports. */
export interface Running {
  readonly life: Life
  readonly kernel: Kernel
  readonly tree: Tree
  readonly write: WritePort
  readonly publish: Publish
}

const journalRules = { segmentBytes: 4_000, segmentAgeMs: 3_600_000, totalBytes: 1e6, keptMs: 86_400_000 }

const spec = {
  id: 'host',
  strategy: 'rest_for_one',
  restartsMax: 5,
  windowMs: 60_000,
  children: [
    { id: 'event-journal', restart: 'permanent', drainMs: 1_000 },
    { id: 'write-gate', restart: 'permanent', drainMs: 1_000 },
  ],
} as const

const read = ({ before }: TouchedFile): Promise<Buffer | null> => {
  const text = before === null ? null : textOf(before)
  return Promise.resolve(text === null ? null : Buffer.from(text))
}

/** A reader of events that follows from the start of a process on. */
const follow = (world: World, life: Life, feed: EventFeed): void => {
  let at = feed.head()
  let isReading = false
  const readOn = async (): Promise<void> => {
    if (isReading) return
    isReading = true
    for (let head = feed.head(); at < head && !life.isOver; head = feed.head()) {
      const { items } = await feed.after(at, { lines: 50, bytes: 100_000 }, null)
      for (const item of items) {
        if (item._tag === 'Event') world.checks.event(life.host, life.number, item.seq, item.text)
        at = item.seq
      }
    }
    isReading = false
  }
  feed.onMore(() => void readOn())
}

const gatePorts = (world: World, host: Host, life: Life): GatePorts => {
  const { weather, objects, checks, clock } = world
  const head = (): Snapshot => snapshotOf(objects.get(host.repository.head))
  const landing = simLanding({
    life,
    repository: host.repository,
    objects,
    weather,
    dirty: () => world.dirty(),
    moved: (from, to) => checks.moved(host.name, from, to),
  })
  const published = async (): Promise<boolean> => {
    await weather.step(life, 'publish')
    return true
  }
  const newIntent = (): string => world.entropy.id()
  const unused = (): Promise<never> => Promise.reject(new Error('not in this world'))
  return {
    adoption: {
      source: {
        kind: 'git',
        path: host.name,
        head: unused,
        list: unused,
        read: unused,
        file: unused,
        contains: unused,
        close: unused,
      },
      landing,
      nowMs: clock.nowMs,
      plan: () => {
        throw new Error('not in this world')
      },
      newIntent,
      published,
    },
    arms: () => ({ format: 'Current', syncStale: false, mode: 'ReadWrite' }),
    fresh: async () => {
      await weather.step(life, 'look')
      return head()
    },
    read,
    landing,
    published,
    recovered: () => undefined,
    hooks: builtInHooks,
    nowMs: clock.nowMs,
    newIntent,
  }
}

/** Starts the process of a host on what its disk holds. */
export const start = (world: World, host: Host): void => {
  const { clock, trace } = world
  host.lives += 1
  const life: Life = { host: host.name, number: host.lives, isOver: false }
  const kernel = openKernel({ clock, entropy: seededEntropy(world.seed * 1_000 + host.lives) })
  const journal = kernel.place(eventJournal)
  const gate = kernel.place(writeGate)
  const rules = { ...journalRules, nowMs: clock.nowMs }
  const log = segmentLog('', 'events', rules, host.journal.files(life))
  const feed = eventFeed(log)
  const waiting = pending<WaitingEvent>({ items: 100, bytes: 1e6 })
  const lost = (): void => trace.say(`${host.name} lost events`)
  const publish = publishTo({
    waiting,
    wake: () => void tell(journal.ref, { _tag: 'Wake', urgent: true }),
    nowMs: clock.nowMs,
    scrub: text => text,
    lost,
  })
  const tree = kernel.run(
    spec,
    {
      'event-journal': journal.with(
        journalWork({
          log,
          feed,
          waiting,
          lost,
          opened: () => follow(world, life, feed),
          appended: () => undefined,
          untidy: () => undefined,
        }),
      ),
      'write-gate': gate.with(gatePorts(world, host, life)),
    },
    () => world.crashed(life),
  )
  const write = writePort({
    gate: gate.ref,
    snapshot: () => snapshotOf(world.objects.get(host.repository.head)),
    read,
    hooks: builtInHooks,
    nowMs: clock.nowMs,
  })
  host.running = { life, kernel, tree, write, publish }
  trace.say(`${host.name}.${life.number} starts`)
}
