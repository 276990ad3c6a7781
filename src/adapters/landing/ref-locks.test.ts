import { deepEqual, equal, ok } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { CommitId } from '#protocol/atoms.js'
import {
  isWhole,
  type LandingRig,
  makeLandingRig,
  readHeadIds,
  recoverAnew,
  writeThrough,
} from '#test/support/landing-rig.js'
import { writeFiles } from '#test/support/repository.js'
import { listLivingGits } from './chores.js'

const branch = '.git/refs/heads/main.lock'
const head = '.git/HEAD.lock'
const commit = 'a'.repeat(40)

describe('the locks of a git that was killed', () => {
  let rig: LandingRig
  beforeEach(() => {
    rig = makeLandingRig()
  })
  afterEach(() => rig.dispose())

  const leave = (files: Readonly<Record<string, string>>): void => writeFiles(rig.repository.path, files)
  const isThere = (path: string): boolean => existsSync(join(rig.repository.path, path))
  /** Records the intent of a landing that was killed while its git moved the branch. */
  const announce = (): void => {
    const id = CommitId.decode(commit)
    if (isLeft(id)) throw new Error('an id wanted')
    const { base } = readHeadIds(rig.repository)
    rig.intents.prepare([
      {
        id: 'i',
        tree: 'lore',
        atMs: Date.now(),
        actor: 'a',
        route: 'r',
        commit: id.right,
        parent: base,
        state: 'prepared',
        paths: [],
      },
    ])
  }

  it('are removed, and the next write lands', async () => {
    announce()
    leave({ [branch]: `${commit}\n`, [head]: '' })
    deepEqual((await recoverAnew(rig.repository, rig.intents)).lost, ['i'])
    deepEqual([isThere(branch), isThere(head)], [false, false])
    ok((await writeThrough(rig.repository, rig.intents)).landed !== null)
    isWhole(rig.repository, rig.intents, true)
  })

  it('stay where they name a commit of somebody else, and the write tells which', async () => {
    announce()
    leave({ [branch]: `${'b'.repeat(40)}\n` })
    await recoverAnew(rig.repository, rig.intents)
    equal(readFileSync(join(rig.repository.path, branch), 'utf8'), `${'b'.repeat(40)}\n`)
    const { landed, reason } = await writeThrough(rig.repository, rig.intents)
    equal(landed, null)
    ok(reason.includes('"Locked"') && reason.includes('main.lock'), reason)
  })

  it('stay where no write of ours was under way', async () => {
    leave({ [head]: '' })
    await recoverAnew(rig.repository, rig.intents)
    ok(isThere(head))
  })

  it('stay while a git is at work that may hold them, and go when it has ended', async () => {
    announce()
    leave({ [head]: '' })
    const { path } = rig.repository
    const shell = spawn('sh', ['-c', 'git cat-file --batch; exit 0'], {
      cwd: path,
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    while ((await listLivingGits(path))?.length === 0) await new Promise(resolve => setTimeout(resolve, 20))
    const { landed, reason } = await writeThrough(rig.repository, rig.intents)
    ok(landed === null && reason.includes('HEAD.lock'), reason)
    ok(isThere(head))
    const closed = once(shell, 'close')
    shell.stdin.end()
    await closed
    ok((await writeThrough(rig.repository, rig.intents)).landed !== null)
    isWhole(rig.repository, rig.intents, true)
  })

  it('are waited for while a child of the daemon before still moves the branch', async () => {
    announce()
    const { path } = rig.repository
    const orphan = spawn('sh', ['-c', 'git update-ref -m "kronika: PATCH /x" --stdin; exit 0'], {
      cwd: path,
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    while ((await listLivingGits(path))?.length === 0) await new Promise(resolve => setTimeout(resolve, 20))
    const closed = once(orphan, 'close')
    const recovering = recoverAnew(rig.repository, rig.intents)
    await new Promise(resolve => setTimeout(resolve, 300))
    equal(rig.intents.prepared().length, 1, 'nothing is called lost while it may still land')
    orphan.stdin.end()
    deepEqual((await recovering).lost, ['i'])
    await closed
  })
})
