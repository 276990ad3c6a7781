import { eventFeed } from '#actors/event-journal.js'
import { numberLine } from '#src/adapters/logs/segment-files.js'
import type { FilledFeed, RecordLine, RecordLog } from '#src/ports/records.js'

/** The JSON of a snapshot event, without its number. */
export const eventJson = (generation: number): string =>
  JSON.stringify({
    at: '2026-06-15T12:00:00.000Z',
    kind: 'snapshot:published',
    payload: { generation, commit: null },
  })

/** A log in memory with the given lines; `drop` removes some, like the retention or a bad disk. */
export interface MemoryLog extends RecordLog {
  readonly drop: (isDropped: (seq: number) => boolean) => void
}

export const memoryLog = (): MemoryLog => {
  let lines: Array<RecordLine> = []
  let next = 1
  return {
    open: () => Promise.resolve({ next, tornBytes: 0, corruptLines: 0 }),
    append: objects => {
      const added = objects.map((object, at) => numberLine(next + at, object))
      next += added.length
      lines.push(...added)
      return Promise.resolve(added)
    },
    read: (after, through, limits) => {
      const found = lines.filter(({ seq }) => seq > after && seq <= through).slice(0, limits.lines)
      return Promise.resolve({ lines: found, place: null, oldest: lines[0]?.seq ?? next })
    },
    newest: (before, limit, keep) =>
      Promise.resolve(
        lines
          .filter(line => line.seq < before && keep(line))
          .toReversed()
          .slice(0, limit),
      ),
    tidy: () => Promise.resolve(),
    bytes: () => 0,
    close: () => Promise.resolve(),
    drop: isDropped => {
      lines = lines.filter(({ seq }) => !isDropped(seq))
    },
  }
}

/** A feed with a log in memory, and the function that fills both. */
export const makeKeptEvents = () => {
  const log = memoryLog()
  const feed: FilledFeed = eventFeed(log)
  const add = async (count: number): Promise<void> => {
    const from = feed.head()
    feed.give(
      await log.append(
        Array.from({ length: count }, (_, at) => eventJson(from + at + 1)),
        true,
      ),
    )
  }
  return { log, feed, add }
}
