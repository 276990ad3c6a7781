import { auditOf } from '#src/domain/events/audit-of.js'
import { tell } from '#src/kernel/actor/ref.js'
import type { Publish } from '#src/ports/records/events.js'
import type { Audit, RecordLines, RecordTo } from '#src/ports/records/streams.js'
import type { Doors } from '../tree/doors.js'
import { type HostEvents, hostEvents } from './host-events.js'
import { type HostStreams, hostStreams } from './host-streams.js'
import { owedLines } from './owed-audit.js'
import type { RecordsSetup } from './records-setup.js'

/** What this host records of itself: events and streams, and the doors through which others add to them. */
export interface Records {
  readonly events: HostEvents
  readonly streams: HostStreams
  readonly publish: Publish
  readonly record: RecordTo
  readonly recordLines: RecordLines
  readonly audit: Audit
  /** Writes what the audit stream is owed from before this boot. */
  readonly payOwed: () => Promise<void>
  /** From now on the actors are told that something waits. */
  readonly attach: (doors: Pick<Doors, 'journal' | 'streams'>) => void
}

/** Makes the records of a host. Nothing touches the disk before the actors run. */
export const hostRecords = (setup: RecordsSetup): Records => {
  let doors: Pick<Doors, 'journal' | 'streams'> | null = null
  const streams = hostStreams({
    ...setup,
    wake: urgent => {
      if (doors !== null) tell(doors.streams, { _tag: 'Wake', urgent })
    },
  })
  const events = hostEvents({
    ...setup,
    wake: () => {
      if (doors !== null) tell(doors.journal, { _tag: 'Wake', urgent: true })
    },
  })
  // What is recorded after the streams closed, such as their own end, has nowhere to go: it must not lie in a mailbox.
  const close = (): Promise<void> => {
    doors = null
    return streams.work.close()
  }
  const audit: Audit = line => streams.record('audit', line)
  return {
    events,
    streams: { ...streams, work: { ...streams.work, close } },
    record: streams.record,
    recordLines: streams.recordLines,
    audit,
    payOwed: owedLines({ ...setup, log: streams.auditLog, audit }),
    publish: (kind, payload) => {
      events.publish(kind, payload)
      const line = auditOf(kind, payload)
      if (line !== null) streams.record('audit', line)
    },
    attach: given => {
      doors = given
    },
  }
}
