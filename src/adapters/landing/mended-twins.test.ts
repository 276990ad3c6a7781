import { deepEqual, equal } from 'node:assert/strict'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, it } from 'mocha'
import type { CommitId } from '#protocol/atoms.js'
import { type LandingRig, makeLandingRig } from '#test/support/landing-rig.js'
import { writeFiles } from '#test/support/repository.js'
import { type TwinRow, type TwinTrees, twinTrees } from '#test/support/twin-trees.js'
import { openLanding } from './landing.js'

const files: ReadonlyArray<TwinRow> = [
  ['b.md', 'b\n'],
  ['encje', [['a.md', 'pierwszy\n']]],
]
const twoFiles: ReadonlyArray<TwinRow> = [
  ['zz', 'one\n'],
  ['zz', 'two\n'],
]
const fileAndFolder: ReadonlyArray<TwinRow> = [
  ['zz', 'one\n'],
  ['zz', [['x.md', 'x\n']]],
]
const twoFolders: ReadonlyArray<TwinRow> = [
  ['zz', [['x.md', 'x\n']]],
  ['zz', [['y.md', 'y\n']]],
]

type Lore = Readonly<Record<string, string>>

/** The tree with a name twice, the repair, and the content of that name in the repaired checkout. */
const repairs: ReadonlyArray<readonly [string, ReadonlyArray<TwinRow>, ReadonlyArray<TwinRow>, Lore]> = [
  ['the first of two files', twoFiles, [['zz', 'one\n']], { zz: 'one\n' }],
  ['the second of two files', twoFiles, [['zz', 'two\n']], { zz: 'two\n' }],
  ['a third text', twoFiles, [['zz', 'three\n']], { zz: 'three\n' }],
  ['neither of two files', twoFiles, [], {}],
  ['the file, not the folder', fileAndFolder, [['zz', 'one\n']], { zz: 'one\n' }],
  ['the folder, not the file', fileAndFolder, [['zz', [['x.md', 'x\n']]]], { 'zz/x.md': 'x\n' }],
  [
    'both folders as one',
    twoFolders,
    [
      [
        'zz',
        [
          ['x.md', 'x\n'],
          ['y.md', 'y\n'],
        ],
      ],
    ],
    { 'zz/x.md': 'x\n', 'zz/y.md': 'y\n' },
  ],
]

/**
 * The possible checkouts of each tree: git checks out the last file, a host may have checked out the first.
 */
const checkouts: ReadonlyArray<readonly [ReadonlyArray<TwinRow>, ReadonlyArray<Lore>]> = [
  [twoFiles, [{ zz: 'one\n' }, { zz: 'two\n' }]],
  [fileAndFolder, [{ zz: 'one\n' }, { 'zz/x.md': 'x\n' }]],
  [twoFolders, [{ 'zz/x.md': 'x\n', 'zz/y.md': 'y\n' }, { 'zz/y.md': 'y\n' }]],
]

describe('a move of the branch from a tree that has one name twice to its repair', () => {
  let rig: LandingRig
  let root: string
  let trees: TwinTrees
  beforeEach(() => {
    rig = makeLandingRig()
    root = rig.repository.path
    trees = twinTrees(root)
  })
  afterEach(() => rig.dispose())

  /** Sets HEAD to the tree with the name twice, with this checkout, and commits the repair on it. */
  const stand = (twins: ReadonlyArray<TwinRow>, mended: ReadonlyArray<TwinRow>, lies: Lore) => {
    const { git } = rig.repository
    writeFiles(root, lies)
    git('add', '-A', '--', 'zz')
    const from = trees.commit([...files, ...twins], rig.repository.head())
    const to = trees.commit([...files, ...mended], from)
    git('update-ref', 'HEAD', from)
    return [from, to] as const
  }
  const advance = async (from: CommitId, to: CommitId) => {
    const landing = openLanding({ repo: root, intents: rig.intents, lockWaitsMs: [] })
    const move = { intent: 'intent-1', from, to, reason: 'sync: fast-forward', atMs: 1_700_000_000_000 }
    const outcome = await landing.advance(move, new AbortController().signal)
    landing.close()
    return outcome
  }

  for (const [what, twins, mended, after] of repairs)
    for (const lies of checkouts.find(([one]) => one === twins)?.[1] ?? [])
      it(`brings ${what} to a checkout that has ${JSON.stringify(lies)}`, async () => {
        const [from, to] = stand(twins, mended, lies)
        const outcome = await advance(from, to)
        if (isLeft(outcome)) throw new Error(JSON.stringify(outcome.left))
        deepEqual(outcome.right.left, [])
        equal(rig.repository.head().trim(), to)
        equal(rig.repository.git('status', '--porcelain').trim(), 'M b.md\n?? nowy.md')
        for (const [path, text] of Object.entries(after)) equal(readFileSync(join(root, path), 'utf8'), text)
        equal(existsSync(join(root, 'zz')), Object.keys(after).length > 0)
        deepEqual(rig.intents.prepared(), [])
      })

  it('brings it where index and work tree hold one file each', async () => {
    const [from, to] = stand(twoFiles, [['zz', 'two\n']], { zz: 'two\n' })
    writeFiles(root, { zz: 'one\n' })
    const outcome = await advance(from, to)
    equal(isLeft(outcome), false, JSON.stringify(outcome))
    equal(readFileSync(join(root, 'zz'), 'utf8'), 'two\n')
    equal(rig.repository.git('status', '--porcelain').trim(), 'M b.md\n?? nowy.md')
  })

  it('changes nothing where a person edited the file', async () => {
    const [from, to] = stand(twoFiles, [['zz', 'two\n']], { zz: 'two\n' })
    writeFiles(root, { zz: 'szkic\n' })
    deepEqual(await advance(from, to), { _tag: 'Left', left: { _tag: 'Dirty', files: ['zz'] } })
    equal(readFileSync(join(root, 'zz'), 'utf8'), 'szkic\n')
    rmSync(join(root, 'zz'))
  })
})
