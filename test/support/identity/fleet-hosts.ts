import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { SignInAnswer } from '#protocol/identity/sign-in.js'
import { type Daemon, eventually, postJson, runCommand, startDaemon } from '#test/support/daemon.js'
import { type Client, clientOf } from '#test/support/http-client.js'
import { cloneOf, gitIn, temporaryFolder, writeFiles } from '#test/support/repository.js'
import { signEnvelope, testGameKey } from './game-envelopes.js'

/** Serves the game's key on loopback, as its own server does. */
export const serveGameKey = async (): Promise<{ readonly url: string; readonly close: () => void }> => {
  const pem = testGameKey().publicKey.export({ format: 'pem', type: 'spki' })
  const server = createServer((_req, res) => {
    res.statusCode = 200
    res.end(pem)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/key.pem`, close: () => void server.close() }
}

/** One host of a fleet: a clone of the remote, and a built daemon over it. */
export interface FleetHost {
  readonly town: string
  readonly path: string
  readonly daemon: () => Daemon
  readonly client: () => Client
  readonly start: () => Promise<void>
  /** Runs one converge; fails unless it succeeds. */
  readonly sync: () => Promise<void>
  /** Runs `kronika keys rotate` beside the daemon; returns what it printed. */
  readonly rotate: (...flags: ReadonlyArray<string>) => Promise<string>
  /** Runs `kronika keys revoke` for a town, from this host's checkout; returns what it printed. */
  readonly revoke: (gone: string) => Promise<string>
  readonly signIn: (userId: string) => Promise<SignInAnswer>
}

export interface Fleet {
  readonly hosts: Readonly<Record<'a' | 'b' | 'c', FleetHost>>
  /** A person's own clone: changes files and pushes. */
  readonly push: (files: Readonly<Record<string, string>>, message: string) => void
  /** The complete content of the remote, as text. */
  readonly history: () => string
  readonly dispose: () => Promise<void>
}

const hostIn = (folder: string, bare: string, town: string): FleetHost => {
  const path = join(folder, town)
  cloneOf(bare, path)
  let running: Daemon | null = null
  const daemon = (): Daemon => {
    if (running === null) throw new Error(`${town} was not started`)
    return running
  }
  const client = (): Client =>
    clientOf({ port: Number(new URL(daemon().ready.url).port), token: daemon().token, recorded: true })
  const keys = async (verb: string, ...flags: ReadonlyArray<string>): Promise<string> => {
    const { code, stdout, stderr } = await runCommand(['keys', verb, '--repo', path, ...flags])
    if (code !== 0) throw new Error(stderr)
    return stdout + stderr
  }
  return {
    town,
    path,
    daemon,
    client,
    start: async () => {
      running = await startDaemon(['serve', '--repo', path, '--town', town])
      // A host with a town takes no writes before it has looked for a topology.
      await eventually(
        () => client().ask('/health'),
        ({ text }) => text.includes('"ReadWrite"'),
      )
    },
    sync: async () => {
      const { status, body } = await postJson(daemon(), '/sync', {})
      if (status !== 200) throw new Error(`${town}: ${status} ${JSON.stringify(body)}`)
    },
    rotate: (...flags) => keys('rotate', '--town', town, ...flags),
    revoke: gone => keys('revoke', '--town', gone),
    signIn: async userId => {
      const ts = Math.floor(Date.now() / 1000)
      const body = JSON.stringify(signEnvelope({ userId, token: 'x', ts }))
      const reply = await client().ask('/auth/game', { method: 'POST', body, token: null })
      const answer = SignInAnswer.decode(reply.json)
      if (isLeft(answer)) throw new Error(`${town}: ${reply.status} at sign-in`)
      return answer.right
    },
  }
}

/** Three built daemons over clones of one bare remote that has these files. */
export const fleetOf = async (files: Readonly<Record<string, string>>): Promise<Fleet> => {
  const { path: folder, dispose } = temporaryFolder()
  const bare = join(folder, 'bare.git')
  const person = join(folder, 'person')
  gitIn(folder, 'init', '-q', '--bare', '-b', 'main', bare)
  gitIn(folder, 'init', '-q', '-b', 'main', person)
  gitIn(person, 'remote', 'add', 'origin', bare)
  const push: Fleet['push'] = (changed, message) => {
    writeFiles(person, changed)
    gitIn(person, 'add', '-A')
    gitIn(person, 'commit', '-q', '-m', message)
    gitIn(person, 'push', '-q', 'origin', 'main')
  }
  push(files, 'seed')
  const hosts = {
    a: hostIn(folder, bare, 'Arkadia'),
    b: hostIn(folder, bare, 'Bergen'),
    c: hostIn(folder, bare, 'Cedr'),
  }
  const all = Object.values(hosts)
  await Promise.all(all.map(host => host.start()))
  return {
    hosts,
    push: (changed, message) => {
      gitIn(person, 'pull', '-q', '--no-rebase', 'origin', 'main')
      push(changed, message)
    },
    history: () => gitIn(bare, 'log', '-p', '--all'),
    dispose: async () => {
      await Promise.allSettled(all.map(host => host.daemon().stop('SIGKILL')))
      dispose()
    },
  }
}
