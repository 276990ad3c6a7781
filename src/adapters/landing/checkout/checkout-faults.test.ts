import { deepEqual, equal, ok } from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, it } from 'mocha'
import type { BlobId } from '#protocol/atoms.js'
import type { CheckoutFault } from '#protocol/host/discovery.js'
import { openLanding } from '#src/adapters/landing/landing.js'
import { landIn, readHeadIds, repoPathOf } from '#test/support/landing-rig.js'
import { type Repository, repositoryOf } from '#test/support/repository.js'
import { type Disk, realDisk } from '../disk.js'
import { failureOf, failureOfText } from '../failure.js'
import { findFilteredLore, openCheckoutWatch } from './checkout-faults.js'

const path = repoPathOf('encje/a.md')

describe('the faults of a checkout', () => {
  let repository: Repository
  let nowMs: number
  beforeEach(() => {
    repository = repositoryOf({ [path]: 'a\n', 'b/c.md': 'c\n' })
    nowMs = 1_000
  })
  afterEach(() => repository.dispose())

  const at = (name: string): string => join(repository.path, name)
  const open = (): (() => Promise<ReadonlyArray<CheckoutFault>>) => {
    const look = openCheckoutWatch({
      repo: repository.path,
      stands: () => Promise.resolve(true),
      atOnce: false,
      monotonicMs: () => nowMs,
    })
    const files = [{ path, blob: repository.git('rev-parse', `HEAD:${path}`) as BlobId }]
    return async () => (await look(files)).faults
  }
  const codesOf = (faults: ReadonlyArray<CheckoutFault>): ReadonlyArray<string> =>
    faults.map(({ code }) => code)
  const write = async (disk: Partial<Disk> = {}, { base, before } = readHeadIds(repository)) => {
    const landing = openLanding({
      repo: repository.path,
      intents: null,
      lockWaitsMs: [],
      disk: { ...realDisk, ...disk },
    })
    const author = { name: 'Żaneta', email: 'z@kronika.invalid' }
    const draft = {
      intent: 'i',
      actor: 'Ż',
      route: 'PATCH /x',
      author,
      message: 'm\n',
      after: new Map([[path, Buffer.from('b\n')]]),
    }
    try {
      const landed = await landIn(landing, base, [{ path, before }], draft)
      if (!isLeft(landed)) return 'landed'
      return landed.left._tag === 'Blocked' ? landed.left.code : landed.left._tag
    } finally {
      landing.close()
    }
  }

  it('are none where nothing is wrong', async () => deepEqual(await open()(), []))

  const indexes: Readonly<Record<string, readonly [breakIt: () => void, mendIt: () => void]>> = {
    'a split index': [
      () => void repository.git('update-index', '--split-index'),
      () => void repository.git('update-index', '--no-split-index'),
    ],
    'a sparse index': [
      () => void repository.git('sparse-checkout', 'set', '--cone', '--sparse-index', 'encje'),
      () => void repository.git('sparse-checkout', 'disable'),
    ],
    'a damaged index': [
      () =>
        writeFileSync(at('.git/index'), Buffer.concat([readFileSync(at('.git/index')), Buffer.from('x')])),
      () => {
        rmSync(at('.git/index'))
        repository.git('reset', '-q')
      },
    ],
  }
  for (const [name, [breakIt, mendIt]] of Object.entries(indexes))
    it(`have a code, which ends with its cause, and so has the write: ${name}`, async () => {
      const look = open()
      breakIt()
      deepEqual(codesOf(await look()), ['index_unreadable'])
      equal(await write(), 'index_unreadable')
      mendIt()
      deepEqual(await look(), [])
      equal(await write(), 'landed')
    })

  for (const [lock, code] of [
    ['.git/HEAD.lock', 'ref_lock'],
    ['.git/refs/heads/main.lock', 'ref_lock'],
    ['.git/index.lock', 'index_lock'],
  ] as const)
    it(`count a foreign lock after 5 s, and no new one for an old one: ${lock}`, async () => {
      const look = open()
      writeFileSync(at(lock), '')
      deepEqual(await look(), [])
      nowMs += 4_999
      deepEqual(await look(), [])
      nowMs += 1
      deepEqual(
        (await look()).map(fault => [fault.code, fault.files]),
        [[code, [lock]]],
      )
      equal(await write(), 'Locked')
      rmSync(at(lock))
      deepEqual(await look(), [])
      writeFileSync(at(lock), '')
      deepEqual(await look(), [])
      rmSync(at(lock))
      equal(await write(), 'landed')
    })

  it('name a folder that cannot be written, which a start and a read do not need', async () => {
    mkdirSync(at('.svc'))
    writeFileSync(at('.svc/state'), '')
    deepEqual(
      (await open()()).map(fault => [fault.code, fault.files]),
      [['repository_read_only', ['.svc/state']]],
    )
    rmSync(at('.svc/state'))
    deepEqual(await open()(), [])
  })

  for (const folder of ['.git/objects', '.git/refs'])
    it(`name a folder on a file system that is read-only, and heal when it is not: ${folder}`, async function () {
      const mount = (...args: ReadonlyArray<string>) => spawnSync('mount', args).status === 0
      if (!mount('--bind', at(folder), at(folder))) return this.skip()
      try {
        ok(mount('-o', 'remount,ro,bind', at(folder)))
        const faults = await open()()
        deepEqual(codesOf(faults), ['repository_read_only'])
        ok(faults[0]?.files.every(file => file.startsWith(folder)))
        equal(await write(), 'repository_read_only')
      } finally {
        spawnSync('umount', [at(folder)])
      }
      deepEqual(await open()(), [])
      equal(await write(), 'landed')
    })

  for (const code of ['EACCES', 'EPERM', 'EROFS'])
    it(`refuse a write by the code where the disk says ${code}, and take the next one`, async () => {
      const refuse = () => Promise.reject(Object.assign(new Error(`${code}: write`), { code }))
      equal(await write({ write: refuse }), 'repository_read_only')
      equal(await write(), 'landed')
    })

  it('are read from what git says', () => {
    const said: ReadonlyArray<readonly [string, string]> = [
      ["fatal: Unable to create '/r/.git/HEAD.lock': Permission denied", 'repository_read_only'],
      [
        'error: object file .git/objects/ab/cd is empty; fatal: loose object abcd is corrupt',
        'object_damaged',
      ],
      ['fatal: unable to read tree abcd', 'object_damaged'],
      ['error: inflate: data stream error (incorrect header check)', 'object_damaged'],
      ['fatal: something new', 'Failed'],
    ]
    deepEqual(
      said.map(([text]) => {
        const failure = failureOfText(text)
        return failure._tag === 'Blocked' ? failure.code : failure._tag
      }),
      said.map(([, code]) => code),
    )
    equal(failureOf(Object.assign(new Error('full'), { code: 'ENOSPC' }))._tag, 'Disk')
  })

  it('refuse a write whose base is a damaged object by its code', async () => {
    const [ids, tree] = [readHeadIds(repository), repository.git('rev-parse', 'HEAD:encje')]
    const object = at(`.git/objects/${tree.slice(0, 2)}/${tree.slice(2)}`)
    const bytes = readFileSync(object)
    rmSync(object)
    writeFileSync(object, '')
    equal(await write({}, ids), 'object_damaged')
    rmSync(object)
    writeFileSync(object, bytes)
    equal(await write(), 'landed')
  })

  it('list a filter with a command on a served file, when it appears and until it goes', async () => {
    const look = open()
    writeFileSync(at('.gitattributes'), 'encje/* filter=tajny\nb/* filter=inny\n')
    deepEqual(await look(), [])
    repository.git('config', 'filter.tajny.clean', 'false')
    const [fault, ...others] = await look()
    deepEqual([fault?.code, fault?.files, others], ['filter_command', [path], []])
    ok(fault?.reason.includes('tajny'))
    deepEqual(await findFilteredLore(repository.path), { path, filter: 'tajny' })
    repository.git('config', '--unset', 'filter.tajny.clean')
    deepEqual([await look(), await findFilteredLore(repository.path)], [[], null])
  })
})
