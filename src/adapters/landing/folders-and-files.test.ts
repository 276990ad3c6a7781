import { deepEqual, equal, ok } from 'node:assert/strict'
import { existsSync, lstatSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, it } from 'mocha'
import type { CommitId } from '#protocol/atoms.js'
import { makeCrashingDisk } from '#test/support/broken-disk.js'
import { commitId } from '#test/support/commit-id.js'
import { type LandingRig, makeLandingRig, recoverAnew } from '#test/support/landing-rig.js'
import { writeFiles } from '#test/support/repository.js'
import { numbersBelow, someOf } from '#test/support/runs.js'
import { type Disk, realDisk } from './disk.js'
import { openLanding } from './landing.js'

type Shape = Readonly<Record<string, string>>

const file: Shape = { 'plik.txt': 'plik\n' }
const folder: Shape = { 'plik.txt/a.md': 'a\n', 'plik.txt/niżej/b.md': 'b\n' }
/** A value that begins with an arrow is a link. */
const link: Shape = { 'plik.txt': '-> encje' }

const changes: ReadonlyArray<readonly [string, Shape, Shape]> = [
  ['a file that becomes a folder', file, folder],
  ['a folder that becomes a file', folder, file],
  ['a folder that becomes a link', folder, link],
  ['a link that becomes a folder', link, folder],
  ['a file that becomes a link', file, link],
]

describe('a move of the branch between a file and a folder', () => {
  let rig: LandingRig
  let root: string
  beforeEach(() => {
    rig = makeLandingRig()
    root = rig.repository.path
  })
  afterEach(() => rig.dispose())

  const commit = (shape: Shape): CommitId => {
    const { git } = rig.repository
    rmSync(join(root, 'plik.txt'), { recursive: true, force: true })
    for (const [path, text] of Object.entries(shape))
      if (text.startsWith('-> ')) symlinkSync(text.slice(3), join(root, path))
      else writeFiles(root, { [path]: text })
    git('add', '-A', '--', 'plik.txt')
    git('commit', '-q', '--allow-empty', '-m', 'shape')
    return commitId(git('rev-parse', 'HEAD'))
  }
  /** Makes the two commits, and checks out the first, with the rig's drafts. */
  const between = (before: Shape, after: Shape): readonly [CommitId, CommitId] => {
    const { git } = rig.repository
    const from = commit(before)
    const to = commit(after)
    git('reset', '-q', '--soft', from)
    rmSync(join(root, 'plik.txt'), { recursive: true, force: true })
    git('restore', '--staged', '--worktree', '--', 'plik.txt')
    return [from, to]
  }
  const advance = async (
    [from, to]: readonly [CommitId, CommitId],
    disk: Disk = realDisk,
    intent = 'intent-1',
  ) => {
    const landing = openLanding({ repo: root, intents: rig.intents, disk, lockWaitsMs: [] })
    const move = { intent, from, to, reason: 'merge', atMs: 1_700_000_000_000 }
    const outcome = await landing.advance(move, new AbortController().signal)
    landing.close()
    return outcome
  }
  const hasShape = (shape: Shape): void => {
    equal(rig.repository.git('status', '--porcelain').trim(), 'M b.md\n?? nowy.md')
    for (const [path, text] of Object.entries(shape))
      if (text.startsWith('-> ')) ok(lstatSync(join(root, path)).isSymbolicLink())
      else equal(readFileSync(join(root, path), 'utf8'), text)
    deepEqual(rig.intents.prepared(), [])
    equal(readFileSync(join(root, 'encje/a.md'), 'utf8'), 'pierwszy\n')
    ok(!existsSync(join(root, 'encje/niżej')))
  }

  for (const [name, before, after] of changes) {
    it(`brings ${name} into index and work tree`, async () => {
      const outcome = await advance(between(before, after))
      deepEqual(isLeft(outcome) ? outcome.left : outcome.right.left, [])
      hasShape(after)
    })

    it(`recovers ${name} from a crash before each call`, async () => {
      const whole = makeCrashingDisk(Number.POSITIVE_INFINITY)
      await advance(between(before, after), whole.disk, 'intent-whole')
      let hasMoved = false
      for (const at of someOf(numbersBelow(whole.calls.length + 1))) {
        const pair = between(before, after)
        const broken = makeCrashingDisk(at)
        await advance(pair, broken.disk, `intent-${at}`)
        await recoverAnew(rig.repository, rig.intents)
        hasMoved = rig.repository.head() === pair[1]
        hasShape(hasMoved ? after : before)
      }
      ok(hasMoved)
    })
  }

  for (const [name, before, after, path, files] of [
    ['an untracked file in the folder', folder, file, 'plik.txt/moje.md', ['plik.txt']],
    ['an ignored file in the folder', folder, file, 'plik.txt/moje.log', ['plik.txt']],
    ['a change of a file in the folder', folder, file, 'plik.txt/a.md', ['plik.txt/a.md']],
    ['a change of the file', file, folder, 'plik.txt', ['plik.txt']],
  ] as const)
    it(`moves nothing where a person has ${name}`, async () => {
      const pair = between(before, after)
      writeFiles(root, { '.git/info/exclude': '/.svc/state/\n*.log\n', [path]: 'moje\n' })
      deepEqual(await advance(pair), { _tag: 'Left', left: { _tag: 'Dirty', files } })
      equal(readFileSync(join(root, path), 'utf8'), 'moje\n')
      equal(rig.repository.head(), pair[0])
    })

  it('moves nothing where a person has staged a file in the folder, also when it lies there no more', async () => {
    const pair = between(folder, file)
    writeFiles(root, { 'plik.txt/moje.md': 'moje\n' })
    rig.repository.git('add', '--', 'plik.txt/moje.md')
    rmSync(join(root, 'plik.txt/moje.md'))
    deepEqual(await advance(pair), { _tag: 'Left', left: { _tag: 'Dirty', files: ['plik.txt'] } })
  })

  it('leaves a file that a person put into the folder while the branch moved', async () => {
    const pair = between(folder, file)
    let isLate = false
    const disk: Disk = {
      ...realDisk,
      remove: async path => {
        if (path.includes('plik.txt') && !isLate) {
          isLate = true
          writeFiles(root, { 'plik.txt/moje.md': 'moje\n' })
        }
        await realDisk.remove(path)
      },
    }
    const outcome = await advance(pair, disk)
    deepEqual(isLeft(outcome) ? outcome.left : outcome.right.left, ['plik.txt'])
    equal(readFileSync(join(root, 'plik.txt/moje.md'), 'utf8'), 'moje\n')
  })
})
