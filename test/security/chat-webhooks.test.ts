import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, before, describe, it } from 'mocha'
import type { Route, Table } from '#protocol/route.js'
import { routes } from '#protocol/routes.js'
import { changesOfFile } from '#src/domain/audit/changed-file.js'
import { atOnce } from '#src/domain/slicing/sliced.js'
import { collectNeededPairs, goodPairs, requestTargetOf } from '#test/contract/bench.js'
import { samples } from '#test/contract/samples.js'
import { contractFiles, servedCommit } from '#test/support/contract-world.js'
import { nodeView, type TestFront, testFront } from '#test/support/front.js'
import { historyOf } from '#test/support/history.js'
import { jsonField } from '#test/support/json-field.js'
import { worldOf } from '#test/support/world.js'

const canary = 'CANARY0123456789'
const addresses = [
  `https://chat.example/api/webhooks/123456789012345678/${canary}`,
  `https://hooks.example/${canary}`,
  `webhooks/${canary}`,
  `HTTPS://chat.example/api/webhooks/1/${canary} (2024-01:)`,
]
const store = contractFiles['kontrybutorzy.md'].replace(
  '- @chat: sesje/brzoza\n',
  addresses.map(address => `- @chat: ${address}\n`).join(''),
)
const table: Table = routes
const reads = Object.entries(table).filter(([, row]: readonly [string, Route]) => row.method === 'GET')

describe('webhooks in @chat (D36)', () => {
  let front: TestFront

  before(async () => {
    const snapshot = worldOf(
      { ...contractFiles, 'kontrybutorzy.md': store, 'Opisy/Bogdan.md': store },
      { day: '2026-06-15', moderators: store },
    )
    const told = [{ subject: 'contributors', files: { 'kontrybutorzy.md': [null, store] as const } }]
    front = await testFront({
      snapshot: { ...snapshot, commit: servedCommit },
      node: nodeView({ history: historyOf(told) }),
    })
  })
  after(() => front.close())

  it('are in the answer of no GET row, whatever it is asked for', async () => {
    const leaks: Array<string> = []
    let [asked, answered] = [0, 0]
    for (const [id, row] of reads) {
      const sample = samples[id]
      if (sample === undefined || id === 'events.stream') continue
      const subject = { id, row, sample }
      for (const query of [collectNeededPairs(subject), goodPairs(subject)]) {
        const reply = await front.client.ask(requestTargetOf(subject, query))
        asked += 1
        if (reply.status === 200) answered += 1
        if (`${reply.text}${JSON.stringify(reply.headers)}`.includes(canary)) leaks.push(id)
      }
    }
    deepEqual(leaks, [])
    ok(asked > 100 && answered > asked / 2, `${answered} of ${asked}`)
  })

  it('are told as credentials in the clear, with their lines', async () => {
    const { json } = await front.client.ask('/contributors/integrity')
    const items = jsonField(json, 'items')
    const told = (Array.isArray(items) ? items : []).filter(
      (one: unknown) => jsonField(one, 'Kind') === 'RawWebhookValue',
    )
    const lines = store.split('\n').flatMap((line, at) => (line.includes(canary) ? [at + 1] : []))
    for (const file of ['kontrybutorzy.md', 'corpora.mc/kontrybutorzy.md'])
      deepEqual(
        told.filter((one: unknown) => jsonField(one, 'File') === file).map(one => jsonField(one, 'Line')),
        lines,
      )
    equal(told.length, 2 * addresses.length)
  })

  it('are withheld from the changes of the lore', () => {
    const found = atOnce(
      changesOfFile(
        { path: 'kontrybutorzy.md', text: contractFiles['kontrybutorzy.md'] },
        { path: 'kontrybutorzy.md', text: store },
      ),
    )
    const chats = found.filter(one => one.field === 'chat' && one.is?.includes(canary) === true)
    deepEqual(
      chats.map(one => one.withheld),
      addresses.map(() => 'secret'),
    )
  })
})
