import { deepEqual, equal, ok } from 'node:assert/strict'
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { realDisk } from '#src/adapters/landing/disk.js'
import { blobObject, writeObjects } from '#src/adapters/landing/objects/object-writer.js'
import { chanceOf } from '#src/demo/chance.js'
import { type Repository, repositoryOf, temporaryFolder } from '#test/support/repository.js'
import { gitObjectStore } from './object-store.js'

const { signal } = new AbortController()
const chance = chanceOf('the object store')
const lines = Array.from({ length: 4_000 }, () => `- @info: ${chance.whole(0, 1e15).toString(36)}`)
const writes = 24

/** The text of the lore after a write: one line of a large file is another. */
const textAfter = (write: number): string => [...lines.slice(0, -1), `- @stan: ${write}`].join('\n')

describe('the object store of a checkout', () => {
  let repository: Repository
  let commits: ReadonlyArray<string> = []
  beforeEach(() => {
    repository = repositoryOf({ 'encje/indeks.md': textAfter(-1) })
    commits = Array.from({ length: writes }, (_, at) =>
      repository.commit({ 'encje/indeks.md': textAfter(at) }),
    )
  })
  afterEach(() => repository.dispose())

  const kibOf = (name: string): number => {
    const report = repository.git('count-objects', '-v')
    return Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(report)?.[1])
  }
  const readAll = (): void => {
    for (const [at, commit] of commits.entries())
      ok(repository.git('cat-file', 'blob', `${commit}:encje/indeks.md`).endsWith(`@stan: ${at}`))
    equal(repository.git('fsck', '--full', '--strict'), '')
  }

  it('is weighed in objects and bytes, and packed to a small part of them', async () => {
    const store = gitObjectStore(repository.path)
    const { bytes = 0, ...before } = (await store.weigh(signal)) ?? {}
    deepEqual([before, bytes], [{ objects: kibOf('count') }, kibOf('size') * 1024])
    ok(bytes > 500_000, String(bytes))
    await store.pack(signal)
    deepEqual(await store.weigh(signal), { objects: 0, bytes: 0 })
    ok(kibOf('size-pack') * 1024 * 5 < bytes, `${kibOf('size-pack')} KiB are packed`)
    readAll()
  })

  it('keeps what a write under way, a reflog or a parked ref needs', async () => {
    const underWay = blobObject(Buffer.from('a write under way\n'))
    await writeObjects(realDisk, join(repository.path, '.git/objects'), [underWay])
    const parked = repository.git('commit-tree', 'HEAD^{tree}', '-p', 'HEAD~3', '-m', 'parked')
    repository.git('update-ref', 'refs/svc/parked/x/1', parked)
    repository.git('reset', '-q', '--hard', 'HEAD~2')
    const store = gitObjectStore(repository.path)
    await store.pack(signal)
    await store.collectGarbage(signal)
    equal((await store.weigh(signal))?.objects, 1)
    equal(repository.git('cat-file', 'blob', underWay.id), 'a write under way')
    equal(repository.git('rev-parse', 'refs/svc/parked/x/1'), parked)
    for (const commit of commits) equal(repository.git('cat-file', '-t', commit), 'commit')
  })

  it('loses nothing where its gits are killed, and packs afterwards', async () => {
    const store = gitObjectStore(repository.path)
    for (const delayMs of [0, 2, 5, 10, 20, 40, 80]) {
      const killed = new AbortController()
      setTimeout(() => killed.abort(), delayMs)
      await store.pack(killed.signal)
      readAll()
    }
    await store.pack(signal)
    equal((await store.weigh(signal))?.objects, 0)
    readAll()
  })

  it('says null where there is no repository', async () => {
    const folder = temporaryFolder()
    equal(await gitObjectStore(folder.path).weigh(signal), null)
    folder.dispose()
  })

  it('runs its gits at a low priority, and marks them as chores', async () => {
    const folder = temporaryFolder()
    const said = join(folder.path, 'said')
    const [path, own] = [process.env['PATH'] ?? '', getPriority()]
    const chores = join(repository.path, '.svc/state/chores')
    // Stands in for git, and goes on when its priority is lowered.
    const wrapper = [
      '#!/bin/sh',
      `PATH='${path}'`,
      `while [ "$(nice)" = ${own} ]; do sleep 0.01; done`,
      `ls '${chores}' | wc -l > '${said}'`,
      `nice >> '${said}'`,
      'exec git "$@"',
    ]
    writeFileSync(join(folder.path, 'git'), `${wrapper.join('\n')}\n`)
    chmodSync(join(folder.path, 'git'), 0o755)
    process.env['PATH'] = `${folder.path}:${path}`
    try {
      await gitObjectStore(repository.path).pack(signal)
    } finally {
      process.env['PATH'] = path
    }
    deepEqual(readFileSync(said, 'utf8').trim().split('\n'), ['1', String(Math.min(19, own + 10))])
    deepEqual(readdirSync(chores), [])
    folder.dispose()
  })
})
