import * as t from 'io-ts'
import { EventPage } from '#protocol/host/events.js'
import type { Ask, Client, Reply } from '#test/support/http-client.js'
import type { AckedEntry, WriteLedger } from './ledger.js'
import { lorePathOf, names } from './lore.js'
import type { KillPlace } from './place.js'

/** An answer; null when none came, as from a daemon that was killed. */
export const askOrNull = (client: Client, path: string, ask: Ask): Promise<Reply | null> =>
  client.ask(path, ask).catch(() => null)

type Acked =
  | Extract<AckedEntry['fate'], { readonly _tag: 'acked' }>
  | { readonly _tag: 'open'; readonly status: number }

const changeEntity = async (client: Client, name: string, change: object): Promise<Acked> => {
  const body = JSON.stringify(change)
  const reply = await askOrNull(client, `/entities/${encodeURIComponent(name)}`, { method: 'PATCH', body })
  const commit = String(reply?.headers['x-svc-commit'] ?? '')
  return reply?.status === 200 ? { _tag: 'acked', commit } : { _tag: 'open', status: reply?.status ?? 0 }
}

/** Adds a text of its own to an entity and records what became of it; the status, 0 without an answer. */
export const patch = async (client: Client, ledger: WriteLedger, name: string): Promise<number> => {
  const text = ledger.fresh()
  const fate = await changeEntity(client, name, { tag: '@info', value: text })
  ledger.record({ text, fate })
  return fate._tag === 'acked' ? 200 : fate.status
}

type Deed = (client: Client, ledger: WriteLedger, name: string) => Promise<void>

/** Gives an entity a place that it is at since ever: a row with one value. */
const movePlace =
  (beside: Pick<AckedEntry, 'beside'>): Deed =>
  async (client, ledger, name) => {
    const text = ledger.fresh()
    const fate = await changeEntity(client, name, { tag: '@lokacja', value: text, from: null })
    if (fate._tag === 'open') throw new Error(`the change of a place was answered ${fate.status}`)
    ledger.record({ text, ...beside, fate })
  }

/** Moves an entity that another host moves too, and publishes first. */
export const moveHere = movePlace({ beside: 'parked' })

/** Moves an entity on the host that publishes first. */
export const moveFirst = movePlace({})

/** One more write to each file: whatever the kill left must not stand in its way. */
export const writeNext = async (client: Client, ledger: WriteLedger): Promise<string | null> => {
  for (const name of [names[0], names[11]]) {
    const status = await patch(client, ledger, name ?? '')
    if (status !== 200) return `the next write was answered ${status}`
  }
  return null
}

export const askAdopt = async (client: Client): Promise<number> =>
  (await askOrNull(client, '/import', { method: 'POST', body: '{}' }))?.status ?? 0

const Converged = t.type({
  lastAction: t.union([t.string, t.null]),
  unpublished: t.union([t.number, t.null]),
})

/** Runs a converge; null when it did all that it should, else what it said. */
export const converge = async (client: Client): Promise<string | null> => {
  const reply = await askOrNull(client, '/sync', { method: 'POST', body: '{}' })
  const status = Converged.decode(reply?.json)
  if (reply?.status !== 200 || status._tag === 'Left')
    return `the converge was answered ${reply?.status ?? 0}: ${reply?.text ?? ''}`
  const { lastAction } = status.right
  return ['up_to_date', 'pulled', 'pushed', 'merged', 'conflict_parked', 'push_pending'].includes(
    lastAction ?? '',
  )
    ? null
    : `the converge came to ${lastAction}`
}

type Elsewhere = (place: KillPlace, ledger: WriteLedger, name: string) => void

/** Another host puts a row into an entity and publishes it, in the place of its rows of that tag where `isOnly`. */
const publishRow =
  (tag: string, isOnly: boolean): Elsewhere =>
  ({ remote }, ledger, name) => {
    const text = ledger.fresh()
    const head = `### ${name}\n- @typ: NPC\n`
    const old = new RegExp(`(?<=${head}(?:- .*\n)*)- ${tag}: .*\n`, 'gu')
    const commit = remote?.publish(lorePathOf(name), lore =>
      (isOnly ? lore.replace(old, '') : lore).replace(head, `${head}- ${tag}: ${text}\n`),
    )
    const beside = isOnly ? ({ beside: 'replaced' } as const) : {}
    if (commit !== undefined)
      ledger.record({ text, ...beside, isElsewhere: true, fate: { _tag: 'acked', commit } })
  }

/** Another host adds a text to an entity and publishes it. */
export const publishElsewhere = publishRow('@info', false)

/** Another host gives an entity another place and publishes it. */
export const moveElsewhere = publishRow('@lokacja', true)

export const askMode = async (client: Client, mode: string): Promise<number> => {
  const body = JSON.stringify({ mode })
  return (await askOrNull(client, '/admin/mode', { method: 'POST', body }))?.status ?? 0
}

/** Reads all events behind a number and holds them against those that were seen before (S27). */
export const readEvents = async (
  client: Client,
  ledger: WriteLedger,
  since: number,
): Promise<string | null> => {
  let at = since
  for (;;) {
    const reply = await askOrNull(client, `/events/journal?since=${at}&limit=1000`, {})
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
