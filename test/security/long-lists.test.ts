import { deepEqual } from 'node:assert/strict'
import { isLeft } from 'fp-ts/lib/Either.js'
import { before, describe, it } from 'mocha'
import type { Table } from '#protocol/route.js'
import { routes } from '#protocol/routes.js'
import { atOnce } from '#src/domain/slicing/sliced.js'
import { encodeAnswerInSlices } from '#src/http/answers/answer-bytes.js'
import { handlers } from '#src/http/handlers/all.js'
import { bindHandlers, type Served } from '#src/http/routing/matcher.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { processorTimeMs, slowness } from '#test/support/processor-time.js'
import { worldOf } from '#test/support/world.js'

const table: Table = routes
const header = '2026-01-01, Wielka zmiana, Brzoza'
const changes = 100_000

const dayMs = 86_400_000
const dayBefore = (days: number): string =>
  new Date(Date.UTC(2025, 11, 31) - days * dayMs).toISOString().slice(0, 10)

const tags = ['stan', 'lokacja', 'info', 'grupa']

const longWorld = (): Snapshot =>
  worldOf({
    '.svc/format.json': '{"format": 2}',
    'kontrybutorzy.md': '## Gracz\n### Brzoza\n- @gameid: 41001\n',
    'encje/indeks.md': '### Ola\n- @typ: Postać\n- @należy_do: Brzoza\n### Ala\n- @typ: Postać\n',
    'sesje/a.md': [
      `### ${header}\n\nProza.\n\n- @Zmiany:\n    - Ola\n`,
      ...Array.from(
        { length: changes },
        (_, at) => `        - @${tags[at % tags.length]}: s${at} (${dayBefore(at % 9_000)}:)\n`,
      ),
      ...Array.from({ length: changes / 10 }, () => '- @Transfer: 3 Talary, Ola -> Ala\n'),
    ].join(''),
    '.svc/close/ledger.jsonl': `${JSON.stringify({ header, op: 'close', at: '2026-01-05T20:00:00Z', by: 'x', source: 'close', transfers: [], intel: [] })}\n`,
  })

/** Well below the 250 ms that no turn of the loop may take. */
const sliceMs = 150

/** Rows that a snapshot alone answers, for one name. */
const isAsked = ({ row }: Served): boolean => row.method === 'GET' && row.pool && row.path.includes('{')

describe('a list whose length one block or one session decides', () => {
  let snapshot: Snapshot
  before(() => {
    snapshot = longWorld()
  })

  const longest = async (served: Served, name: string): Promise<number> => {
    const path: Record<string, string> = {}
    for (const [, key = ''] of served.row.path.matchAll(/\{(\w+)\}/gu)) path[key] = name
    let [worst, last] = [0, processorTimeMs()]
    const turn = (): void => {
      const now = processorTimeMs()
      worst = Math.max(worst, now - last)
      last = now
    }
    const answered = await served.handler({
      path,
      query: {},
      caller: {
        grade: 'full',
        gracz: null,
        view: { mayReadRestricted: true, sessions: true, logs: true, external: true },
      },
      nowMs: 0,
      body: null,
      snapshot,
      node: null,
      gate: () => null,
      claimed: () => ({ row: '', asker: { _tag: 'Nobody' }, grade: 'none' }),
      isCallerThere: () => true,
      run: work => Promise.resolve(atOnce(work)),
      network: () => '',
      person: () => null,
      dryRun: false,
    })
    turn()
    if (isLeft(answered) || !('body' in answered.right)) return worst
    for (const _rest of encodeAnswerInSlices(served, 200, answered.right, Number.POSITIVE_INFINITY)) turn()
    turn()
    return worst
  }

  /** The longest slice on this machine as busy as it is now, measured again while noise may have made it. */
  const leastOf = async (served: Served, name: string): Promise<number> => {
    let least = await longest(served, name)
    for (let more = 0; more < 3 && least > sliceMs; more += 1)
      least = Math.min(least, (await longest(served, name)) / slowness())
    return least
  }

  it(`holds the loop for less than ${sliceMs} ms in every row, at ${changes} rows`, async () => {
    const over: Array<string> = []
    for (const served of bindHandlers(table, handlers).filter(isAsked))
      for (const name of ['Ola', header]) {
        const ms = await leastOf(served, name)
        if (ms > sliceMs) over.push(`${served.row.path} of ${name}: ${Math.round(ms)} ms`)
      }
    deepEqual(over, [])
  }).timeout(120_000)
})
