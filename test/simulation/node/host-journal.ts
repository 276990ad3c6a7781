import { eventFeed, journalWork, publishTo, type WaitingEvent } from '#actors/event-journal.js'
import { makePending } from '#actors/pending.js'
import type { RecorderPorts } from '#actors/recorder.js'
import { segmentLog } from '#src/adapters/logs/segment-log.js'
import type { EventFeed, Publish } from '#src/ports/records.js'
import type { SimHost } from './host.js'
import type { Life } from './weather.js'
import type { World } from './world.js'

export interface HostJournal {
  readonly publish: Publish
  readonly feed: EventFeed
  readonly ports: RecorderPorts
}

/** Segments so small that they turn over, and a retention so short that slow readers meet it. */
const rules = { segmentBytes: 500, segmentAgeMs: 3_600_000, totalBytes: 1_500, keptMs: 86_400_000 }
const page = { lines: 5, bytes: 100_000 }

/** Reads on until the head, or one page; answers where the reader stands then. */
export const readOn = async (
  world: World,
  host: SimHost,
  feed: EventFeed,
  reader: { readonly name: string; at: number },
  pages: number,
): Promise<void> => {
  for (let left = pages; left > 0 && reader.at !== feed.head(); left -= 1) {
    const { items } = await feed.after(reader.at, page, null)
    for (const item of items) {
      world.checks.events.read(host.name, reader.name, reader.at, item, host.journal.prunedThrough())
      reader.at = item.seq
    }
    if (items.length === 0) return
  }
}

/** A reader that follows a process from its start on, as a client of the stream does. */
const follow = (world: World, host: SimHost, life: Life, feed: EventFeed): void => {
  const reader = { name: 'live', at: feed.head() }
  let isReading = false
  const go = async (): Promise<void> => {
    if (isReading) return
    isReading = true
    while (reader.at !== feed.head() && !life.isOver) await readOn(world, host, feed, reader, 1)
    isReading = false
  }
  feed.onMore(() => void go())
}

export const hostJournal = (world: World, host: SimHost, life: Life, wake: () => void): HostJournal => {
  const { clock, trace } = world
  const log = segmentLog('', 'events', { ...rules, nowMs: clock.nowMs }, host.journal.files(life))
  const feed = eventFeed(log)
  const waiting = makePending<WaitingEvent>({ items: 100, bytes: 1e6 })
  const lost = (): void => trace.say(`${host.name} lost events`)
  let isFollowed = false
  return {
    feed,
    publish: publishTo({ waiting, wake, nowMs: clock.nowMs, scrub: text => text, lost }),
    ports: journalWork({
      log,
      feed,
      waiting,
      lost,
      opened: () => {
        if (!isFollowed) follow(world, host, life, feed)
        isFollowed = true
      },
      appended: () => undefined,
      outOfSequence: (next, head) => trace.say(`${host.name} has event ${next} after ${head}`),
      untidy: () => undefined,
    }),
  }
}
