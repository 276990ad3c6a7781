import { deepEqual, equal, match } from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { holdCheckout } from '#src/node/start/checkout.js'
import { getJson, runCommand, startDaemon } from '#test/support/daemon.js'
import { type Repository, repositoryOf, temporaryFolder } from '#test/support/repository.js'

const pageBytes = 4096
const pages = 256

/** Mounts a disk of 1 MiB with so many pages free; null where this user cannot mount. */
const smallDisk = (at: string, freePages: number): { readonly unmount: () => void } | null => {
  mkdirSync(at, { recursive: true })
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${pages * pageBytes}`, 'tmpfs', at], {
      stdio: 'ignore',
    })
  } catch {
    return null
  }
  writeFileSync(join(at, 'fill'), Buffer.alloc((pages - freePages) * pageBytes))
  return { unmount: () => execFileSync('umount', [at]) }
}

describe('kronika serve on a host that is in no state for it', () => {
  let repository: Repository
  let folder: ReturnType<typeof temporaryFolder>
  beforeEach(() => {
    repository = repositoryOf({ '.svc/format.json': '{"format": 2}\n' })
    folder = temporaryFolder()
  })
  afterEach(() => {
    repository.dispose()
    folder.dispose()
  })

  const servesWith = async (state: string): Promise<void> => {
    const daemon = await startDaemon(['serve', '--repo', repository.path, '--state', state, '--port', '0'])
    equal((await getJson(daemon, '/health')).status, 200)
    equal(await daemon.stop(), 0)
  }

  for (const freePages of [0, 1, 2]) {
    it(`leaves with 74 and one clear line where the disk has ${freePages} pages left, and starts once there is room`, async function () {
      const disk = smallDisk(folder.path, freePages)
      if (disk === null) {
        console.log('      note: only root can mount a small disk; not run')
        return this.skip()
      }
      try {
        const state = join(folder.path, 'state')
        const ended = await runCommand(['serve', '--repo', repository.path, '--state', state, '--port', '0'])
        equal(ended.code, 74)
        equal(ended.stdout, '')
        const [told = '', record = '', ...rest] = ended.stderr.trim().split('\n')
        deepEqual(rest, [], ended.stderr)
        match(told, /^kronika serve: .*(disk is full|no space left)/)
        match(record, /"code":74,.*"event":"state_disk_full"/)
        equal(existsSync(join(state, 'machine.token')), false)
        rmSync(join(folder.path, 'fill'))
        const held = await holdCheckout(repository.path, state, 'serve')
        if (isLeft(held)) throw new Error(held.left.reason)
        await held.right.release()
        if (freePages === 2) await servesWith(state)
      } finally {
        disk.unmount()
      }
    })
  }

  it('leaves with 70 at once where a port is taken, and says which and what to do', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const address = taken.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    try {
      for (const [asked, by] of [
        [['--port', String(port)], '--port or server.port'],
        [['--port', '0', '--ops-port', String(port)], '--ops-port'],
      ] as const) {
        const ended = await runCommand(['serve', '--repo', repository.path, ...asked])
        equal(ended.code, 70)
        equal(ended.stdout, '')
        const why = `port ${port} of 127.0.0.1 is taken by another process`
        const mend = `stop that process, or name another port with ${by}.`
        // Nothing else: no actor was started, so none was started again.
        const [told, record = '', ...rest] = ended.stderr.trim().split('\n')
        deepEqual([told, rest], [`kronika serve: ${why}; ${mend}`, []])
        match(record, /"code":70,.*"event":"start_refused"/)
      }
    } finally {
      taken.close()
    }
  })

  it('leaves with 64 at once where both listeners are to have one port', async () => {
    const free = createServer().listen(0, '127.0.0.1')
    await once(free, 'listening')
    const address = free.address()
    const port = typeof address === 'object' && address !== null ? String(address.port) : ''
    free.close()
    await once(free, 'close')
    const ended = await runCommand(['serve', '--repo', repository.path, '--port', port, '--ops-port', port])
    const why = `the API and the operations listener both have port ${port}; set another with --ops-port.`
    const [told] = ended.stderr.split('\n')
    deepEqual([ended.code, ended.stdout, told], [64, '', `kronika serve: ${why}`])
  })

  it('leaves with 71 and serves no empty world where the commit of HEAD cannot be read', async () => {
    const head = repository.head()
    rmSync(join(repository.path, '.git/objects', head.slice(0, 2), head.slice(2)))
    const ended = await runCommand(['serve', '--repo', repository.path, '--port', '0'])
    equal(ended.code, 71)
    match(ended.stderr, /^kronika serve: .* the commit that HEAD names cannot be read; run `git fsck`\n/)
  })

  it('leaves with 71 and one clear line where git cannot read the repository', async () => {
    rmSync(join(repository.path, '.git/objects'), { recursive: true })
    const ended = await runCommand(['serve', '--repo', repository.path, '--port', '0'])
    equal(ended.code, 71)
    equal(ended.stdout, '')
    match(ended.stderr, /^kronika serve: .* cannot be served: git cat-file ended: .*\n/)
  })
})
