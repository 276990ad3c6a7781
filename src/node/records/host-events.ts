import { join } from 'node:path'
import { eventFeed, journalWork, publishTo, type WaitingEvent } from '#actors/event-journal.js'
import { makePending } from '#actors/pending.js'
import type { RecorderPorts } from '#actors/recorder.js'
import type { EventKind } from '#protocol/events.js'
import { segmentLog, unkeptLog } from '#src/adapters/logs/segment-log.js'
import { realClock } from '#src/kernel/time/clock.js'
import type { EventFeed, Opened, Publish } from '#src/ports/records.js'
import { type RecordsSetup, rulesOf } from './records-setup.js'

export interface HostEvents {
  readonly publish: Publish
  readonly feed: EventFeed
  /** The ports of the actor `event-journal`. */
  readonly journal: RecorderPorts
}

interface EventsSetup extends RecordsSetup {
  readonly wake: () => void
}

const eventsWaitingMax = { items: 4096, bytes: 16 * 1024 * 1024 }

const tellOpened =
  ({ meter, warn }: EventsSetup) =>
  ({ next, tornBytes, corruptLines }: Opened): void => {
    meter.gauge('svc_events_last_sequence', {}, next - 1)
    meter.count('svc_events_torn_records_total', {}, tornBytes > 0 ? 1 : 0)
    meter.count('svc_events_corrupt_records_total', {}, corruptLines)
    if (tornBytes > 0) warn('journal_torn', { bytes: tornBytes, next })
    if (corruptLines > 0) warn('journal_corrupt', { lines: corruptLines, next })
  }

/** The events of a host: how they are published, stored and read. */
export const hostEvents = (setup: EventsSetup): HostEvents => {
  const { state, config, bootMs, meter, warn, scrub, wake } = setup
  const isKept = config['server.event_journal']
  const rules = rulesOf(config['server.event_journal_mib'], config['server.event_journal_days'])
  const log = isKept ? segmentLog(join(state, 'events'), 'events', rules) : unkeptLog(bootMs)
  const feed = eventFeed(isKept ? log : null)
  const waiting = makePending<WaitingEvent>(eventsWaitingMax)
  const lost = (kinds: ReadonlyArray<EventKind>, reason: string): void => {
    for (const kind of kinds) meter.count('svc_events_lost_total', { kind })
    warn('hook_failed', { hook: 'event-journal', events: kinds.length, kind: kinds[0] ?? null, reason })
  }
  return {
    feed,
    publish: publishTo({ waiting, wake, nowMs: realClock.nowMs, scrub, lost }),
    journal: journalWork({
      log,
      feed,
      waiting,
      lost,
      opened: tellOpened(setup),
      appended: (kinds, head, bytes) => {
        for (const kind of kinds) meter.count('svc_events_published_total', { kind })
        meter.gauge('svc_events_last_sequence', {}, head)
        meter.gauge('svc_events_journal_bytes', {}, bytes)
      },
      outOfSequence: (next, head) => {
        meter.count('svc_invariant_violations_total', { invariant: 'S27' })
        warn('journal_out_of_sequence', { next, head })
      },
      untidy: reason => warn('journal_untidy', { reason }),
    }),
  }
}
