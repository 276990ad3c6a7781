import { httpMeter } from '#src/adapters/metrics/http-meter.js'
import { nodeView, testFront } from '#test/support/front.js'
import { startRecorder } from './recorder.js'

/**
 * A front with a real journal in a process of its own, for measuring its memory. Told `{events, bytes}` it publishes so
 * many events of about that size; told anything else it answers what it holds.
 */

export interface Holds {
  readonly rssBytes: number
  readonly head: number
  readonly slow: number
  readonly clients: number
}

const { records, meter: counts } = await startRecorder(process.argv[2] ?? '', text => text)
let slow = 0
let clients = 0
const meter = httpMeter(counts)
const front = await testFront({
  node: nodeView({ events: records.events.feed, logs: records.streams.read }),
  meter: {
    ...meter,
    streamOpened: count => {
      clients = count
    },
    streamEnded: (reason, count) => {
      clients = count
      slow += reason === 'slow' ? 1 : 0
    },
  },
})

const nap = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))

const publish = async (events: number, bytes: number): Promise<void> => {
  for (let at = 1; at <= events; at += 1) {
    const detail = 'x'.repeat(bytes)
    records.publish('job:progress', { jobId: 'job', kind: 'bench', done: at, total: events, detail })
    await nap(2)
  }
}

const holds = (): Holds => {
  globalThis.gc?.()
  return { rssBytes: process.memoryUsage().rss, head: records.events.feed.head(), slow, clients }
}

interface Order {
  readonly events?: number
  readonly bytes?: number
}

process.on('message', (order: Order) => {
  void publish(order.events ?? 0, order.bytes ?? 0).then(() => process.send?.(holds()))
})
process.on('disconnect', () => process.exit(0))
process.send?.({ port: front.front.apiPort })
