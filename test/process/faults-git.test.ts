import { deepEqual, equal, match } from 'node:assert/strict'
import { chmodSync, readdirSync, readFileSync, readlinkSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, describe, it } from 'mocha'
import { eventually } from '#test/support/daemon.js'
import { isFields } from '#test/support/matching.js'
import { nodeFiles, orrin, restoreCommit, startNode, type TestNode } from '#test/support/node.js'
import { type Repository, writeFiles } from '#test/support/repository.js'

const erathia = '### Erathia\n- @typ: Lokacja\n'
const files = {
  ...nodeFiles,
  'encje/indeks-01.md': erathia,
  'Wątki/sesje.md': '### 2024-05-03, Próba, Solmyr\n',
}

/** Pids of the `git cat-file` children of this process that read the repository; none where there is no /proc. */
const readers = (repository: Repository): ReadonlyArray<number> =>
  readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .filter(name => {
      try {
        const parent = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${name}/status`, 'utf8'))?.[1]
        return (
          Number(parent) === process.pid &&
          readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('cat-file') &&
          readlinkSync(`/proc/${name}/cwd`) === repository.path
        )
      } catch (error) {
        if (error instanceof Error && 'code' in error) return false
        throw error
      }
    })
    .map(Number)

describe('a git repository that breaks under a node', () => {
  let node: TestNode
  let first: string
  let recordedBefore = 0
  const statusOf = async (name: string): Promise<number> =>
    (await node.client.ask(`/entities/${name}`)).status
  const said = (event: string): number =>
    node.records.slice(recordedBefore).filter(record => record.event === event).length

  const healthOf = async (): Promise<Readonly<Record<string, unknown>>> => {
    const { json } = await node.client.ask('/health')
    return isFields(json) ? json : {}
  }
  const isBlocked = (): Promise<unknown> =>
    eventually(healthOf, ({ blocked }) => JSON.stringify(blocked).includes('"object_damaged"'))
  const takesNoName = async (name: string, reason: string): Promise<void> => {
    const body = JSON.stringify({ name, type: 'NPC' })
    const { status, json, text } = await node.client.ask('/entities', { method: 'POST', body })
    deepEqual([status, isFields(json) && json['error']], [503, 'SnapshotStale'])
    equal(text.includes(reason), true, text)
  }

  before(async () => {
    node = await startNode({ files })
    first = node.repository.head()
  })
  beforeEach(() => {
    recordedBefore = node.records.length
  })
  afterEach(() => restoreCommit(node, first))
  after(() => node.stop())

  for (const [state, bytes] of [
    ['full of garbage', Buffer.from('garbage')],
    ['empty', Buffer.alloc(0)],
  ] as const) {
    it(`serves the lore of before where a committed object is ${state}, takes no write, and recovers`, async () => {
      node.repository.commit({ 'encje/indeks-01.md': `${erathia}\n### Tatalia\n- @typ: Lokacja\n` })
      await eventually(
        () => statusOf('Tatalia'),
        status => status === 200,
      )
      const id = node.repository.git('rev-parse', 'HEAD:encje/indeks-01.md')
      const object = join(node.repository.path, '.git/objects', id.slice(0, 2), id.slice(2))
      const whole = readFileSync(object)
      chmodSync(object, 0o600)
      writeFileSync(object, bytes)
      node.repository.git('mv', 'encje/indeks-01.md', 'encje/indeks-02.md')
      writeFiles(node.repository.path, { 'encje/indeks-03.md': '### Nowa\n- @typ: NPC\n' })
      node.repository.git('add', 'encje/indeks-03.md')
      node.repository.git('commit', '-q', '-m', 'moved')
      await isBlocked()
      for (const name of ['Orrin', 'Erathia', 'Tatalia']) equal(await statusOf(name), 200)
      equal(await statusOf('Nowa'), 404)
      const reason = `encje/indeks-02.md: its object ${id} is missing or damaged`
      await takesNoName('Erathia', reason)
      writeFileSync(object, whole)
      await eventually(
        () => statusOf('Nowa'),
        status => status === 200,
      )
      deepEqual((await healthOf())['blocked'], [])
      equal(said('look_recovered'), 1)
    })
  }

  it('keeps the name that a lost object holds, and refuses every write while it is lost', async () => {
    const lost = '1234567890123456789012345678901234567890'
    node.repository.git('update-index', '--cacheinfo', `100644,${lost},encje/indeks.md`)
    const tree = node.repository.git('write-tree', '--missing-ok')
    const commit = node.repository.git('commit-tree', tree, '-p', 'HEAD', '-m', 'lost')
    const good = node.repository.head()
    node.repository.git('update-ref', 'HEAD', commit)
    await isBlocked()
    equal((await healthOf())['status'], 'degraded')
    equal(await statusOf('Orrin'), 200)
    await takesNoName('Orrin', `encje/indeks.md: its object ${lost} is missing or damaged`)
    equal(node.repository.head(), commit)
    node.repository.git('update-ref', 'HEAD', good)
    // The index still names the lost object, which is a staged change of somebody.
    node.repository.git('read-tree', 'HEAD')
    await eventually(healthOf, ({ blocked }) => JSON.stringify(blocked) === '[]')
  })

  it('goes on from the last snapshot while the object database is away, says so, and recovers', async () => {
    const objects = join(node.repository.path, '.git/objects')
    const served = node.host.snapshot()
    renameSync(objects, `${objects}.away`)
    await eventually(
      () => Promise.resolve(said('look_failed')),
      count => count > 0,
    )
    equal(await statusOf('Orrin'), 200)
    equal((await node.client.ask('/health')).status, 200)
    const failed = await node.host.look()
    match(JSON.stringify(failed), /LookFailed/)
    // The rights are those of nobody meanwhile; the lore is the very same.
    equal(node.host.snapshot()?.entities, served?.entities)
    equal(node.host.snapshot()?.commit, served?.commit)
    renameSync(`${objects}.away`, objects)
    node.repository.commit({ 'encje/indeks.md': `${orrin}\n### Nowa\n- @typ: NPC\n` })
    await eventually(
      () => statusOf('Nowa'),
      status => status === 200,
    )
    equal(said('look_recovered'), 1)
    equal(await node.metric('svc_actor_restarts_total'), 0)
  })

  it('looks again through a new child when its reader was killed', async function () {
    const [pid] = process.platform === 'linux' ? readers(node.repository) : []
    if (pid === undefined) {
      console.log('      note: no /proc here, so the child cannot be found')
      return this.skip()
    }
    process.kill(pid, 'SIGKILL')
    node.repository.commit({ 'encje/indeks.md': `${orrin}\n### Nowa\n- @typ: NPC\n` })
    equal(await statusOf('Orrin'), 200)
    await eventually(
      () => statusOf('Nowa'),
      status => status === 200,
    )
    equal(await node.metric('svc_actor_restarts_total'), 0)
    equal(readers(node.repository).includes(pid), false)
  })
})
