import { deepEqual, equal, ok } from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { LogPage } from '#protocol/host/events.js'
import { type Daemon, eventually, getJson, postJson, startDaemon } from '#test/support/daemon.js'
import { linkedFiles } from '#test/support/identity/linked-world.js'
import { type Repository, repositoryOf } from '#test/support/repository.js'

const config = { integrations: { chat: { guild_id: '900' } } }

type Line = Readonly<Record<string, unknown>>

/**
 * Kills the daemon, as kill -9 does, at the fsync of the audit stream that follows a line with `word`: before anything
 * of it is written, or when the disk has it.
 */
const killAt = (word: string, when: 'before' | 'after'): Readonly<Record<string, string>> => {
  const script = `
    import fs from 'node:fs'
    import { syncBuiltinESMExports } from 'node:module'
    const { open } = fs.promises
    const die = () => process.kill(process.pid, 'SIGKILL')
    fs.promises.open = async (path, ...rest) => {
      const handle = await open(path, ...rest)
      if (!/streams.audit-[0-9]+.jsonl$/.test(String(path))) return handle
      const append = handle.appendFile.bind(handle)
      handle.appendFile = async bytes => {
        if (!String(bytes).includes(${JSON.stringify(word)})) return append(bytes)
        if (${JSON.stringify(when)} === 'before') die()
        await append(bytes)
        await handle.datasync()
        die()
      }
      return handle
    }
    syncBuiltinESMExports()`
  return { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(script)}` }
}

describe('the audit stream of a daemon that is killed', () => {
  let repository: Repository
  let daemon: Daemon | null = null
  beforeEach(() => {
    repository = repositoryOf({ ...linkedFiles, '.svc/config.json': JSON.stringify(config) })
  })
  afterEach(async () => {
    if (daemon !== null && daemon.process.exitCode === null && daemon.process.signalCode === null)
      await daemon.stop('SIGKILL')
    repository.dispose()
  })

  const start = async (env: Readonly<Record<string, string>> = {}): Promise<Daemon> => {
    daemon = await startDaemon(['serve', '--repo', repository.path], env)
    return daemon
  }
  const lines = async (from: Daemon): Promise<ReadonlyArray<Line>> => {
    const { body } = await getJson(from, '/logs/audit')
    if (!LogPage.is(body)) throw new Error('no page of the audit stream')
    return body.items.toReversed()
  }
  /** Asks, and waits for the kill: whether the answer came before it is chance. */
  const killedBy = async (from: Daemon, path: string, body: object): Promise<void> => {
    const ended = new Promise(resolve => from.process.once('close', resolve))
    await postJson(from, path, body).catch(() => null)
    await ended
    equal(from.process.signalCode, 'SIGKILL')
  }
  const register = (chatId: string, gameId: string) => ({ chatId, gameId, guildId: '900' })
  const registered = ['write', 'identity.register'] as const
  const grant = { gameId: '1', capability: 'pu.read' }
  const token = { name: 'x', capabilities: ['pu.read'] }
  /** No two in a row with one word: a start writes the lines that the one before it owes. */
  const cases = [
    ['/workflows/register-by-chat', register('222', '1'), 'identity.register', registered, 'before'],
    ['/tokens', token, 'token.mint', ['token.mint'], 'before'],
    ['/workflows/register-by-chat', register('201', '8'), 'identity.register', registered, 'after'],
    ['/capabilities/grant', grant, 'capabilities/grant', ['write'], 'before'],
  ] as const

  /** Starts a daemon that the request of a case kills; behind the last case, one that nothing kills. */
  const startArmed = (at: number): Promise<Daemon> => {
    const armed = cases[at]
    return start(armed === undefined ? {} : killAt(armed[2], armed[4]))
  }

  it('has the lines of each request once, killed before or after they were on disk, over more starts too', async () => {
    let known: ReadonlyArray<Line> = []
    let armed = await startArmed(0)
    for (const [at, [path, body, , actions, when]] of cases.entries()) {
      const what = `POST ${path}, killed ${when} its lines were on disk`
      await killedBy(armed, path, body)
      const again = await startArmed(at + 1)
      const all = await eventually(
        () => lines(again),
        found => found.length >= known.length + actions.length,
      )
      deepEqual(all.slice(0, known.length), known, `the lines before ${what}`)
      const found = all.slice(known.length)
      deepEqual(
        found.map(line => line['action']),
        actions,
        what,
      )
      for (const line of found) equal(line['landed'] !== undefined, when === 'before', what)
      if (path !== '/tokens') {
        const head = repository.head()
        ok(
          found.every(line => line['commit'] === head && typeof line['intent'] === 'string'),
          what,
        )
      }
      armed = again
      known = all
    }
    await armed.stop('SIGKILL')
    deepEqual(await lines(await start()), known, 'another start adds none')
  })
})
