import * as t from 'io-ts'
import { eventJournal } from '#actors/event-journal/event-journal.js'
import { streams } from '#actors/streams/streams.js'
import { read } from '#protocol/route.js'
import { httpMeter } from '#src/adapters/metrics/http-meter.js'
import { prometheus } from '#src/adapters/metrics/prometheus.js'
import { hostRecords } from '#src/boot/records/records.js'
import { readConfig } from '#src/config/read-config.js'
import type { FrontDeps } from '#src/http/deps.js'
import { requestLine, requestLineChars } from '#src/http/request-line.js'
import { openKernel } from '#src/kernel/kernel.js'
import { scrubber } from '#src/lore/scrub.js'
import { store } from '#supervisors/store.js'
import { answering, machineToken, testFront } from '#test/support/front.js'

/**
 * Two fronts of one process that answer the same: one writes a record of each request to the request stream in the
 * folder given, as a node does, one writes none. Told anything it answers the processor time so far.
 */

const quiet = (): void => undefined
const metrics = prometheus(quiet)
const records = hostRecords({
  state: process.argv[2] ?? '',
  config: readConfig(null).config,
  bootMs: Date.now(),
  meter: metrics.meter,
  scrub: scrubber([machineToken]),
  owed: { before: () => [], paid: quiet },
  warn: quiet,
})
const kernel = openKernel()
const journal = kernel.place(eventJournal)
const recording = kernel.place(streams)
records.attach({ journal: journal.ref, streams: recording.ref })
const tree = kernel.run(
  store,
  { 'event-journal': journal.with(records.events.journal), streams: recording.with(records.streams.work) },
  quiet,
)
await tree.ready

const body = { name: 'Kupiec Orrin', type: 'NPC', tags: { info: 'x'.repeat(1000) } }
const row = { summary: '', capability: 'entity.read', query: {}, refusals: [], source: '' } as const
const table = { one: read({ ...row, path: '/entities/{name}', answers: { 200: t.UnknownRecord } }) }
const meter = httpMeter(metrics.meter)
const portOf = async (requested: FrontDeps['requested']): Promise<number> =>
  (await testFront({ table, handlers: { one: answering(body) }, meter, requested })).front.apiPort

const recorded = await portOf(record =>
  records.recordLater('request', requestLineChars(record), (at, scrub) => requestLine(at, record, scrub)),
)
const silent = await portOf(quiet)

process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.({ cpuMicros: user + system })
})
process.on('disconnect', () => process.exit(0))
process.send?.({ recorded, silent })
