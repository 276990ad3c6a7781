import { deepEqual, equal, ok } from 'node:assert/strict'
import * as t from 'io-ts'
import { afterEach, describe, it } from 'mocha'
import { closeSessions, indexWithPurses, payment } from '#test/support/closed-world.js'
import { startNode, type TestNode } from '#test/support/node.js'

const index = indexWithPurses('### Skarbiec\n- @typ: Grupa\n', '### Anna\n- @typ: NPC\n- @grupa: Skarbiec\n')

const texts = {
  'encje/indeks.md': index,
  'kontrybutorzy.md': '## Gracz\n\n### Solmyr\n- @gameid: 1\n',
  'Sesje.md': payment('Anna', { after: '- @Intel:\n    - Grupa/Skarbiec: Wieść.\n' }),
}

const ledger = '.svc/close/ledger.jsonl'
const Report = t.type({ Files: t.readonlyArray(t.string) })
const Recipients = t.type({ items: t.readonlyArray(t.type({ recipients: t.readonlyArray(t.string) })) })

describe('a close ledger of an earlier release', () => {
  let node: TestNode
  afterEach(() => node.stop())

  const quantity = async (name: string): Promise<string> => {
    const { text } = await node.client.ask(`/entities/${encodeURIComponent(name)}`)
    return /"Quantity":("?-?\d+"?|null)/iu.exec(text)?.[1] ?? text
  }
  const adopt = async (): Promise<ReadonlyArray<string>> => {
    const reply = await node.client.ask('/import', { method: 'POST', body: '{}' })
    equal(reply.status, 200, reply.text)
    ok(Report.is(reply.json), reply.text)
    return reply.json.Files
  }

  it('gets what its rows meant from the commit that added them, once', async () => {
    node = await startNode({
      files: { ...closeSessions(texts, false), '.svc/format.json': '{"format": 2}\n' },
    })
    const { repository, client } = node
    repository.commit({
      'encje/a.md': '### Skarbiec\n- @typ: Postać\n- @należy_do: Solmyr\n',
      'encje/b.md': '### Zenon\n- @typ: NPC\n- @grupa: Skarbiec (2024-01:)\n',
    })
    deepEqual(await adopt().then(files => files.filter(path => path.startsWith('.svc/close'))), [ledger])
    deepEqual(repository.git('show', `HEAD:${ledger}`), (closeSessions(texts, true)[ledger] ?? '').trim())
    equal(await quantity('Korony Anny'), '40')
    equal(await quantity('Korony Skarbca'), '60')
    const { json } = await client.ask('/audit/notifications')
    ok(Recipients.is(json))
    deepEqual(json.items[0]?.recipients, ['Skarbiec', 'Anna'])
    const head = repository.head()
    await adopt()
    equal(repository.head(), head)
  })

  it('keeps what a row meant through a rename', async () => {
    node = await startNode({
      files: { ...closeSessions(texts, true), '.svc/format.json': '{"format": 2}\n' },
    })
    const ask = (path: string, body: object) =>
      node.client.ask(encodeURI(path), { method: 'POST', body: JSON.stringify(body) })
    const renamed = await ask('/entities/Skarbiec/name', { name: 'Kasa' })
    equal(renamed.status, 200, renamed.text)
    const made = await ask('/entities', { name: 'Skarbiec', type: 'NPC' })
    equal(made.status, 201, made.text)
    equal(await quantity('Korony Anny'), '40')
    equal(await quantity('Korony Skarbca'), '60')
    const { json } = await node.client.ask('/audit/notifications')
    ok(Recipients.is(json))
    deepEqual(json.items[0]?.recipients, ['Kasa', 'Anna'])
  })
})
