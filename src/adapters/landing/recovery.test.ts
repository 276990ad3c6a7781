import { deepEqual, equal, ok } from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isLeft, isRight } from 'fp-ts/lib/Either.js'
import { afterEach, describe, it } from 'mocha'
import { BlobId, CommitId } from '#protocol/atoms/commit.js'
import type { Intents } from '#src/ports/intents.js'
import type { Landed } from '#src/ports/landing.js'
import { crashingDisk, refusingDisk } from '#test/support/broken-disk.js'
import { type Repository, repositoryOf, temporaryFolder, writeFiles } from '#test/support/repository.js'
import { sourceFile } from '#test/support/world.js'
import { openRuntimeDb } from '../runtime-db.js'
import type { Disk } from './disk.js'
import { type LandingOptions, openLanding } from './landing.js'

const first = 'pierwszy\n'
const changed = 'zmieniony\n'
const signal = new AbortController().signal
const path = (text: string) => sourceFile(text, '').path

/** A repository with a draft of a person beside the file that writes touch, and its runtime database. */
const rig = () => {
  const repository = repositoryOf({ 'encje/a.md': first, 'b.md': 'b\n' })
  repository.git('config', 'core.quotePath', 'false')
  writeFiles(repository.path, {
    'b.md': 'szkic\n',
    'nowy.md': 'nieznany\n',
    '.git/info/exclude': '/.svc/state/\n',
  })
  const state = temporaryFolder()
  const runtime = openRuntimeDb(state.path)
  if (isLeft(runtime)) throw new Error(runtime.left)
  return {
    repository,
    intents: runtime.right.intents,
    dispose: () => {
      runtime.right.close()
      state.dispose()
      repository.dispose()
    },
  }
}

const decoded = (repository: Repository) => {
  const [commit, blob] = [
    CommitId.decode(repository.git('rev-parse', 'HEAD')),
    BlobId.decode(repository.git('rev-parse', 'HEAD:encje/a.md')),
  ]
  if (isLeft(commit) || isLeft(blob)) throw new Error('ids wanted')
  return { base: commit.right, before: blob.right }
}

interface Tried {
  readonly landed: Landed | null
  readonly reason: string
}

/** Lands one write of two files through a disk; the child of the landing is closed whatever happens. */
const write = async (
  repository: Repository,
  intents: Intents,
  disk: Partial<Pick<LandingOptions, 'disk'>> = {},
  id = 'intent-1',
): Promise<Tried> => {
  const landing = openLanding({ repo: repository.path, intents, lockWaitsMs: [], ...disk })
  const { base, before } = decoded(repository)
  const author = { name: 'Żaneta', email: 'zaneta@kronika.invalid' }
  const after = new Map([
    [path('encje/a.md'), Buffer.from(changed)],
    [path('encje/głębiej/nowy.md'), Buffer.from('nowy\n')],
  ])
  const outcome = await landing.land(
    {
      base,
      files: [
        { path: path('encje/a.md'), before },
        { path: path('encje/głębiej/nowy.md'), before: null },
      ],
      compose: dirty =>
        dirty.size > 0
          ? []
          : [
              {
                intent: id,
                actor: 'Żaneta',
                route: 'PATCH /x',
                author,
                message: `zmiana\n\nSvc-Intent: ${id}\n`,
                after,
              },
            ],
      atMs: 1_700_000_000_000,
    },
    signal,
  )
  landing.close()
  return isRight(outcome)
    ? { landed: outcome.right, reason: '' }
    : { landed: null, reason: JSON.stringify(outcome.left) }
}

const recover = async (repository: Repository, intents: Intents) => {
  const landing = openLanding({ repo: repository.path, intents, lockWaitsMs: [] })
  const found = await landing.recover()
  landing.close()
  if (isLeft(found)) throw new Error(JSON.stringify(found.left))
  return found.right
}

const text = (repository: Repository, name: string): string =>
  readFileSync(join(repository.path, name), 'utf8')

/** What must hold at rest, whatever happened: the draft stands, nothing of ours is left, git is content. */
const isWhole = (repository: Repository, intents: Intents, hasWrite: boolean): void => {
  equal(text(repository, 'b.md'), 'szkic\n')
  equal(text(repository, 'nowy.md'), 'nieznany\n')
  equal(text(repository, 'encje/a.md'), hasWrite ? changed : first)
  equal(repository.git('status', '--porcelain').trim(), 'M b.md\n?? nowy.md')
  equal(repository.git('rev-list', '--count', 'HEAD'), hasWrite ? '2' : '1')
  ok(!existsSync(join(repository.path, '.git/index.lock')))
  const area = join(repository.path, '.svc/state/checkout')
  deepEqual(existsSync(area) ? readdirSync(area) : [], [])
  deepEqual(intents.prepared(), [])
  repository.git('fsck', '--strict')
}

