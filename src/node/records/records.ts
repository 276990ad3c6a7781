import { auditLineOfEvent } from '#src/domain/events/audit-of.js'
import { tell } from '#src/kernel/actor/ref.js'
import type { Audit, Publish, RecordLines, RecordTo } from '#src/ports/records.js'
import type { Doors } from '../tree/doors.js'
import { type HostEvents, hostEvents } from './host-events.js'
import { type HostStreams, hostStreams } from './host-streams.js'
import { auditOwedLines } from './owed-audit.js'
import type { RecordsSetup } from './records-setup.js'

/** What this host records of itself, events and streams, and the functions that add to them. */
export interface Records {
  readonly events: HostEvents
  readonly streams: HostStreams
  readonly publish: Publish
  readonly record: RecordTo
  readonly recordLines: RecordLines
  readonly audit: Audit
  /** Writes the audit lines that the stream is owed from before this boot. */
  readonly payOwed: () => Promise<void>
  /** From now on, notifies the actors when records wait. */
  readonly attach: (doors: Pick<Doors, 'journal' | 'streams'>) => void
}

/** Creates the records of a host. Does not touch the disk before the actors run. */
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
  // Records after the streams closed, such as their own end, are lost: a message in a mailbox would never be
  // read.
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
    payOwed: auditOwedLines({ ...setup, log: streams.auditLog, audit }),
    publish: (kind, payload) => {
      events.publish(kind, payload)
      const line = auditLineOfEvent(kind, payload)
      if (line !== null) streams.record('audit', line)
    },
    attach: given => {
      doors = given
    },
  }
}
