import { deepEqual } from 'node:assert/strict'
import { describe, it } from 'mocha'
import type { StreamLog } from '#src/ports/records.js'
import { makePending } from './pending.js'
import { objectPack, streamsWork } from './streams.js'

const limits = { items: 10, bytes: 10_000 }

/** A log that records its calls, or rejects them. */
const makeNotedLog = (name: string, calls: Array<unknown>, isFull: boolean): StreamLog => {
  const note = <A>(value: A, ...call: ReadonlyArray<unknown>): Promise<A> => {
    calls.push([name, ...call])
    return isFull ? Promise.reject(new Error('no space')) : Promise.resolve(value)
  }
  return {
    open: () => Promise.resolve({ next: 1, tornBytes: 0, corruptLines: 0 }),
    append: (objects, durable) => note([], objects, durable),
    appendPacked: ({ bytes, ends }) => note(undefined, bytes.toString('utf8'), ends),
    read: () => Promise.resolve({ lines: [], place: null, oldest: 1 }),
    newest: () => Promise.resolve([]),
    tidy: () => Promise.resolve(),
    bytes: () => 0,
    close: () => Promise.resolve(),
  }
}

const openStreams = (isFull = false) => {
  const calls: Array<unknown> = []
  const logOf = (name: string): StreamLog => makeNotedLog(name, calls, isFull)
  const buffers = {
    audit: makePending<string>(limits),
    operational: objectPack(limits),
    request: objectPack(limits),
  }
  const work = streamsWork({
    logs: { audit: logOf('audit'), operational: logOf('operational'), request: logOf('request') },
    buffers,
    written: (stream, count, audits) => void calls.push(['written', stream, count, audits]),
    lost: (stream, count, reason) => void calls.push(['lost', stream, count, reason]),
  })
  buffers.audit.add('{"a":1}', 7)
  buffers.request.add('{"r":1}')
  buffers.request.add('{"r":2}')
  return { calls, work }
}

describe('a flush of the streams', () => {
  it('appends the audit durably and the others packed, and reports what it wrote; an empty stream is left', async () => {
    const { calls, work } = openStreams()
    await work.flush()
    deepEqual(calls, [
      ['request', '{"r":1}{"r":2}', [7, 14]],
      ['written', 'request', 2, []],
      ['audit', ['{"a":1}'], true],
      ['written', 'audit', 1, ['{"a":1}']],
    ])
  })

  it('reports as lost what a log refuses, and goes on with the next stream', async () => {
    const { calls, work } = openStreams(true)
    await work.flush()
    deepEqual(
      calls.filter(call => Array.isArray(call) && call[0] === 'lost'),
      [
        ['lost', 'request', 2, 'no space'],
        ['lost', 'audit', 1, 'no space'],
      ],
    )
    await work.flush()
    deepEqual(calls.length, 4)
  })
})