const countOf = async (): Promise<number> => {
  const one = rig()
  const counted = crashingDisk(Number.POSITIVE_INFINITY)
  await write(one.repository, one.intents, { disk: counted.disk })
  one.dispose()
  return counted.calls.length
}

describe('a landing that ends in the middle', () => {
  let disposals: ReadonlyArray<() => void> = []
  const fresh = () => {
    const one = rig()
    disposals = [...disposals, one.dispose]
    return one
  }
  afterEach(() => {
    for (const dispose of disposals) dispose()
    disposals = []
  })

  it('recovers from a crash before each of its calls, and the next write lands', async () => {
    const steps = await countOf()
    ok(steps > 20, `${steps} steps`)
    const seen = new Set<string>()
    for (let at = 0; at < steps; at += 1) {
      const { repository, intents } = fresh()
      await write(repository, intents, { disk: crashingDisk(at).disk })
      const { landed, lost } = await recover(repository, intents)
      const hasWrite = repository.git('rev-list', '--count', 'HEAD') === '2'
      isWhole(repository, intents, hasWrite)
      seen.add(`${landed.length}${lost.length}${String(hasWrite)}`)
      if (!hasWrite) ok((await write(repository, intents, {}, 'intent-2')).landed !== null)
      isWhole(repository, intents, true)
    }
    // Before the intent, after the branch moved, and after the mark: nothing in between is left to the calls of the disk.
    ok(seen.has('00false') && seen.has('10true'), [...seen].join())
  }).timeout(120_000)

  it('is lost when it was announced and the branch never moved', async () => {
    const { repository, intents } = fresh()
    const { base } = decoded(repository)
    const commit = CommitId.decode('1'.repeat(40))
    if (isLeft(commit)) throw new Error('an id wanted')
    intents.prepare([
      {
        id: 'intent-0',
        atMs: 1,
        actor: 'a',
        route: 'r',
        commit: commit.right,
        parent: base,
        state: 'prepared',
        paths: [{ path: path('encje/a.md'), old: null, new: null }],
      },
    ])
    deepEqual((await recover(repository, intents)).lost, ['intent-0'])
    isWhole(repository, intents, false)
  })

  it('leaves what a person made of a file since the crash', async () => {
    const { repository, intents } = fresh()
    const steps = await countOf()
    let disk: Disk | null = null
    for (let at = steps - 1; disk === null && at > 0; at -= 1) {
      const { repository: probe, intents: told } = fresh()
      await write(probe, told, { disk: crashingDisk(at).disk })
      if (text(probe, 'encje/a.md') === first) disk = crashingDisk(at).disk
    }
    ok(disk !== null)
    await write(repository, intents, { disk })
    equal(repository.git('rev-list', '--count', 'HEAD'), '2')
    writeFiles(repository.path, { 'encje/a.md': 'ręką\n' })
    await recover(repository, intents)
    equal(text(repository, 'encje/a.md'), 'ręką\n')
    equal(repository.git('diff', '--cached', '--name-only'), '')
  }).timeout(60_000)

  it('refuses with the reason of the disk at every call that needs room, and lands when there is room again', async () => {
    const { repository: probe, intents: told } = fresh()
    const counted = refusingDisk(Number.POSITIVE_INFINITY, 'ENOSPC')
    await write(probe, told, { disk: counted.disk })
    for (let at = 0; at < counted.calls.length; at += 1)
      for (const code of at % 2 === 0 ? ['ENOSPC'] : ['EIO']) {
        const { repository, intents } = fresh()
        const tried = await write(repository, intents, { disk: refusingDisk(at, code).disk })
        const hasWrite = repository.git('rev-list', '--count', 'HEAD') === '2'
        if (hasWrite) ok(tried.landed !== null, 'a write that stands is told as one')
        else ok(tried.reason.includes('"Disk"') && tried.reason.includes(code), tried.reason)
        await recover(repository, intents)
        isWhole(repository, intents, hasWrite)
      }
  }).timeout(120_000)
})
