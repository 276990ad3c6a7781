import { deepEqual, ok } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { publishPlainly } from '#test/support/plain-git.js'
import { type Repository, repositoryOf, temporaryFolder } from '#test/support/repository.js'
import { git } from './git/git-command.js'
import { syncGit } from './sync/sync-git.js'

/** The processes whose command line has a text. */
const processesWith = (text: string): ReadonlyArray<number> =>
  readdirSync('/proc').flatMap(pid => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return []
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').includes(text)
        ? [Number(pid)]
        : []
    } catch {
      return []
    }
  })

const until = async (isTrue: () => boolean): Promise<void> => {
  while (!isTrue()) await wait(10)
}

const never = new AbortController().signal
const limitMs = 400

describe('the group of a git', () => {
  let folder: ReturnType<typeof temporaryFolder>
  let repository: Repository
  /** In the command line of what must end; a second of it is many years. */
  let mark: string
  beforeEach(() => {
    folder = temporaryFolder()
    repository = repositoryOf({ 'a.md': 'a\n' })
    mark = `99999999${String(Number.parseInt(randomUUID().slice(0, 8), 16))}`
  })
  afterEach(() => {
    for (const pid of processesWith(mark)) process.kill(pid, 'SIGKILL')
    repository.dispose()
    folder.dispose()
  })

  const endsWhole = async (args: ReadonlyArray<string>, transport: 'file' | 'ssh' | 'http', text = mark) => {
    const calling = syncGit(args, { cwd: repository.path, signal: never, limitMs, transport })
    const { code, timedOut } = await calling
    deepEqual([code, timedOut], [null, true])
    await until(() => processesWith(text).length === 0)
  }

  it('ends with a helper that waits for an HTTP server which accepts and never answers', async () => {
    const server = createServer(() => undefined).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    await endsWhole(['ls-remote', `http://127.0.0.1:${port}/lore.git`], 'http', `127.0.0.1:${port}`)
    server.close()
  })

  it('ends with an ssh command that hangs, also one that ignores SIGTERM', async () => {
    for (const command of [`sleep ${mark} #`, `trap '' TERM; sleep ${mark}; sleep ${mark} #`])
      await endsWhole(['-c', `core.sshCommand=${command}`, 'ls-remote', 'ssh://nowhere/lore.git'], 'ssh')
  })

  it('ends with a hook of a remote in a folder that sleeps, and leaves no lock there', async () => {
    const bare = join(folder.path, 'bare.git')
    publishPlainly(repository.path, bare)
    for (const name of ['pre-receive', 'reference-transaction']) {
      const hook = join(bare, 'hooks', name)
      writeFileSync(hook, `#!/bin/sh\n[ "$1" = committed ] || sleep ${mark}\n`)
      chmodSync(hook, 0o755)
      await endsWhole(['push', bare, `HEAD:refs/heads/${name}`], 'file')
      writeFileSync(hook, '#!/bin/sh\n')
    }
    deepEqual(
      readdirSync(bare, { recursive: true, encoding: 'utf8' }).filter(path => path.endsWith('.lock')),
      [],
    )
  })

  it('does not keep a call waiting when something outside of the group holds the pipes', async () => {
    const alias = (line: string) => ['-c', `alias.leave=!${line}`, 'leave']
    const left = await git(alias(`setsid sleep ${mark} & echo done`), { cwd: repository.path })
    deepEqual([left.code, left.stdout.toString(), left.timedOut], [0, 'done\n', false])
    const cut = await git(alias(`setsid -w sleep ${mark}`), { cwd: repository.path, limitMs })
    deepEqual([cut.code, cut.timedOut], [null, true])
    // They left the group, so nothing but their own end ends them.
    ok(processesWith(`sleep ${mark}`).length > 0)
  })

  it('ends when the caller aborts, and starts nothing after that', async () => {
    const ending = new AbortController()
    const line = ['-c', `core.sshCommand=sleep ${mark} #`, 'ls-remote', 'ssh://nowhere/lore.git']
    const run = { cwd: repository.path, signal: ending.signal, limitMs: 60_000, transport: 'ssh' as const }
    const calling = syncGit(line, run)
    await until(() => processesWith(`sleep ${mark}`).length > 0)
    ending.abort()
    deepEqual([(await calling).code, (await calling).timedOut], [null, false])
    await until(() => processesWith(mark).length === 0)
    deepEqual([(await syncGit(line, run)).code, processesWith(mark)], [null, []])
  })

  const here = fileURLToPath(new URL('sync/sync-git.ts', import.meta.url))

  for (const [how, end] of [
    ['is killed', (daemon: ReturnType<typeof spawn>) => daemon.kill('SIGKILL')],
    ['exits by itself', (daemon: ReturnType<typeof spawn>) => daemon.stdin?.end()],
  ] as const)
    it(`ends when the daemon ${how}`, async () => {
      const script = `
        import { syncGit } from ${JSON.stringify(here)}
        const args = ['-c', 'core.sshCommand=trap "" TERM; sleep ${mark}; sleep ${mark} #', 'ls-remote', 'ssh://nowhere/x']
        const signal = new AbortController().signal
        void syncGit(args, { cwd: ${JSON.stringify(repository.path)}, signal, limitMs: 600000, transport: 'ssh' })
        process.stdin.on('end', () => process.exit(0)).resume()`
      const args = ['--conditions=source', '--import', 'tsx', '--input-type=module', '-e', script]
      const daemon = spawn(process.execPath, args, { stdio: ['pipe', 'ignore', 'inherit'] })
      await until(() => processesWith(`sleep ${mark}`).length > 1)
      end(daemon)
      await once(daemon, 'exit')
      await until(() => processesWith(mark).length === 0)
    })
})
