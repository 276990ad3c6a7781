import { deepEqual, equal, match } from 'node:assert/strict'
import { afterEach, describe, it } from 'mocha'
import { postJson, startDaemon } from '#test/support/daemon.js'
import type { Reply } from '#test/support/http-client.js'
import { type NodeOptions, startNode, type TestNode } from '#test/support/node.js'
import { temporaryFolder, writeFiles } from '#test/support/repository.js'
import { checkRefused, fieldOf } from './bench.js'

const roster = '# Gracze\n\n## Lista\n\n### Wierzba\n\n- ID Krainy: 4101\n'

describe('POST /import over a real repository', () => {
  let node: TestNode | null = null
  const imported = async (files: NodeOptions['files'], before: (path: string) => void): Promise<Reply> => {
    node = await startNode(files === undefined ? {} : { files })
    before(node.repository.path)
    return node.client.ask('/import', { method: 'POST', body: '{}' })
  }
  const untouched = (): void => undefined
  afterEach(async () => {
    await node?.stop()
    node = null
  })

  it('refuses while files that it would write are changed, and names them', async () => {
    const reply = await imported({ 'Gracze.md': roster }, path => writeFiles(path, { 'Gracze.md': 'szkic' }))
    checkRefused(reply, 409, 'WorkTreeDirty')
    match(String(fieldOf(reply, 'files')), /Gracze\.md/)
  })

  it('lists them on a dry run, and lists none where there are none', async () => {
    node = await startNode({ files: { 'Gracze.md': roster } })
    const { client, repository } = node
    const dirty = async (): Promise<unknown> => {
      const reply = await client.ask('/import?dryRun=true', { method: 'POST', body: '{}' })
      equal(reply.status, 200)
      return fieldOf(reply, 'Dirty')
    }
    equal(await dirty(), undefined)
    writeFiles(repository.path, { 'Gracze.md': 'szkic' })
    deepEqual(await dirty(), ['Gracze.md'])
  })

  it('refuses what it cannot read, and names it', async () => {
    const reply = await imported({ 'Gracze.md': Buffer.from([0x23, 0xff, 0xfe, 0x0a]) }, untouched)
    checkRefused(reply, 409, 'AdoptionFailed')
    match(String(fieldOf(reply, 'findings')), /Gracze\.md/)
  })

  it('refuses a repository of a newer daemon', async () => {
    checkRefused(await imported({ '.svc/format.json': '{"format": 3}\n' }, untouched), 403, 'SchemaTooNew')
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
