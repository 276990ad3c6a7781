import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { eventually } from '#test/support/daemon.js'
import type { Reply } from '#test/support/http-client.js'
import { nodeFiles, startNode, type TestNode } from '#test/support/node.js'

const block = (name: string): string => `### ${name}\n- @typ: NPC\n`
const names = Array.from(
  { length: 48 },
  (_, at) => `Kupiec ${String.fromCharCode(65 + (at >> 3), 65 + (at & 7))}`,
)
const lore = { ...nodeFiles, 'encje/indeks.md': names.map(block).join('\n') }

describe('the modes of a node', () => {
  let node: TestNode
  const start = async (files: Readonly<Record<string, string>> = {}): Promise<void> => {
    node = await startNode({ files: { ...lore, ...files } })
  }
  const post = (path: string, body: object = {}): Promise<Reply> =>
    node.client.ask(path, { method: 'POST', body: JSON.stringify(body) })
  const mode = (wanted: string, query = ''): Promise<Reply> => post(`/admin/mode${query}`, { mode: wanted })
  const patch = (name: string, query = ''): Promise<Reply> =>
    node.client.ask(`/entities/${encodeURIComponent(name)}${query}`, {
      method: 'PATCH',
      body: JSON.stringify({ tag: 'status', value: 'Aktywny' }),
    })
  const commits = (): number => Number(node.repository.git('rev-list', '--count', 'HEAD'))

  afterEach(() => node.stop())

  describe('set over HTTP', () => {
    beforeEach(() => start())

    it('lets no commit come after the answer that closed the gate, whenever it was asked (S18)', async () => {
      let [committed, refused] = [0, 0]
      for (const waitMs of [0, 2, 5, 10, 20, 40, 80]) {
        const from = names.slice(committed % names.length)
        const before = commits()
        const writes = from.slice(0, 24).map(async (name, at) => {
          await new Promise(resolve => setTimeout(resolve, at * 2))
          return patch(name)
        })
        await new Promise(resolve => setTimeout(resolve, waitMs))
        const closed = await mode('read-only')
        deepEqual([closed.status, closed.text], [200, '{"mode":"ReadOnly"}'])
        const [stands, head] = [commits(), node.repository.git('rev-parse', 'HEAD')]
        const answers = await Promise.all(writes)
        equal(node.repository.git('rev-parse', 'HEAD'), head, 'a commit came after the answer')
        const changed = answers.filter(({ text }) => text.includes('"changed":true'))
        equal(stands - before, changed.length, 'every commit was acknowledged, and nothing else')
        for (const { status, text } of answers)
          ok(status === 200 || (status === 403 && text.startsWith('{"error":"ReadOnly"')), text)
        committed += changed.length
        refused += answers.filter(({ status }) => status === 403).length
        equal((await mode('read-write')).text, '{"mode":"ReadWrite"}')
      }
      ok(committed > 0 && refused > 0, `${committed} committed, ${refused} refused: nothing raced`)
      equal(node.repository.git('status', '--porcelain'), '')
    })

    it('is shown by /health, told as an event, and passed by a dry run', async () => {
      await mode('read-only', '?dryRun=true')
      match((await node.client.ask('/health')).text, /"mode":"ReadWrite"/)
      await mode('read-only')
      match((await node.client.ask('/health')).text, /"mode":"ReadOnly"/)
      const refused = await patch('Kupiec AA')
      equal(refused.status, 403)
      match(refused.text, /^\{"error":"ReadOnly","detail":".*POST \/admin\/mode/)
      match((await patch('Kupiec AA', '?dryRun=true')).text, /\+- @status: Aktywny/)
      equal(commits(), 1)
      await mode('read-write')
      equal((await patch('Kupiec AA')).status, 200)
      const told = await eventually(
        async () => (await node.client.ask('/events/journal?since=0')).text,
        text => text.includes('"write:committed"'),
      )
      match(told, /"mode:changed".*"ReadOnly".*"mode:changed".*"ReadWrite".*"write:committed"/s)
      const logged = node.records.map(({ event }) => event).filter(event => event.startsWith('writes_'))
      deepEqual(logged, ['writes_refused', 'writes_open'])
    })

    it('takes two words and no other', async () => {
      for (const wrong of ['ReadOnly', '', 'readonly']) equal((await mode(wrong)).status, 400, wrong)
      equal((await post('/admin/mode')).status, 400)
    })
  })

  it('refuses writes and dry runs of a repository that is not adopted, and lets the mode be set (S19)', async () => {
    await start({ '.svc/format.json': '{"format": 1}\n' })
    for (const query of ['', '?dryRun=true']) {
      const refused = await patch('Kupiec AA', query)
      equal(refused.status, 403)
      match(refused.text, /^\{"error":"SchemaTooOld","detail":".*POST \/import/)
    }
    equal((await mode('read-only')).status, 200)
    match((await patch('Kupiec AA')).text, /"SchemaTooOld"/)
    equal((await mode('read-write')).status, 200)
    equal((await post('/import?async=false')).status, 200)
    equal((await patch('Kupiec AA')).status, 200)
  })

  it('refuses writes and dry runs of a newer format', async () => {
    await start({ '.svc/format.json': '{"format": 3}\n' })
    for (const query of ['', '?dryRun=true']) {
      const refused = await patch('Kupiec AA', query)
      equal(refused.status, 403)
      match(refused.text, /^\{"error":"SchemaTooNew","detail":".*Update this host/)
    }
    equal(commits(), 1)
  })

  it('starts read-only where the configuration says so, and is opened by hand', async () => {
    await start({ '.svc/config.json': '{"server": {"read_only": true}}\n' })
    equal((await patch('Kupiec AA')).status, 403)
    equal((await mode('read-write')).status, 200)
    equal((await patch('Kupiec AA')).status, 200)
  })
})
