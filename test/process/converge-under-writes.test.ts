import { deepEqual, equal, ok } from 'node:assert/strict'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'mocha'
import type { Reply } from '#test/support/http-client.js'
import { nodeFiles, orrin, startNode, type TestNode } from '#test/support/node.js'
import { cloneOf, gitIn, temporaryFolder, writeFiles } from '#test/support/repository.js'

const index = 'encje/indeks.md'
const commitOf = (reply: Reply): string => String(reply.headers['x-svc-commit'])

describe('a converge of a host that is written to without end', () => {
  const folder = temporaryFolder()
  const bare = join(folder.path, 'bare.git')
  const other = join(folder.path, 'other')
  let node: TestNode
  let replies: Array<Promise<Reply>>
  let waiting: Array<Promise<Reply>>
  let holds: number
  let writes: number

  const patch = (): Promise<Reply> => {
    writes += 1
    const body = JSON.stringify({ tag: '@info', value: `Zapis ${writes}.` })
    const reply = node.client.ask('/entities/Orrin', { method: 'PATCH', body })
    replies.push(reply)
    return reply
  }

  beforeEach(async () => {
    replies = []
    waiting = []
    holds = 0
    writes = 0
    node = await startNode({
      files: { ...nodeFiles, '.svc/config.json': '{"server": {"publish_mode": "push"}}\n' },
      amend: ports => ({
        ...ports,
        sync: {
          ...ports.sync,
          // A write lands between every merge beside the gate and the move of the branch.
          advance: async (from, to, reason) => {
            await patch()
            return ports.sync.advance(from, to, reason)
          },
          hold: (work, limitMs) =>
            ports.sync.hold((advance, signal) => {
              holds += 1
              for (let count = 0; count < 5; count += 1) waiting.push(patch())
              return work(advance, signal)
            }, limitMs),
        },
      }),
    })
    gitIn(folder.path, 'clone', '-q', '--bare', node.repository.path, bare)
    cloneOf(bare, other)
    writeFiles(other, { [index]: `${orrin}- @info: Z innego hosta.\n` })
    gitIn(other, 'commit', '-qam', 'other')
    gitIn(other, 'push', '-q')
    node.repository.git('remote', 'add', 'origin', bare)
  })
  afterEach(async () => {
    await node.stop()
    folder.dispose()
  })

  it('merges in one attempt, keeps every write, and lets those that came meanwhile wait', async () => {
    equal((await patch()).status, 200)
    const answer = await node.client.ask('/sync', { method: 'POST', body: '{}' })
    equal(answer.status, 200, answer.text)
    const settled = await Promise.all(replies)
    deepEqual([...new Set(settled.map(reply => reply.status))], [200])
    equal(settled.length, 7)
    equal(holds, 1)
    // A write is published by itself after a second: on a slow machine there are more converges than the one asked for.
    equal(await node.metric('svc_sync_attempts_sum'), await node.metric('svc_sync_attempts_count'))
    const merge = gitIn(bare, 'log', '--merges', '--format=%H', 'main')
    equal(merge.length, 40)
    const isAncestor = (commit: string, of: string): unknown =>
      node.repository.git('merge-base', '--is-ancestor', commit, of)
    for (const reply of settled) isAncestor(commitOf(reply), 'HEAD')
    for (const reply of await Promise.all(waiting)) isAncestor(merge, commitOf(reply))
    const text = node.repository.git('show', `HEAD:${index}`)
    for (const value of ['Z innego hosta.', ...settled.map((_, at) => `Zapis ${at + 1}.`)])
      ok(text.includes(value), value)
  })
})
