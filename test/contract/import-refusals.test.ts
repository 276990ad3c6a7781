import { deepEqual, equal, match } from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'mocha'
import { postJson, startDaemon } from '#test/support/daemon.js'
import type { Reply } from '#test/support/http-client.js'
import { restoreCommit, startNode, type TestNode } from '#test/support/node.js'
import { temporaryFolder, writeFiles } from '#test/support/repository.js'
import { checkRefused, fieldOf } from './bench.js'

const roster = '# Gracze\n\n## Lista\n\n### Wierzba\n\n- ID Krainy: 4101\n'

describe('POST /import over a real repository', () => {
  let node: TestNode
  let first: string
  before(async () => {
    node = await startNode({ files: { 'Gracze.md': roster } })
    first = node.repository.head()
  })
  afterEach(() => restoreCommit(node, first))
  after(() => node.stop())

  const imported = (query = ''): Promise<Reply> =>
    node.client.ask(`/import${query}`, { method: 'POST', body: '{}' })
  const commit = async (files: Readonly<Record<string, string | Buffer>>): Promise<void> => {
    node.repository.commit(files)
    await node.host.look()
  }

  it('refuses while files that it would write are changed, and names them', async () => {
    writeFiles(node.repository.path, { 'Gracze.md': 'szkic' })
    const reply = await imported()
    checkRefused(reply, 409, 'WorkTreeDirty')
    match(String(fieldOf(reply, 'files')), /Gracze\.md/)
  })

  it('lists them on a dry run, and lists none where there are none', async () => {
    const dirty = async (): Promise<unknown> => {
      const reply = await imported('?dryRun=true')
      equal(reply.status, 200)
      return fieldOf(reply, 'Dirty')
    }
    equal(await dirty(), undefined)
    writeFiles(node.repository.path, { 'Gracze.md': 'szkic' })
    deepEqual(await dirty(), ['Gracze.md'])
  })

  it('refuses what it cannot read, and names it', async () => {
    await commit({ 'Gracze.md': Buffer.from([0x23, 0xff, 0xfe, 0x0a]) })
    const reply = await imported()
    checkRefused(reply, 409, 'AdoptionFailed')
    match(String(fieldOf(reply, 'findings')), /Gracze\.md/)
  })

  it('refuses a repository of a newer daemon', async () => {
    await commit({ '.svc/format.json': '{"format": 3}\n' })
    checkRefused(await imported(), 403, 'SchemaTooNew')
  })

  it('refuses a directory without git', async () => {
    const folder = temporaryFolder()
    writeFiles(folder.path, { 'Gracze.md': roster })
    const daemon = await startDaemon(['serve', '--repo', folder.path])
    try {
      const { status, body } = await postJson(daemon, '/import', {})
      equal(status, 409)
      match(JSON.stringify(body), /"NoRepository"/)
    } finally {
      await daemon.stop()
      folder.dispose()
    }
  })
})
