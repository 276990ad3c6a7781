import { deepEqual, equal, ok } from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { after, before, describe, it } from 'mocha'
import { type Daemon, startDaemon } from '#test/support/daemon.js'
import { type Repository, repositoryOf } from '#test/support/repository.js'

const openFilesMax = 256
const names = Array.from({ length: 40 }, (_, at) => `Kupiec ${at}`)

describe('a daemon with few file descriptors', () => {
  let repository: Repository
  let daemon: Daemon
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const idle: Array<Socket> = []

  before(async () => {
    repository = repositoryOf({
      '.svc/format.json': '{"format": 2}',
      'encje/indeks.md': '### A\n- @typ: NPC\n',
    })
    daemon = await startDaemon(['serve', '--repo', repository.path, '--port', '0'], {}, { openFilesMax })
  })
  after(async () => {
    agent.destroy()
    for (const socket of idle) socket.destroy()
    await daemon.stop()
    repository.dispose()
  })

  const post = (name: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const asked = request(
        `${daemon.ready.url}/entities`,
        {
          agent,
          method: 'POST',
          headers: { authorization: `Bearer ${daemon.token}`, 'content-type': 'application/json' },
        },
        reply => {
          reply.resume()
          reply.on('end', () => resolve(reply.statusCode ?? 0))
        },
      )
      asked.on('error', reject)
      asked.end(JSON.stringify({ name, type: 'NPC' }))
    })

  /** Opens a connection that asks nothing; resolves when the system has it, whatever the daemon does with it. */
  const opened = async (): Promise<void> => {
    const socket = connect(Number(new URL(daemon.ready.url).port), '127.0.0.1')
    socket.on('error', () => undefined)
    idle.push(socket)
    await once(socket, 'connect')
  }

  it('commits on while idle connections take every place that the listener has', async () => {
    equal(await post('Pierwszy'), 201)
    for (let at = 0; at < 2 * openFilesMax; at += 1) await opened()
    const statuses: Array<number> = []
    for (const name of names) statuses.push(await post(name))
    deepEqual(
      statuses,
      names.map(() => 201),
    )
    equal(repository.git('rev-list', '--count', 'HEAD'), String(names.length + 2))
    equal(repository.git('status', '--porcelain'), '')
  })

  it('says in its log how many connections it takes, fewer than the files that it may open', () => {
    const told: unknown = daemon
      .stderr()
      .split('\n')
      .flatMap(line => (line.includes('"connections_limited"') ? [JSON.parse(line) as unknown] : []))[0]
    ok(typeof told === 'object' && told !== null)
    equal(Reflect.get(told, 'openFilesMax'), openFilesMax)
    const [api, ops] = [Reflect.get(told, 'api'), Reflect.get(told, 'ops')].map(Number)
    ok((api ?? 0) > 0 && (ops ?? 0) > 0 && (api ?? 0) + (ops ?? 0) <= openFilesMax / 2, JSON.stringify(told))
  })
})
