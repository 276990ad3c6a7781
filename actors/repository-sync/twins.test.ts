import { equal, match } from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { type SyncHost, type SyncWorld, syncWorld } from '#test/support/sync-hosts.js'
import { type TwinRow, twinTrees } from '#test/support/twin-trees.js'

const orrin = '### Orrin\n- @typ: NPC\n'
const zoe = '### Zoe\n- @typ: NPC\n'
const vera = '### Vera\n- @typ: NPC\n'
const index = (text: string): TwinRow => ['encje', [['indeks.md', text]]]
const twins: ReadonlyArray<TwinRow> = [
  ['zz.md', orrin],
  ['zz.md', zoe],
]

describe('a merge of hosts whose branch has one name twice', () => {
  let world: SyncWorld
  let one: SyncHost
  let two: SyncHost
  let spoilt: string
  beforeEach(async () => {
    world = syncWorld({ 'encje/indeks.md': orrin })
    one = await world.host('a')
    two = await world.host('b')
    const base = one.head()
    const trees = twinTrees(one.path)
    spoilt = trees.commit([index(orrin), ...twins], base)
    one.git('update-ref', 'HEAD', spoilt)
    one.git('push', '-q', 'origin', 'main')
    two.git('fetch', '-q', 'origin')
    two.git('update-ref', 'HEAD', spoilt)
  })
  afterEach(() => world.dispose())

  /** Host a publishes the repair while host b has its own write on the broken tree. */
  const meet = async (mended: ReadonlyArray<TwinRow>, own: ReadonlyArray<TwinRow>) => {
    one.git('update-ref', 'HEAD', twinTrees(one.path).commit([index(orrin), ...mended], spoilt))
    one.git('push', '-q', 'origin', 'main')
    two.git('update-ref', 'HEAD', twinTrees(two.path).commit(own, spoilt))
    return two.sync()
  }

  for (const [what, kept] of [
    ['the first', orrin],
    ['the second', zoe],
    ['another', vera],
  ] as const)
    it(`takes a repair that keeps ${what} file, and the write beside it`, async () => {
      equal((await meet([['zz.md', kept]], [index(orrin + zoe), ...twins])).lastAction, 'merged')
      equal(two.file('zz.md'), kept.trim())
      equal(two.file('encje/indeks.md'), (orrin + zoe).trim())
      equal(two.git('ls-tree', 'HEAD', 'zz.md').split('\n').filter(Boolean).length, 1)
    })

  it('takes a repair that removes both files', async () => {
    equal((await meet([], [index(orrin + zoe), ...twins])).lastAction, 'merged')
    equal(two.git('ls-tree', 'HEAD', 'zz.md'), '')
  })

  it('keeps a row that was written to the file here', async () => {
    const own = `${zoe}- @info: tu\n`
    equal((await meet([['zz.md', zoe]], [index(orrin), ['zz.md', own]])).lastAction, 'merged')
    equal(two.file('zz.md'), own.trim())
  })

  it('takes a repair of a file and a folder', async () => {
    const both: ReadonlyArray<TwinRow> = [
      ['zz', orrin],
      ['zz', [['x.md', zoe]]],
    ]
    spoilt = twinTrees(one.path).commit([index(orrin), ...both], spoilt)
    one.git('push', '-q', 'origin', `${spoilt}:refs/heads/main`)
    two.git('fetch', '-q', 'origin')
    equal((await meet([['zz', orrin]], [index(orrin + zoe), ...both])).lastAction, 'merged')
    equal(two.file('zz'), orrin.trim())
  })

  it('refuses a published tree that still has the name twice, and keeps both files', async () => {
    const report = await meet([...twins, ['zzz.md', vera]], [index(orrin + zoe), ...twins])
    equal(report.lastAction, 'failed')
    match(report.lastDetail ?? '', /"zz\.md", which no checkout can hold: its tree has this name twice/)
    equal(two.git('ls-tree', 'HEAD', 'zz.md').split('\n').filter(Boolean).length, 2)
  })

  it('refuses a name that this host alone has twice', async () => {
    const report = await meet([['zz.md', zoe]], [index(orrin), ...twins, ['zzz.md', orrin], ['zzz.md', vera]])
    equal(report.lastAction, 'failed')
    match(report.lastDetail ?? '', /"zzz\.md", which no checkout can hold/)
  })
})
