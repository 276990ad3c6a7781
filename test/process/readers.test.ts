import { doesNotMatch, equal, ok } from 'node:assert/strict'
import { afterEach, describe, it } from 'mocha'
import { type Daemon, eventually, getJson, startDaemon } from '#test/support/daemon.js'
import { askTarget } from '#test/support/http-client.js'
import { isFields } from '#test/support/matching.js'
import { nodeFiles, startNode } from '#test/support/node.js'
import { questionFor } from '#test/support/readers/reader-rig.js'
import { faultyReaders } from '#test/support/readers/reader-threads.js'
import { type Repository, repositoryOf, writeFiles } from '#test/support/repository.js'

const files = {
  ...nodeFiles,
  '.svc/config.json': '{"server": {"selfheal_interval_ms": 50, "reader_threads": 2}}\n',
}

const field = (body: unknown, name: string): unknown => (isFields(body) ? body[name] : undefined)

describe('reader threads of a node', () => {
  describe('built', () => {
    let repository: Repository
    let daemon: Daemon | null = null
    afterEach(async () => {
      if (daemon !== null && daemon.process.exitCode === null) await daemon.stop('SIGKILL')
      repository.dispose()
    })

    it('answer pooled rows, follow commits, are told of in /health, and do not keep the process', async () => {
      repository = repositoryOf(files)
      daemon = await startDaemon(['serve', '--repo', repository.path])
      const running = daemon
      await eventually(
        async () => field((await getJson(running, '/health')).body, 'readersLive'),
        live => live === 2,
      )
      equal(field((await getJson(running, '/health')).body, 'readerThreads'), 2)
      equal(field((await getJson(running, '/entities')).body, 'count'), 1)
      for (let round = 1; round <= 5; round += 1) {
        const more = Array.from({ length: round }, (_, at) => `### Byt ${at}\n- @typ: NPC\n`)
        writeFiles(repository.path, { 'encje/indeks-02.md': more.join('\n') })
        repository.git('add', '--all')
        repository.git('commit', '--quiet', '-m', `byt ${round}`)
        await eventually(
          async () => field((await getJson(running, '/entities')).body, 'count'),
          count => count === 1 + round,
        )
      }
      const metrics = await askTarget(Number(new URL(running.ready.ops).port), '/metrics')
      const answered = /^svc_reader_questions_total\{result="answered"\} (\d+)$/m.exec(metrics.text)
      ok(Number(answered?.[1] ?? 0) >= 6, answered?.[0] ?? 'no answer of a thread was counted')
      equal(await running.stop(), 0)
      doesNotMatch(running.stderr(), /"orphaned"/, 'the drain ran into its limit')
    })
  })

  it('are replaced when they end, and the node answers all the while', async () => {
    const node = await startNode({ files, openReader: faultyReaders })
    try {
      const live = (): Promise<unknown> =>
        node.client.ask('/health').then(reply => field(reply.json, 'readersLive'))
      await eventually(live, count => count === 2)
      const snapshot = node.host.snapshot()
      if (snapshot === null) throw new Error('no snapshot')
      const poison = node.host.readers.exchange.ask(
        questionFor(snapshot, 'faulty', { path: { how: 'exits' } }),
      )
      await eventually(live, count => count !== 2)
      equal((await node.client.ask('/entities')).status, 200)
      equal((await poison)._tag, 'Poison')
      equal(await node.metric('svc_reader_ends_total', { cause: 'exit' }), 2)
      await eventually(live, count => count === 2)
      equal(await node.metric('svc_reader_threads_live'), 2)
      ok(node.records.some(record => record.event === 'reader_poison'))
      equal(node.gaveUp(), 0)
    } finally {
      await node.stop()
    }
  })
})
