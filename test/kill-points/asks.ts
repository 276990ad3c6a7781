import * as t from 'io-ts'
import { EventPage } from '#protocol/events/record.js'
import type { Ask, Client, Reply } from '#test/support/http-client.js'
import type { Ledger } from './ledger.js'
import { names, pathOf } from './lore.js'
import type { Place } from './place.js'

/** An answer; null when none came, as from a daemon that was killed. */
export const answered = (client: Client, path: string, ask: Ask): Promise<Reply | null> =>
  client.ask(path, ask).catch(() => null)

/** Adds a text of its own to an entity and records what became of it; the status, 0 without an answer. */
export const patch = async (client: Client, ledger: Ledger, name: string): Promise<number> => {
  const text = ledger.fresh()
  const body = JSON.stringify({ tag: '@info', value: text })
  const reply = await answered(client, `/entities/${encodeURIComponent(name)}`, { method: 'PATCH', body })
  const commit = String(reply?.headers['x-svc-commit'] ?? '')
  const fate = reply?.status === 200 ? ({ _tag: 'acked', commit } as const) : ({ _tag: 'open' } as const)
  ledger.record({ text, fate })
  return reply?.status ?? 0
}

/** One more write to each file: whatever the kill left must not stand in its way. */
export const writeNext = async (client: Client, ledger: Ledger): Promise<string | null> => {
  for (const name of [names[0], names[11]]) {
    const status = await patch(client, ledger, name ?? '')
    if (status !== 200) return `the next write was answered ${status}`
  }
  return null
}

export const adopt = async (client: Client): Promise<number> =>
  (await answered(client, '/import', { method: 'POST', body: '{}' }))?.status ?? 0

const Converged = t.type({
  lastAction: t.union([t.string, t.null]),
  unpublished: t.union([t.number, t.null]),
})

/** Runs a converge; null when it did all that it should, else what it said. */
export const converge = async (client: Client): Promise<string | null> => {
  const reply = await answered(client, '/sync', { method: 'POST', body: '{}' })
  const status = Converged.decode(reply?.json)
  if (reply?.status !== 200 || status._tag === 'Left')
    return `the converge was answered ${reply?.status ?? 0}: ${reply?.text ?? ''}`
  const { lastAction } = status.right
  return ['up_to_date', 'pulled', 'pushed', 'merged'].includes(lastAction ?? '')
    ? null
    : `the converge came to ${lastAction}`
}

/** Another host adds a text to an entity and publishes it. */
export const publishElsewhere = ({ remote }: Place, ledger: Ledger, name: string): void => {
  const text = ledger.fresh()
  const commit = remote?.publish(pathOf(name), lore =>
    lore.replace(`### ${name}\n- @typ: NPC\n`, head => `${head}- @info: ${text}\n`),
  )
  if (commit !== undefined) ledger.record({ text, isElsewhere: true, fate: { _tag: 'acked', commit } })
}

export const setMode = async (client: Client, mode: string): Promise<number> => {
  const body = JSON.stringify({ mode })
  return (await answered(client, '/admin/mode', { method: 'POST', body }))?.status ?? 0
}

/** Reads all events behind a number and holds them against those that were seen before (S27). */
export const readEvents = async (client: Client, ledger: Ledger, since: number): Promise<string | null> => {
  let at = since
  for (;;) {
    const reply = await answered(client, `/events/journal?since=${at}&limit=1000`, {})
    if (reply === null) return 'the journal was not answered'
    const page = EventPage.decode(reply.json)
    if (page._tag === 'Left') return `the journal was answered ${reply.status}`
    const { items, gaps, head } = page.right
    if (gaps.length > 0) return `the journal has gaps: ${JSON.stringify(gaps)} (S27)`
    if (head < ledger.lastSeen())
      return `event ${ledger.lastSeen()} was seen, and the journal ends with ${head}`
    for (const item of items) {
      if (item.seq !== at + 1) return `event ${item.seq} comes behind ${at} (S27)`
      const twice = ledger.sawEvent(item.seq, JSON.stringify(item))
      if (twice !== null) return twice
      at = item.seq
    }
    if (at >= head) return null
  }
}
