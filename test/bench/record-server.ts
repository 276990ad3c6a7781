import * as t from 'io-ts'
import { read } from '#protocol/route.js'
import { httpMeter } from '#src/adapters/metrics/http-meter.js'
import { makeScrubber } from '#src/domain/redaction/scrub.js'
import { requestLines } from '#src/http/records/request-record.js'
import type { FrontOptions } from '#src/http/routing/call.js'
import { answerWith, testFront, testMachineToken } from '#test/support/front.js'
import { startRecorder } from './recorder.js'

/**
 * Two fronts of one process that answer the same: one writes a record of each request to the request stream in the
 * folder given, as a node does, one writes none. Told anything it answers the processor time so far.
 */

const quiet = (): void => undefined
const { records, meter: counts } = await startRecorder(
  process.argv[2] ?? '',
  makeScrubber([testMachineToken]),
)

const body = { name: 'Kupiec Orrin', type: 'NPC', tags: { info: 'x'.repeat(1000) } }
const row = { summary: '', capability: 'entity.read', query: {}, refusals: [], source: '' } as const
const table = { one: read({ ...row, path: '/entities/{name}', answers: { 200: t.UnknownRecord } }) }
const meter = httpMeter(counts)
const portOf = async (recordRequest: FrontOptions['recordRequest']): Promise<number> =>
  (await testFront({ table, handlers: { one: answerWith(body) }, meter, recordRequest })).front.apiPort

const recorded = await portOf(records.recordLines('request', requestLines))
const silent = await portOf(quiet)

process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.({ cpuMicros: user + system })
})
process.on('disconnect', () => process.exit(0))
process.send?.({ recorded, silent })
