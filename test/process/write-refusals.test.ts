import { equal, match, ok } from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, afterEach, before, describe, it } from 'mocha'
import { eventually } from '#test/support/daemon.js'
import type { Reply } from '#test/support/http-client.js'
import { nodeFiles, orrin, restoreCommit, startNode, type TestNode } from '#test/support/node.js'
import { writeFiles } from '#test/support/repository.js'

const index = 'encje/indeks.md'

describe('a write into a checkout in which a person is at work', () => {
  let node: TestNode
  let first: string
  let count = 0
  const git = (...args: ReadonlyArray<string>): string => node.repository.git(...args)
  const path = (name: string): string => join(node.repository.path, name)
  const patch = (query = ''): Promise<Reply> => {
    count += 1
    const body = JSON.stringify({ tag: '@info', value: `wpis ${count}` })
    return node.client.ask(`/entities/Orrin${query}`, { method: 'PATCH', body })
  }
  const isRefused = (reply: Reply, status: number, error: string, detail: RegExp): void => {
    equal(reply.status, status, reply.text)
    ok(reply.text.startsWith(`{"error":"${error}"`), reply.text)
    match(reply.text, detail)
    equal(reply.text.includes(node.repository.path), false, 'no path of the host is told')
  }

  before(async () => {
    node = await startNode({
      files: { ...nodeFiles, '.svc/config.json': '{"server": {"selfheal_interval_ms": 0}}\n', 'b.md': 'b\n' },
    })
    first = node.repository.head()
  })
  afterEach(() => restoreCommit(node, first))
  after(() => node.stop())

  it('is told by a dry run as by the write: the same files, the same refusal, and no lock is taken', async () => {
    equal((await patch('?dryRun=true')).status, 200)
    writeFiles(node.repository.path, { [index]: `${orrin}- @info: ręką\n` })
    for (const query of ['?dryRun=true', ''])
      isRefused(await patch(query), 409, 'WorkTreeDirty', /"files":\["encje\/indeks\.md"\]/)
    git('add', index)
    isRefused(await patch('?dryRun=true'), 409, 'WorkTreeDirty', /encje\/indeks\.md/)
    writeFiles(node.repository.path, { '.git/index.lock': '' })
    isRefused(await patch('?dryRun=true'), 409, 'WorkTreeDirty', /encje\/indeks\.md/)
    rmSync(path('.git/index.lock'))
    git('commit', '-qm', 'by hand')
    match((await patch('?dryRun=true')).text, /\+- @info: wpis/)
    equal(git('rev-list', '--count', 'HEAD'), '2')
  })

  it('is never told dirty by a dry run while another write is landing', async () => {
    const dry: Array<Promise<Reply>> = []
    const writes = Array.from({ length: 12 }, async () => {
      dry.push(patch('?dryRun=true'))
      return patch()
    })
    for (const answer of [...(await Promise.all(writes)), ...(await Promise.all(dry))])
      equal(answer.status, 200, answer.text)
  })

  it('is refused while HEAD is on no branch: a rebase that ends would leave it on none', async () => {
    git('checkout', '-q', '-b', 'bok')
    node.repository.commit({ 'b.md': 'bok\n' })
    git('checkout', '-q', 'main')
    node.repository.commit({ 'b.md': 'main\n' })
    try {
      git('rebase', 'bok')
    } catch {
      // It stops at the conflict, as a person's would.
    }
    ok(existsSync(path('.git/rebase-merge')), 'a rebase is under way')
    for (const query of ['', '?dryRun=true'])
      isRefused(await patch(query), 409, 'HeadDetached', /HEAD is on no branch: end the rebase/)
    git('rebase', '--abort')
    equal((await patch()).status, 200)
    git('checkout', '-q', '--detach')
    isRefused(await patch(), 409, 'HeadDetached', /HEAD is on no branch/)
    git('checkout', '-q', 'main')
    const answer = await patch()
    equal(answer.status, 200)
    equal(answer.headers['x-svc-commit'], node.repository.head())
    equal(git('status', '--porcelain'), '')
  })

  it('is refused alike where a whole adoption or a reindex is the write', async () => {
    const post = (route: string): Promise<Reply> => node.client.ask(route, { method: 'POST', body: '{}' })
    for (const route of ['/import', '/locations/reindex']) {
      git('checkout', '-q', '--detach')
      isRefused(await post(route), 409, 'HeadDetached', /HEAD is on no branch/)
      git('checkout', '-q', 'main')
      writeFiles(node.repository.path, { '.git/index.lock': 'held' })
      isRefused(await post(route), 503, 'RepositoryLocked', /"lock":"\.git\/index\.lock"/)
      rmSync(path('.git/index.lock'))
      git('update-index', '--split-index')
      isRefused(await post(route), 409, 'CheckoutBlocked', /git update-index --no-split-index/)
      git('update-index', '--no-split-index')
    }
    equal((await post('/import')).status, 200)
  })

  it('names locks as they stand in the checkout, and says how an index is made one that can be written', async () => {
    for (const lock of ['.git/HEAD.lock', '.git/refs/heads/main.lock', '.git/index.lock']) {
      writeFiles(node.repository.path, { [lock]: 'held' })
      const reply = await patch()
      isRefused(reply, 503, 'RepositoryLocked', new RegExp(`"lock":"${lock.replaceAll('.', '\\.')}"`))
      equal(reply.headers['retry-after'], '1')
      rmSync(path(lock))
      equal((await patch()).status, 200)
    }
    git('update-index', '--split-index')
    isRefused(await patch(), 409, 'CheckoutBlocked', /git update-index --no-split-index/)
    git('update-index', '--no-split-index')
    equal((await patch()).status, 200)
  })

  it('leaves a folder with a git of its own alone', async () => {
    mkdirSync(path('encje/.git'))
    isRefused(await patch(), 409, 'WorkTreeDirty', /encje\/indeks\.md/)
    equal(readFileSync(path(index), 'utf8'), orrin)
    rmSync(path('encje/.git'), { recursive: true })
    await eventually(patch, ({ status }) => status === 200)
  })
})
