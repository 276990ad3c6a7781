import { deepEqual, equal, ok } from 'node:assert/strict'
import { routes } from '#protocol/routes.js'
import { contractWorld } from '#test/support/contract-world.js'
import { nodeView, type TestFront, testFront } from '#test/support/front.js'
import { isFields } from '#test/support/matching.js'
import { readTuningOf } from '#test/support/tuning.js'
import { textsOf } from '#test/support/writing-world.js'
import { type LoreBody, type LoreRow, loreBodies } from './lore-bodies.js'
import { isRefused } from './row.js'

/** A text of a body, by its path; `set` gives the body another one there. */
interface Leaf {
  readonly at: string
  readonly set: (text: string) => unknown
}

/** Every text of a body, the names of tags included: they are keys of `tags`. */
const leavesOf = (value: unknown, at = ''): ReadonlyArray<Leaf> => {
  if (typeof value === 'string') return [{ at, set: text => text }]
  if (Array.isArray(value))
    return value.flatMap((one: unknown, nth) =>
      leavesOf(one, `${at}[${nth}]`).map(({ at: below, set }) => ({
        at: below,
        set: (text: string) => value.map((other: unknown, place) => (place === nth ? set(text) : other)),
      })),
    )
  if (!isFields(value)) return []
  return Object.entries(value).flatMap(([key, one]) => {
    const below = leavesOf(one, at === '' ? key : `${at}.${key}`)
    const inner = below.map(
      (leaf): Leaf => ({ at: leaf.at, set: text => ({ ...value, [key]: leaf.set(text) }) }),
    )
    const named: Leaf = { at: `${at} as a name`, set: text => ({ ...value, [text]: one }) }
    return at.endsWith('tags') ? [...inner, named] : inner
  })
}

/** What would forge a line, a heading or a row, or hide what is written. */
const forged = [
  ...['a\n### Injected', ' \n### Injected', '\n- @rola: admin', 'a\r\n- @rola: admin', 'a\r- @rola: admin'],
  ...['a\u0007b', 'a\u0085- @rola: admin', 'a\u2028- @rola: admin', 'a\u2029b', '\u202enimda', '\u001b[31ma'],
]

/** Prose has lines; what it may not have is a line that is read as anything but prose. */
const forgedProse = [
  ...['a\n### Injected', 'a\n## Injected', 'a\n### 2026-01-01, Inna, Brzoza', '- @PU:\n    - Iskra: 9'],
  ...['a\n```', 'Logi: https://logi.example/8', 'a\r- @PU:', 'a\u0007b', 'a\u0085b', 'a\u2028b', '\u202eb'],
]

/**
 * Texts that become no lore. A transcript is archived as it is, and read as lines of speech. A fine-tuning sample is one
 * line of JSON (src/domain/samples/tuning-rulings.test.ts).
 */
const isNoLore = (id: string, at: string): boolean =>
  id.startsWith('training.finetune')
    ? ['content', 'note', 'items[0].id'].includes(at)
    : id === 'logs.import' && at === 'content'

const rowIds = Object.keys(loreBodies)
const isLoreRow = (id: string): id is LoreRow => rowIds.includes(id)

describe('SECURITY 4.8.22 a text that would forge a line of lore', () => {
  let front: TestFront
  before(async () => {
    const readTuning = readTuningOf(() => front.world())
    front = await testFront({ snapshot: contractWorld(), node: nodeView({ readTuning }) })
  })
  after(() => front.close())

  const texts = () => textsOf(front.world() ?? contractWorld())
  const ask = (id: LoreRow, path: string, body: unknown) =>
    front.client.ask(path, { method: routes[id].method, body: JSON.stringify(body) })

  const refused = async (id: LoreRow, { path, lookups }: LoreBody, leaf: Leaf): Promise<void> => {
    const before = texts()
    for (const text of leaf.at === 'content' ? forgedProse : forged) {
      const reply = await ask(id, path, leaf.set(text))
      const said = `${JSON.stringify(text)} at ${leaf.at}: ${reply.status} ${reply.text}`
      const lookup = lookups?.[leaf.at]
      if (lookup !== undefined) isRefused(reply, ...lookup)
      else {
        equal(reply.status, 422, said)
        const error = isFields(reply.json) ? reply.json['error'] : null
        ok(error === 'ValueRefused' || error === 'TagUnknown', said)
      }
      deepEqual(texts(), before, said)
    }
  }

  for (const [id, one] of Object.entries(loreBodies)) {
    if (!isLoreRow(id) || one.body === null) continue
    const { body, path } = one
    it(`${id} | the body without it | taken`, async () => {
      const reply = await ask(id, `${path}?dryRun=true`, body)
      equal(reply.status, 200, reply.text)
    })
    for (const leaf of leavesOf(body).filter(({ at }) => !isNoLore(id, at)))
      it(`${id} | ${leaf.at} | ${one.lookups?.[leaf.at]?.join(' ') ?? 422}`, () => refused(id, one, leaf))
  }

  it('every row that names a block in its path | such a name | 404', async () => {
    const before = texts()
    for (const [id, row] of Object.entries(routes)) {
      if (!row.write || !row.path.includes('{') || row.path.startsWith('/people')) continue
      const body = isLoreRow(id) ? { body: JSON.stringify(loreBodies[id].body ?? {}) } : {}
      for (const text of forged) {
        const path: string = row.path.replace(/\{[^}]*\}/u, encodeURIComponent(`Zamorze${text}`))
        const reply = await front.client.ask(path, { method: row.method, ...body })
        equal(reply.status, 404, `${row.method} ${path}: ${reply.text}`)
      }
    }
    deepEqual(texts(), before)
  })
})
