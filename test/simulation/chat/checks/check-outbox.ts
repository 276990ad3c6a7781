import * as t from 'io-ts'
import type { Trace } from '../../node/trace.js'
import type { WorkerHost } from '../chat-host.js'
import type { ChatPlatform } from '../model/chat-platform.js'

const Row = t.type({
  text: t.string,
  status: t.string,
  channel: t.string,
  detail: t.union([t.string, t.null]),
})
type Row = t.TypeOf<typeof Row>

const rowsOf = ({ disk }: WorkerHost): ReadonlyArray<Row> =>
  disk.prepare('SELECT text, status, channel, detail FROM deliveries ORDER BY seq').all().filter(Row.is)

/** Holds the outboxes against the channels: a message at most once, in order, and as its row says. */
export const openOutboxCheck = ({ violation, mark }: Trace, platform: ChatPlatform) => {
  const acknowledged = new Map<string, string>()
  const placesOf = (text: string): ReadonlyArray<number> =>
    platform.posted.flatMap((one, at) => (one.text === text ? [at] : []))
  const lookAtRow = (host: WorkerHost, { text, status }: Row): void => {
    const places = placesOf(text).length
    if (places > 1) violation(`${host.name} sent ${text} ${places} times (outbox)`)
    if (status === 'sent' && places === 0)
      violation(`${text} of ${host.name} is sent and in no channel (outbox)`)
    if (status === 'refused' && places > 0)
      violation(`${text} of ${host.name} is refused and in its channel (outbox)`)
    if (status === 'unknown') mark('the outcome of a message stayed unknown')
  }
  const lookAtOrder = (host: WorkerHost, rows: ReadonlyArray<Row>): void => {
    const last = new Map<string, number>()
    for (const { text, channel } of rows) {
      const [at] = placesOf(text)
      if (at === undefined) continue
      if (at < (last.get(channel) ?? -1)) violation(`${host.name} sent ${text} out of order (outbox)`)
      last.set(channel, at)
    }
  }
  return {
    onQueued: (host: WorkerHost, text: string): void => void acknowledged.set(text, host.name),
    onLog: (event: string, fields: object | undefined): void => {
      if (event === 'chat_held' && fields !== undefined && 'channel' in fields && fields.channel !== null)
        mark('a channel was held')
    },
    look: (host: WorkerHost): void => {
      const rows = rowsOf(host)
      for (const row of rows) lookAtRow(host, row)
      lookAtOrder(host, rows)
      const texts = new Set(rows.map(({ text }) => text))
      for (const [text, name] of acknowledged)
        if (name === host.name && !texts.has(text)) violation(`${host.name} lost ${text} (outbox)`)
    },
    /** Faults have stopped, and every hold had time to end. */
    atRest: (host: WorkerHost): void => {
      for (const { text, status, detail } of rowsOf(host))
        if (status === 'queued')
          violation(`${text} of ${host.name} is still queued: ${detail ?? ''} (outbox)`)
    },
  }
}
