import { eventJournal } from '#actors/event-journal.js'
import { streams } from '#actors/streams.js'
import { prometheus } from '#src/adapters/metrics/prometheus.js'
import { readConfig } from '#src/domain/config/read-config.js'
import { openKernel } from '#src/kernel/kernel.js'
import { hostRecords } from '#src/node/records/records.js'
import { supervisorOf } from '#src/node/tree/actors.js'

const quiet = (): void => undefined

/** The records of a host below the folder `state`, written by the actors that write them in a node, and their meter. */
export const startRecorder = async (state: string, scrub: (text: string) => string) => {
  const metrics = prometheus(quiet)
  const records = hostRecords({
    state,
    config: readConfig(null).config,
    bootMs: Date.now(),
    meter: metrics.meter,
    scrub,
    owed: { before: () => [], paid: quiet },
    warn: quiet,
  })
  const kernel = openKernel()
  const journal = kernel.place(eventJournal)
  const recording = kernel.place(streams)
  records.attach({ journal: journal.ref, streams: recording.ref })
  const tree = kernel.run(
    supervisorOf('store'),
    { 'event-journal': journal.with(records.events.journal), streams: recording.with(records.streams.work) },
    quiet,
  )
  await tree.ready
  return { records, meter: metrics.meter }
}
