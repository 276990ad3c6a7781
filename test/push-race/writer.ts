import type { WriteLedger } from '#test/kill-points/ledger.js'
import type { Ask, Reply } from '#test/support/http-client.js'
import type { RaceHost } from './host.js'

/** The entity that every host writes to. */
export const sharedName = 'Karczma'

const paceMs = 1_000

const json = (method: string, body: object): Ask => ({ method, body: JSON.stringify(body) })

/** What a host writes in each of its turns. `acked` hears of the writes that were acknowledged. */
export interface PlanWrite {
  readonly plan: (turn: number, text: string) => readonly [path: string, ask: Ask]
  readonly acked: (turn: number, text: string) => void
}

/** A new block at the end of the index file, a row of the own block, or a row of the block that all write to. */
const writeOf = (name: string, turn: number, text: string): readonly [path: string, ask: Ask] => {
  if (turn % 3 === 0) return ['/entities', json('POST', { name: text, type: 'NPC' })]
  const target = turn % 3 === 1 ? name : sharedName
  return [`/entities/${encodeURIComponent(target)}`, json('PATCH', { tag: '@info', value: text })]
}

export const entityWrites = (name: string): PlanWrite => ({
  plan: (turn, text) => writeOf(name, turn, text),
  acked: () => undefined,
})

export interface RaceWrites {
  readonly statuses: ReadonlyArray<number>
  readonly latenciesMs: ReadonlyArray<number>
}

/** Writes once a second until `untilMs`, whatever comes of it; what was acknowledged is in the ledger. */
export const writeUntil = async (
  host: RaceHost,
  ledger: WriteLedger,
  untilMs: number,
  writes: PlanWrite,
): Promise<RaceWrites> => {
  const statuses: Array<number> = []
  const latenciesMs: Array<number> = []
  const beganMs = Date.now()
  for (let turn = 0; beganMs + turn * paceMs < untilMs; turn += 1) {
    await new Promise(resolve => setTimeout(resolve, beganMs + turn * paceMs - Date.now()))
    const text = ledger.fresh()
    const askedMs = performance.now()
    const [path, ask] = writes.plan(turn, text)
    const reply: Reply | null =
      (await host
        .client()
        ?.ask(path, ask)
        .catch(() => null)) ?? null
    const commit = String(reply?.headers['x-svc-commit'] ?? '')
    const isAcked = reply !== null && reply.status >= 200 && reply.status < 300
    ledger.record({ text, fate: isAcked ? { _tag: 'acked', commit } : { _tag: 'open' } })
    statuses.push(reply?.status ?? 0)
    if (isAcked) writes.acked(turn, text)
    if (isAcked) latenciesMs.push(performance.now() - askedMs)
  }
  return { statuses, latenciesMs }
}
