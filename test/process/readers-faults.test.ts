import { equal, ok } from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'mocha'
import { type Daemon, eventually, getJson, startDaemon } from '#test/support/daemon.js'
import { askTarget } from '#test/support/http-client.js'
import { isFields } from '#test/support/matching.js'
import { nodeFiles } from '#test/support/node.js'
import { readerFaults } from '#test/support/readers/reader-faults.js'
import { repositoryOf } from '#test/support/repository.js'

/** How a thread ends, and the cause that the metric tells. */
const causes = { throws: 'error', exits: 'exit', loops: 'told', eats: 'memory' } as const

const files = {
  ...nodeFiles,
  '.svc/config.json': '{"server": {"reader_threads": 2}}\n',
  'encje/zle.md': Object.keys(causes)
    .flatMap(how => [`### ${how} raz\n- @typ: NPC\n`, `### ${how} zawsze\n- @typ: NPC\n`])
    .join('\n'),
}

const live = async (daemon: Daemon): Promise<unknown> => {
  const { status, body } = await getJson(daemon, '/health')
  equal(status, 200)
  return isFields(body) ? body.readersLive : undefined
}

const both = (daemon: Daemon): Promise<unknown> =>
  eventually(
    () => live(daemon),
    count => count === 2,
  )

const ends = async (daemon: Daemon, cause: string): Promise<number> => {
  const { text } = await askTarget(Number(new URL(daemon.ready.ops).port), '/metrics')
  return Number(new RegExp(`^svc_reader_ends_total\\{cause="${cause}"\\} (\\d+)$`, 'm').exec(text)?.[1] ?? 0)
}

/** Asks `GET /health` and a pooled row in turn until `over`. Returns how many turns before the one that it ended in. */
const turnsBeside = async (daemon: Daemon, over: Promise<unknown>): Promise<number> => {
  let [turns, asks] = [-1, true]
  void over.finally(() => {
    asks = false
  })
  while (asks) {
    await live(daemon)
    equal((await getJson(daemon, '/entities/Kupiec%20Orrin')).status, 200)
    turns += 1
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  return turns
}

describe('a reader thread of the built daemon that ends', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kronika-reader-faults-'))
  const repository = repositoryOf(files)
  let daemon: Daemon
  before(async () => {
    daemon = await startDaemon(['serve', '--repo', repository.path], readerFaults(folder))
    await both(daemon)
  })
  after(async () => {
    if (daemon.process.exitCode === null) equal(await daemon.stop(), 0)
    repository.dispose()
    rmSync(folder, { recursive: true })
  })

  for (const [how, cause] of Object.entries(causes)) {
    it(`is replaced, and who asked is answered by the other: it ${how}`, async () => {
      const asked = getJson(daemon, `/entities/${how}%20raz`)
      const turns = await turnsBeside(daemon, asked)
      const { status, body } = await asked
      equal(status, 200)
      ok(JSON.stringify(body).includes(`"${how} raz"`))
      // A thread that loops holds its request until the limit; the other causes end it at once.
      if (how === 'loops') ok(turns > 0, `others got ${turns} answers meanwhile`)
      equal(await ends(daemon, cause), 1)
      await both(daemon)
    })
  }

  it('ends two and no more for one request, which is refused from then on, and others are answered', async () => {
    const before = await ends(daemon, 'exit')
    for (let times = 0; times < 3; times += 1)
      equal((await getJson(daemon, '/entities/exits%20zawsze')).status, 500)
    equal(await ends(daemon, 'exit'), before + 2)
    equal((await getJson(daemon, '/entities/throws%20raz')).status, 200)
    await both(daemon)
    ok(daemon.process.exitCode === null && daemon.stderr().includes('reader_poison'))
  })
})
