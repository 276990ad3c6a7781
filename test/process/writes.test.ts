import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, afterEach, before, describe, it } from 'mocha'
import { EventPage } from '#protocol/host/events.js'
import { eventually } from '#test/support/daemon.js'
import type { Reply } from '#test/support/http-client.js'
import { jsonField } from '#test/support/json-field.js'
import { nodeFiles, restoreCommit, startNode, type TestNode } from '#test/support/node.js'
import { writeFiles } from '#test/support/repository.js'

const block = (name: string): string => `### ${name}\n- @typ: NPC\n- @alias: ${name} Stary\n`
const names = Array.from(
  { length: 64 },
  (_, at) => `Kupiec ${String.fromCharCode(65 + (at >> 3), 65 + (at & 7))}`,
)

describe('a write through the whole node', () => {
  let node: TestNode
  let first: string
  const index = 'encje/indeks.md'
  const patch = (name: string, body: object, query = ''): Promise<Reply> =>
    node.client.ask(`/entities/${encodeURIComponent(name)}${query}`, {
      method: 'PATCH',
      body: JSON.stringify(body),
    })
  const inTree = (path: string): string => readFileSync(join(node.repository.path, path), 'utf8')
  const log = (format: string): ReadonlyArray<string> =>
    node.repository.git('log', '--reverse', `--format=${format}`).split('\n')

  /** Gives a block a status; returns the commit. */
  const activate = async (name: string, value = 'Aktywny'): Promise<string> => {
    const answer = await patch(name, { tag: 'status', value })
    equal(answer.status, 200, answer.text)
    return String(answer.headers['x-svc-commit'])
  }
  /** The commits of the writes in the journal behind a page of it, as soon as there are 64. */
  const committedSince = (page: unknown) =>
    eventually(
      async () => {
        const since = EventPage.is(page) ? page.head : 0
        const { json } = await node.client.ask(`/events/journal?since=${since}&limit=1000`)
        const items = EventPage.is(json) ? json.items : []
        return items.flatMap(({ kind, payload }) =>
          kind === 'write:committed' ? [jsonField(payload, 'commit')] : [],
        )
      },
      commits => commits.length === 64,
    )

  before(async () => {
    node = await startNode({
      files: {
        ...nodeFiles,
        [index]: names.map(block).join('\n'),
        'encje/indeks-02.md': Buffer.concat([
          Buffer.from(`${block('Kupiec Zły')}- @info: `),
          Buffer.from([0xff, 0x0a]),
        ]),
        'Wątki/szkic.md': 'Pierwsza wersja.\n',
      },
    })
    first = node.repository.head()
  })
  afterEach(() => restoreCommit(node, first))
  after(() => node.stop())

  it('is one commit with author, committer and trailers, served before it is answered', async () => {
    const answer = await patch('Kupiec AA', { tag: 'status', value: 'Aktywny' })
    equal(answer.status, 200, answer.text)
    equal(answer.headers['x-svc-commit'], node.repository.head())
    equal(node.repository.git('rev-list', '--count', 'HEAD'), '2')
    equal(
      node.repository.git('log', '-1', '--format=%an <%ae> %cn <%ce>'),
      'Kronika <kronika@kronika.invalid> Kronika <kronika@kronika.invalid>',
    )
    const trailers = node.repository.git('log', '-1', '--format=%(trailers:only)')
    match(trailers, /^Svc-Intent: [0-9a-f-]{36}\nSvc-Actor: \w+\nSvc-Route: PATCH \/entities\/\{name\}$/)
    match((await node.client.ask('/entities/Kupiec%20AA')).text, /Aktywny/)
    match(inTree(index), /@status: Aktywny/)
    equal(node.repository.git('status', '--porcelain'), '')
    node.repository.git('fsck', '--strict')
  })

  it('changes nothing on a dry run, and shows the diff', async () => {
    const before = node.repository.head()
    const dry = await patch('Kupiec AA', { tag: 'status', value: 'Aktywny' }, '?dryRun=true')
    equal(dry.status, 200)
    match(dry.text, /\+- @status: Aktywny/)
    equal(node.repository.head(), before)
    equal(node.repository.git('status', '--porcelain'), '')
  })

  it('makes 64 at once a commit each, in the order of the journal and, for each client, of its answers', async () => {
    const { json: began } = await node.client.ask('/events/journal?limit=1')
    const acknowledged = await Promise.all(names.map(name => activate(name)))
    const history = log('%H').slice(1)
    // Answers on several connections reach a client in any order; the host records its own.
    deepEqual(acknowledged.toSorted(), history.toSorted())
    equal(new Set(acknowledged).size, 64)
    deepEqual(await committedSince(began), history)
    equal(inTree(index).match(/@status: Aktywny/g)?.length, 64)
    equal(node.repository.git('status', '--porcelain'), '')
    node.repository.git('fsck', '--strict')
    const clients = Array.from({ length: 4 }, async (_, client) => {
      const own: Array<string> = []
      for (const value of ['Nieaktywny', 'Aktywny', 'Nieaktywny', 'Aktywny'])
        own.push(await activate(names[client] ?? '', value))
      return own
    })
    for (const own of await Promise.all(clients)) {
      const places = own.map(commit => log('%H').indexOf(commit))
      deepEqual(
        places,
        places.toSorted((one, other) => one - other),
        'a write follows those whose answers its client has',
      )
      ok(places.every(place => place > 64))
    }
  })

  it('leaves a draft of a person in another file, staged or not', async () => {
    writeFiles(node.repository.path, { 'Wątki/szkic.md': 'Zaczęte.\n', 'Wątki/nowy.md': 'Nowe.\n' })
    node.repository.git('add', 'Wątki/nowy.md')
    equal((await patch('Kupiec AB', { tag: 'status', value: 'Aktywny' })).status, 200)
    equal(inTree('Wątki/szkic.md'), 'Zaczęte.\n')
    equal(
      node.repository.git('-c', 'core.quotePath=false', 'status', '--porcelain'),
      'A  Wątki/nowy.md\n M Wątki/szkic.md'.trim(),
    )
  })

  it('refuses over a hand edit of the file that it would touch, and leaves it', async () => {
    const edited = `${inTree(index)}\n### Ktoś\n- @typ: NPC\n`
    writeFiles(node.repository.path, { [index]: edited })
    const refused = await patch('Kupiec AC', { tag: 'status', value: 'Aktywny' })
    equal(refused.status, 409)
    match(refused.text, /WorkTreeDirty.*encje\/indeks\.md/)
    equal(inTree(index), edited)
    node.repository.git('add', index)
    equal((await patch('Kupiec AC', { tag: 'status', value: 'Aktywny' })).status, 409)
    equal(node.repository.git('rev-list', '--count', 'HEAD'), '1')
  })

  it('waits for a lock of a person, then gives up and says whose', async () => {
    const lock = join(node.repository.path, '.git/index.lock')
    writeFiles(node.repository.path, { '.git/index.lock': '' })
    const waiting = patch('Kupiec AD', { tag: 'status', value: 'Aktywny' })
    await new Promise(resolve => setTimeout(resolve, 100))
    rmSync(lock)
    equal((await waiting).status, 200)
    writeFiles(node.repository.path, { '.git/index.lock': '' })
    const refused = await patch('Kupiec AE', { tag: 'status', value: 'Aktywny' })
    equal(refused.status, 503)
    match(refused.text, /index\.lock/)
    equal(readFileSync(lock, 'utf8'), '')
    rmSync(lock)
  })

  it('is planned again on what a person committed meanwhile', async () => {
    const answers = names.slice(0, 8).map(name => patch(name, { tag: 'status', value: 'Aktywny' }))
    await eventually(
      () => {
        try {
          return Promise.resolve(node.repository.commit({ 'Wątki/ręka.md': 'Ręką.\n' }))
        } catch {
          return Promise.resolve(null)
        }
      },
      commit => commit !== null,
    )
    for (const answer of await Promise.all(answers)) equal(answer.status, 200, answer.text)
    equal(node.repository.git('status', '--porcelain'), '')
    equal(node.repository.git('rev-list', '--count', 'HEAD'), '10')
    equal(inTree(index).match(/@status: Aktywny/g)?.length, 8)
  })

  it('refuses to edit a file that is no UTF-8: its bytes could not be kept', async () => {
    const refused = await patch('Kupiec Zły', { tag: 'status', value: 'Aktywny' })
    equal(refused.status, 422)
    match(refused.text, /"WriteRejected".*encje\/indeks-02\.md.*"hook":"editable-text"/)
    equal(node.repository.git('rev-list', '--count', 'HEAD'), '1')
  })

  it('answers HEAD and makes no commit where nothing changes', async () => {
    await patch('Kupiec AF', { tag: 'status', value: 'Aktywny' })
    const again = await patch('Kupiec AF', { tag: 'status', value: 'Aktywny' })
    match(again.text, /"changed":false/)
    equal(again.headers['x-svc-commit'], node.repository.head())
    equal(node.repository.git('rev-list', '--count', 'HEAD'), '2')
  })
})
