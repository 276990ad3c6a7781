import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { eventually } from '#test/support/daemon.js'
import { jsonField } from '#test/support/json-field.js'
import { nodeFiles, startNode, type TestNode } from '#test/support/node.js'
import { gitIn, type Repository, repositoryOf, temporaryFolder } from '#test/support/repository.js'

const row = (slug: string): string =>
  JSON.stringify({
    ...{ id: `lineage/entity-span/${slug}`, class: 'entity-span', grade: 'proposed', label: 'Grupa' },
    ...{ fields: { referent: 'Gwardia', scope: 'corpus' }, provenance: { project: 'lineage' } },
  })
const file = 'samples/lineage/entity-span.jsonl'

describe('rulings on samples of a host', () => {
  let folder: ReturnType<typeof temporaryFolder>
  let store: Repository
  let node: TestNode | null = null
  beforeEach(() => {
    folder = temporaryFolder()
    store = repositoryOf({ [file]: ['a', 'b', 'c'].map(slug => `${row(slug)}\n`).join('') })
  })
  afterEach(async () => {
    await node?.stop()
    node = null
    store.dispose()
    folder.dispose()
  })
  const start = async (): Promise<TestNode> => {
    const corpora = { adnotacje: store.path }
    const config = JSON.stringify({ corpora, server: { selfheal_interval_ms: 100 } })
    node = await startNode({ files: { ...nodeFiles, '.svc/config.json': config }, allowTree: [store.path] })
    return node
  }
  const ask = async (on: TestNode, path: string, body?: unknown) => {
    const post = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    const { status, json } = await on.client.ask(path, post)
    return { status, json, field: (name: string) => jsonField(json, name) }
  }
  const commits = (): string => gitIn(store.path, 'rev-list', '--count', 'HEAD')
  const confirm = '/training/samples/confirm'

  it('are commits of the store alone, are on disk when they are answered, and are served', async () => {
    const on = await start()
    const [lore, before] = [on.repository.head(), commits()]
    const dry = await ask(on, `${confirm}?dryRun=true`, { id: 'lineage/entity-span/b', outcome: 'deny' })
    equal(dry.status, 200)
    equal(commits(), before)
    equal((await ask(on, confirm, { id: 'lineage/entity-span/b', outcome: 'deny' })).status, 200)
    equal(Number(commits()), Number(before) + 1)
    const lines = readFileSync(join(store.path, file), 'utf8').split('\n')
    deepEqual([lines[0], lines[2]], [row('a'), row('c')])
    match(
      lines[1] ?? '',
      /"grade":"confirmed".*"verdict":"denied","accepted_by":\{"kind":"ruling","by":"machine"/u,
    )
    match(gitIn(store.path, 'log', '-1', '--format=%B'), /samples: a ruling on lineage\/entity-span\/b/u)
    equal(on.repository.head(), lore)
    equal((await ask(on, '/training/samples?grade=confirmed')).field('filtered'), 1)
    equal((await ask(on, confirm, { id: 'lineage/entity-span/b', outcome: 'deny' })).status, 200)
    equal(Number(commits()), Number(before) + 1)
  })

  it('at once: of two on one row one stands and one is refused, and those on other rows all land', async () => {
    const on = await start()
    const answers = await Promise.all([
      ask(on, confirm, { id: 'lineage/entity-span/a', outcome: 'affirm' }),
      ask(on, confirm, { id: 'lineage/entity-span/a', outcome: 'deny' }),
      ask(on, confirm, { id: 'lineage/entity-span/b', outcome: 'deny' }),
      ask(on, confirm, { id: 'lineage/entity-span/c', outcome: 'affirm' }),
    ])
    deepEqual(
      answers
        .slice(0, 2)
        .map(({ status }) => status)
        .sort(),
      [200, 409],
    )
    deepEqual(
      answers.slice(2).map(({ status }) => status),
      [200, 200],
    )
    equal((await ask(on, '/training/samples?grade=confirmed')).field('filtered'), 3)
  })

  it('are one commit for a batch, and none where nothing changes', async () => {
    const on = await start()
    const before = Number(commits())
    const items = ['a', 'b', 'c'].map(slug => ({ id: `lineage/entity-span/${slug}`, outcome: 'affirm' }))
    for (const ruled of [3, 0]) {
      const done = await ask(on, '/training/samples/confirmations', { items })
      deepEqual([done.status, done.field('ruled'), done.field('unchanged')], [200, ruled, 3 - ruled])
      equal(Number(commits()), before + 1)
    }
  })

  it('are made on what a person committed beside the host', async () => {
    const on = await start()
    gitIn(store.path, 'rm', '-q', file)
    gitIn(store.path, '-c', 'user.name=x', '-c', 'user.email=x@x', 'commit', '-qm', 'gone')
    ok(!existsSync(join(store.path, file)))
    await eventually(
      () => ask(on, '/training/samples'),
      ({ field }) => field('total') === 0,
    )
    equal((await ask(on, confirm, { id: 'lineage/entity-span/a', outcome: 'affirm' })).status, 404)
  })
})
