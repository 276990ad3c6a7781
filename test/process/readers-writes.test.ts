import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { after, before, describe, it } from 'mocha'
import { routes } from '#protocol/routes.js'
import { machineToken } from '#src/adapters/state/state-area.js'
import { type Front, startFront } from '#src/http/listener/front.js'
import { frontOptions } from '#src/node/front.js'
import { eventually } from '#test/support/daemon.js'
import { type Client, clientOf, type Reply } from '#test/support/http-client.js'
import { nodeFiles, startNode, type TestNode } from '#test/support/node.js'
import { comparableOf } from '#test/support/readers/reader-pair.js'

const filesFor = (threads: number): Readonly<Record<string, string>> => ({
  ...nodeFiles,
  '.svc/config.json': `{"server": {"reader_threads": ${threads}}}\n`,
  'encje/miejsca.md': '### Most\n- @typ: Lokacja\n',
})

/** Every pooled row with a validator and without a part to name, and the entity that is written. */
const paths = [
  '/entities/Kupiec%20Orrin',
  ...Object.values(routes).flatMap(row =>
    row.pool && row.etag && !row.path.includes('{') ? [row.path] : [],
  ),
]

describe('reads through the reader threads beside writes', () => {
  let node: TestNode
  let alone: Front
  /** Over the same node, but the main thread answers every row. */
  let main: Client

  const start = async (threads: number): Promise<void> => {
    node = await startNode({ files: filesFor(threads) })
    alone = await startFront(
      { ...frontOptions(node.host, () => undefined), readers: null },
      { apiPort: 0, opsPort: 0 },
    )
    main = clientOf({ port: alone.apiPort, token: machineToken(node.host.checkout.state), recorded: true })
    await eventually(
      () => Promise.resolve(node.host.readers.exchange.live()),
      live => live === threads,
    )
  }
  const write = async (value: string): Promise<string> => {
    const body = JSON.stringify({ tag: '@info', value })
    const answer = await node.client.ask('/entities/Kupiec%20Orrin', { method: 'PATCH', body })
    equal(answer.status, 200, answer.text)
    return String(answer.headers['x-svc-commit'])
  }
  const readAfter = (client: Client, path: string, commit: string): Promise<Reply> =>
    client.ask(path, { headers: { 'x-svc-min-commit': commit } })

  for (const threads of [0, 1, 2])
    describe(`threads: ${threads}`, () => {
      before(() => start(threads))
      after(async () => {
        await alone.close(0)
        await node.stop()
      })

      it('hold what was written, to the byte of the main thread', async () => {
        const answeredBefore = await node.metric('svc_reader_questions_total', { result: 'answered' })
        for (let round = 1; round <= 6; round += 1) {
          const commit = await write(`zapis ${round}`)
          const pooled = await Promise.all(paths.map(path => readAfter(node.client, path, commit)))
          const direct = await Promise.all(paths.map(path => readAfter(main, path, commit)))
          deepEqual(pooled.map(comparableOf), direct.map(comparableOf))
          match(pooled[0]?.text ?? '', new RegExp(`zapis ${round}"`))
          const told = pooled.filter(reply => reply.status === 200)
          ok(told.length > 10 && told.every(reply => reply.headers['x-svc-commit'] === commit))
        }
        const answered =
          (await node.metric('svc_reader_questions_total', { result: 'answered' })) - answeredBefore
        if (threads === 0) equal(answered, 0)
        else ok(answered >= paths.length, `the threads answered ${answered}`)
      })

      if (threads < 2) return

      it('hold what was written while others write, and refuse a commit that is not here', async () => {
        const rounds = Array.from({ length: 12 }, (_, round) => `obok ${round}`)
        await Promise.all(
          rounds.map(async value => {
            const commit = await write(value)
            const read = await readAfter(node.client, '/entities/Kupiec%20Orrin', commit)
            equal(read.status, 200, read.text)
            node.repository.git('merge-base', '--is-ancestor', commit, String(read.headers['x-svc-commit']))
          }),
        )
        const away = await readAfter(node.client, '/entities', 'f'.repeat(40))
        equal(away.status, 409)
        deepEqual(comparableOf(await node.client.ask('/entities')), comparableOf(await main.ask('/entities')))
      })
    })
})
