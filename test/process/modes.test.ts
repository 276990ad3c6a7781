import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'mocha'
import { EventPage } from '#protocol/host/events.js'
import { eventually } from '#test/support/daemon.js'
import type { Reply } from '#test/support/http-client.js'
import { nodeFiles, restoreCommit, startNode, type TestNode } from '#test/support/node.js'

const block = (name: string): string => `### ${name}\n- @typ: NPC\n`
const names = Array.from(
  { length: 48 },
  (_, at) => `Kupiec ${String.fromCharCode(65 + (at >> 3), 65 + (at & 7))}`,
)
const lore = { ...nodeFiles, 'encje/indeks.md': names.map(block).join('\n') }

const postTo = (node: TestNode, path: string, body: object): Promise<Reply> =>
  node.client.ask(path, { method: 'POST', body: JSON.stringify(body) })
const setMode = (node: TestNode, mode: string, query = ''): Promise<Reply> =>
  postTo(node, `/admin/mode${query}`, { mode })
const patchAt = (node: TestNode, name: string, query = ''): Promise<Reply> =>
  node.client.ask(`/entities/${encodeURIComponent(name)}${query}`, {
    method: 'PATCH',
    body: JSON.stringify({ tag: 'status', value: 'Aktywny' }),
  })

describe('the modes of a node', () => {
  let node: TestNode
  let first: string
  const post = (path: string, body: object = {}): Promise<Reply> => postTo(node, path, body)
  const mode = (wanted: string, query = ''): Promise<Reply> => setMode(node, wanted, query)
  const patch = (name: string, query = ''): Promise<Reply> => patchAt(node, name, query)
  const commits = (): number => Number(node.repository.git('rev-list', '--count', 'HEAD'))

  before(async () => {
    node = await startNode({ files: lore })
    first = node.repository.head()
  })
  afterEach(async () => {
    await mode('read-write')
    await restoreCommit(node, first)
  })
  after(() => node.stop())

  const commitFormat = async (format: number): Promise<void> => {
    node.repository.commit({ '.svc/format.json': `{"format": ${format}}\n` })
    await node.host.look()
  }

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
      const [stands, head] = [commits(), node.repository.head()]
      const answers = await Promise.all(writes)
      equal(node.repository.head(), head, 'a commit came after the answer')
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

  it('follows a change of the role: no write is committed after its event (S18)', async () => {
    const stateWith = (role: 'replica' | 'alone') => ({ ...node.host.fleet.state(), role })
    const { follow } = node.host.roleMode
    const eventsSince = async (since: number): Promise<string> =>
      (await node.client.ask(`/events/journal?since=${since}`)).text
    let [committed, refused] = [0, 0]
    for (let round = 0; round < 4; round += 1) {
      await restoreCommit(node, first)
      const { json } = await node.client.ask('/events/journal')
      ok(EventPage.is(json))
      let answers: ReadonlyArray<Reply> = []
      const patchUntilRefused = async (own: ReadonlyArray<string>): Promise<void> => {
        for (const name of own) {
          const answer = await patch(name)
          answers = [...answers, answer]
          if (answer.status !== 200) return
          if (answers.length === 1) follow(stateWith('replica'), true)
        }
      }
      await Promise.all([0, 12, 24, 36].map(at => patchUntilRefused(names.slice(at, at + 12))))
      const text = await eventually(
        () => eventsSince(json.head),
        told => told.includes('"mode":"ReadOnly"'),
      )
      const [, after = ''] = text.split('mode:changed')
      equal(after.includes('write:committed'), false, text)
      match(after, /"actor":"daemon"/)
      for (const { status } of answers) ok(status === 200 || status === 403, String(status))
      committed += answers.filter(({ status }) => status === 200).length
      refused += answers.filter(({ status }) => status === 403).length
      follow(stateWith('alone'), true)
    }
    ok(committed > 0 && refused > 0, `${committed} committed, ${refused} refused: nothing raced`)
  })

  it('is shown by /health, told as an event, and passed by a dry run', async () => {
    const earlier = node.records.length
    const { json } = await node.client.ask('/events/journal')
    ok(EventPage.is(json))
    const since = json.head
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
    const written = await patch('Kupiec AA')
    equal(written.status, 200)
    const commit = String(written.headers['x-svc-commit'])
    const inOrder = ['mode:changed.*"ReadOnly"', 'mode:changed.*"ReadWrite"', `write:committed.*${commit}`]
    // The journal has the snapshot of a write before the write itself.
    await eventually(
      async () => (await node.client.ask(`/events/journal?since=${since}`)).text,
      text => new RegExp(inOrder.join('.*'), 's').test(text),
    )
    const logged = node.records
      .slice(earlier)
      .map(({ event }) => event)
      .filter(event => event.startsWith('writes_'))
    deepEqual(logged, ['writes_refused', 'writes_open'])
  })

  it('takes two words and no other', async () => {
    for (const wrong of ['ReadOnly', '', 'readonly']) equal((await mode(wrong)).status, 400, wrong)
    equal((await post('/admin/mode')).status, 400)
  })

  it('refuses writes and dry runs of a repository that is not adopted, and lets the mode be set (S19)', async () => {
    await commitFormat(1)
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
    await commitFormat(3)
    for (const query of ['', '?dryRun=true']) {
      const refused = await patch('Kupiec AA', query)
      equal(refused.status, 403)
      match(refused.text, /^\{"error":"SchemaTooNew","detail":".*Update this host/)
    }
    equal(commits(), 2)
  })
})

describe('a node that is configured as read-only', () => {
  it('takes no write from its start on, and is opened by hand', async () => {
    const node = await startNode({
      files: { ...lore, '.svc/config.json': '{"server": {"read_only": true}}\n' },
    })
    try {
      equal((await patchAt(node, 'Kupiec AA')).status, 403)
      equal((await setMode(node, 'read-write')).status, 200)
      equal((await patchAt(node, 'Kupiec AA')).status, 200)
    } finally {
      await node.stop()
    }
  })
})
