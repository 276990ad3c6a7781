import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, describe, it } from 'mocha'
import { type ArmedDisk, makeArmedDisk } from '#test/support/broken-disk.js'
import type { Reply } from '#test/support/http-client.js'
import { nodeFiles, restoreCommit, startNode, type TestNode } from '#test/support/node.js'
import { writeFiles } from '#test/support/repository.js'

const index = 'encje/indeks.md'

describe('a write on a disk that refuses', () => {
  let node: TestNode
  let armed: ArmedDisk
  let count = 0
  let first: string
  before(async () => {
    armed = makeArmedDisk()
    node = await startNode({
      disk: armed.disk,
      files: { ...nodeFiles, '.svc/config.json': '{}\n', 'Wątki/szkic.md': 'Pierwsza wersja.\n' },
    })
    first = node.repository.head()
  })
  beforeEach(() => writeFiles(node.repository.path, { 'Wątki/szkic.md': 'Zaczęte.\n' }))
  afterEach(async () => {
    armed.heal()
    await open()
    await restoreCommit(node, first)
  })
  after(() => node.stop())

  const post = (path: string, body: object): Promise<Reply> =>
    node.client.ask(path, { method: 'POST', body: JSON.stringify(body) })
  const open = (): Promise<Reply> => post('/admin/mode', { mode: 'read-write' })
  const write = async (): Promise<{ readonly text: string; readonly reply: Reply }> => {
    count += 1
    const text = `wpis ${count}`
    const body = JSON.stringify({ tag: '@info', value: text })
    return { text, reply: await node.client.ask('/entities/Kupiec%20Orrin', { method: 'PATCH', body }) }
  }
  const inTree = (): string => readFileSync(join(node.repository.path, index), 'utf8')
  const inHead = (): string => node.repository.git('show', `HEAD:${index}`)
  const hasLock = (): boolean => existsSync(join(node.repository.path, '.git/index.lock'))

  /** Nothing of ours lies about, the work tree is what HEAD has, and the draft of a person stands. */
  const isWhole = (): void => {
    equal(
      node.repository.git('-c', 'core.quotePath=false', 'status', '--porcelain').trim(),
      'M Wątki/szkic.md',
    )
    equal(inTree().trim(), inHead())
    equal(hasLock(), false)
    deepEqual(readdirSync(join(node.repository.path, '.svc/state/checkout')), [])
    node.repository.git('fsck', '--strict')
  }
  const callsOfWrite = async (): Promise<number> => {
    await write()
    armed.heal()
    equal((await write()).reply.status, 200)
    return armed.calls().length
  }

  for (const code of ['ENOSPC', 'EIO'])
    it(`acknowledges nothing, closes, serves on and is opened again: ${code} from each call on`, async () => {
      const steps = await callsOfWrite()
      ok(steps >= 12, armed.calls().join())
      let acknowledged = 0
      for (let at = 0; at < steps; at += 1) {
        armed.arm(at, code, true)
        const { text, reply } = await write()
        equal(
          inHead().includes(text),
          reply.status === 200,
          `${at}: what is acknowledged is committed, and no more`,
        )
        // A write makes a folder for an object or finds one: some have a call less than the one that was counted.
        if (armed.calls().length <= at) break
        if (reply.status === 200) acknowledged += 1
        else {
          equal(reply.status, 403, reply.text)
          match(reply.text, new RegExp(`^\\{"error":"ReadOnly","detail":"The disk refuses writes \\(${code}`))
          match(reply.text, /POST \/admin\/mode/)
        }
        match((await node.client.ask('/health')).text, /"mode":"ReadOnly"/)
        equal((await node.client.ask('/entities/Orrin')).status, 200)
        match((await write()).reply.text, /"ReadOnly"/)
        const refused = await open()
        deepEqual([refused.status, refused.text.slice(0, 22)], [503, '{"error":"DiskRefused"'])
        armed.heal()
        equal((await open()).status, 200)
        equal(hasLock(), false, 'opened by hand is mended')
        equal((await write()).reply.status, 200)
        isWhole()
      }
      ok(acknowledged > 0 && acknowledged < steps, `${acknowledged} of ${steps}`)
      equal(await node.metric('svc_actor_restarts_total', { actor: 'write-gate' }), 0)
    })

  it('mends by itself what one call refused after the branch moved', async () => {
    const steps = await callsOfWrite()
    let behind = 0
    for (let at = 0; at < steps; at += 1) {
      armed.arm(at, 'EIO', false)
      const { text, reply } = await write()
      equal(inHead().includes(text), reply.status === 200)
      if (reply.status === 200) {
        behind += 1
        isWhole()
        match((await node.client.ask('/health')).text, /"mode":"ReadWrite"/)
      } else equal((await open()).status, 200)
    }
    ok(behind > 0)
  })

  it('refuses an adoption too, and adopts when there is room', async () => {
    writeFiles(node.repository.path, { 'Wątki/szkic.md': 'Pierwsza wersja.\n' })
    node.repository.commit({ 'Gracze.md': '# Gracze\n\n## Lista\n\n### Wierzba\n\n- ID Krainy: 4101\n' })
    armed.arm(2, 'ENOSPC', true)
    for (const path of ['/import', '/locations/reindex']) {
      armed.arm(2, 'ENOSPC', true)
      const refused = await post(path, {})
      deepEqual([path, refused.status, refused.text.slice(0, 22)], [path, 503, '{"error":"DiskRefused"'])
      match((await node.client.ask('/health')).text, /"mode":"ReadOnly"/)
      armed.heal()
      equal((await open()).status, 200)
    }
    equal((await post('/import', {})).status, 200)
  })
})
