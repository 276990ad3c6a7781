import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { requirePath } from '#protocol/atoms.js'
import { fileBytesMax, ledgerBytesMax } from '#src/domain/lore/layout.js'
import type { TreeEntry, TreeListing, TreeSource } from '#src/ports/git.js'
import { type Budget, treeBudget } from '#src/snapshot/budget.js'
import { sourceFile } from '#test/support/world.js'
import { identityAt } from './identity-files.js'
import { type CorpusLore, type LoreBefore, loreFiles, noLore } from './lore-files.js'

type Texts = Readonly<Record<string, string>>

/** A tree of texts, and the paths whose bytes were read. */
const treeOf = (texts: Texts): { source: TreeSource; listing: TreeListing; read: ReadonlyArray<string> } => {
  const read: Array<string> = []
  const entries = Object.entries(texts).map(
    ([path, text]): TreeEntry => ({
      path: requirePath(path),
      blob: sourceFile(path, text).blob,
      bytes: Buffer.byteLength(text),
    }),
  )
  const source: TreeSource = {
    kind: 'directory',
    path: 'lore',
    head: () => Promise.resolve({ commit: null, id: 'tree' }),
    list: () => Promise.resolve({ entries, skipped: [] }),
    listAt: (_, paths) =>
      Promise.resolve({ entries: entries.filter(({ path }) => paths.includes(path)), skipped: [] }),
    read: ({ path }) => {
      read.push(path)
      return Promise.resolve(Buffer.from(texts[path] ?? ''))
    },
    file: () => Promise.resolve(null),
    contains: () => Promise.resolve(false),
    close: () => Promise.resolve(),
  }
  return { source, listing: { entries, skipped: [] }, read }
}

const readTree = async (
  { source, listing }: Pick<ReturnType<typeof treeOf>, 'source' | 'listing'>,
  budget: Partial<Budget> = {},
  before: LoreBefore = noLore,
): Promise<CorpusLore> =>
  loreFiles(
    {
      source,
      identity: (await identityAt(source, await source.head(), before.files)).files,
      budget: { ...treeBudget, ...budget },
      breathe: () => Promise.resolve(),
    },
    listing,
    before,
  )

const lines = (count: number): string => 'x\n'.repeat(count)

const listLeftOut = async (texts: Texts, budget: Partial<Budget>): Promise<ReadonlyArray<string>> =>
  [...(await readTree(treeOf(texts), budget)).leftOut].sort()

describe('the budget of a tree', () => {
  const texts: Texts = {
    '.svc/close/reminders.jsonl': lines(20),
    '.svc/roles.json': lines(30),
    'encje/a.md': lines(40),
    'encje/b.md': lines(10),
    'kontrybutorzy.md': lines(50),
    'sesje/a.md': lines(9),
    'sesje/b.md': lines(8),
  }

  it('leaves nothing out of a tree that fits', async () => {
    const { files, leftOut: none, findings } = await readTree(treeOf(texts))
    deepEqual([[...files.keys()], none.size, findings.length], [Object.keys(texts), 0, 0])
  })

  it('takes the files of rights first, then ledgers, the index and the rest', async () => {
    deepEqual(await listLeftOut(texts, { textBytes: 2 * 80 }), [
      '.svc/close/reminders.jsonl',
      'encje/a.md',
      'encje/b.md',
      'sesje/a.md',
      'sesje/b.md',
    ])
    deepEqual(await listLeftOut(texts, { textBytes: 2 * 110 }), ['encje/a.md', 'sesje/a.md', 'sesje/b.md'])
  })

  it('leaves the largest files of a group out first, and goes on with the next group', async () => {
    deepEqual(await listLeftOut(texts, { textBytes: 2 * 118 }), ['encje/a.md', 'sesje/a.md'])
    deepEqual(await listLeftOut(texts, { rows: 123 }), ['encje/a.md', 'sesje/a.md'])
  })

  it('counts the parts of comma lists as rows', async () => {
    const listed = {
      'sesje/a.md': '- Lokacje: a, b, c, d\n',
      'sesje/b.md': 'Proza.\nProza, a nie lista części.\n',
    }
    deepEqual(await listLeftOut(listed, { rows: 8 }), ['sesje/b.md'])
  })

  it('leaves out no ledger of what was enacted, and counts it to no limit', async () => {
    const ledgers = ['.svc/close/ledger.jsonl', '.svc/money/moves.jsonl', '.svc/pu/batches.jsonl']
    const own = { ...Object.fromEntries(ledgers.map(path => [path, lines(99)])), 'sesje/a.md': lines(9) }
    deepEqual(await listLeftOut(own, { textBytes: 2 * 9, rows: 10 }), [])
    const large = 'y'.repeat(fileBytesMax + 1)
    const { leftOut, findings } = await readTree(
      treeOf({ 'sesje/a.md': large, '.svc/pu/batches.jsonl': large }),
    )
    deepEqual([[...leftOut], findings.map(({ kind }) => kind)], [['sesje/a.md'], ['FileTooLarge']])
  })

  it('tells of a ledger that cannot be read, whatever stands in its place', async () => {
    const pointer = 'version https://git-lfs.github.com/spec/v1\n'
    for (const [path, text] of [
      ['.svc/close/ledger.jsonl', 'y'.repeat(ledgerBytesMax + 1)],
      ['.svc/close/ledger.jsonl', pointer],
      ['.svc/close/ledger.jsonl/a', ''],
      ['.svc/close', ''],
    ] as const) {
      const { findings } = await readTree(treeOf({ [path]: text }))
      deepEqual(
        findings.flatMap(({ kind, file }) => (kind === 'LedgerUnread' ? [file] : [])),
        ['.svc/close/ledger.jsonl'],
        path,
      )
    }
  })

  it('tells of each file, and of a hundred at most', async () => {
    const many = Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`sesje/${at}.md`, lines(at + 1)]))
    const { findings } = await readTree(treeOf(many), { rows: 2 })
    equal(findings.length, 101)
    ok(findings.every(finding => finding.kind === 'FileAboveBudget' && finding.severity === 'error'))
  })

  it('leaves the same files out whatever was read before', async () => {
    const tree = treeOf(texts)
    const before = await readTree(tree)
    const after = await readTree(tree, { textBytes: 2 * 118 }, before)
    const firstLoad = await readTree(treeOf(texts), { textBytes: 2 * 118 })
    deepEqual(
      [[...after.leftOut], [...after.files.keys()]],
      [[...firstLoad.leftOut], [...firstLoad.files.keys()]],
    )
    deepEqual(after.findings, firstLoad.findings)
    deepEqual(tree.read.length, Object.keys(texts).length)
  })

  it('does not read what it leaves out', async () => {
    const tree = treeOf({ 'sesje/a.md': lines(5), 'sesje/b.md': lines(6), 'sesje/c.md': lines(7) })
    await readTree(tree, { textBytes: 10 })
    deepEqual(tree.read, ['sesje/a.md'])
  })

  it('reads a content once, and keeps one text of it', async () => {
    const same = treeOf({ 'encje/a.md': lines(5), 'sesje/a.md': lines(5), 'sesje/b.md': lines(5) })
    const { files } = await readTree(same)
    deepEqual(same.read, ['encje/a.md'])
    deepEqual(
      [...files.values()].map(file => [file.source.path, file.source.text]),
      ['encje/a.md', 'sesje/a.md', 'sesje/b.md'].map(path => [path, lines(5)]),
    )
  })

  it('reads the second file of a content where the first was left out unread', async () => {
    const long = 'y'.repeat(60)
    const same = treeOf({
      'encje/a.md': lines(9),
      'encje/b.md': lines(14),
      'encje/c.md': long,
      'sesje/c.md': long,
    })
    const { files } = await readTree(same, { rows: 20 })
    deepEqual([...files.keys()], ['encje/a.md', 'sesje/c.md'])
  })
})

describe('a load of the lore after another', () => {
  const texts: Texts = {
    'encje/a.md': lines(4),
    'encje/b.md': lines(5),
    'kontrybutorzy.md': lines(3),
    'obraz.png': 'png',
    'sesje/a.md': lines(6),
    'sesje/b.md': lines(7),
    'sesje/zły.md': 'z\u{fffd}y',
  }
  const first = treeOf(texts)
  const kept = new Map(first.listing.entries.map(entry => [entry.path as string, entry]))

  /** The tree of these texts; its unchanged files are the entries of the first tree, as in git's listing. */
  const nextTree = (next: Texts) => {
    const tree = treeOf(
      Object.fromEntries(Object.entries(next).sort(([one], [other]) => (one < other ? -1 : 1))),
    )
    const entries = tree.listing.entries.map(entry => {
      const before = kept.get(entry.path)
      return before?.blob === entry.blob ? before : entry
    })
    return { ...tree, listing: { ...tree.listing, entries } }
  }

  const { 'encje/b.md': _, ...withoutB } = texts
  const changes: ReadonlyArray<readonly [change: string, next: Texts, read: ReadonlyArray<string>]> = [
    ['nothing', texts, []],
    ['one text', { ...texts, 'encje/b.md': lines(9) }, ['encje/b.md']],
    ['two texts', { ...texts, 'encje/a.md': 'a', 'sesje/b.md': 'b' }, ['sesje/b.md', 'encje/a.md']],
    ['a new file', { ...texts, 'encje/aa.md': 'nowy' }, ['encje/aa.md']],
    ['a new file with a text that there is', { ...texts, 'sesje/c.md': lines(4) }, []],
    ['a file that went', withoutB, []],
    ['a file that moved', { ...withoutB, 'sesje/nowa.md': lines(5) }, ['sesje/nowa.md']],
    ['a file of rights', { ...texts, 'kontrybutorzy.md': lines(8) }, []],
  ]
  for (const [change, next, expected] of changes)
    it(`reads what changed alone, and finds what a first load finds: ${change}`, async () => {
      const before = await readTree(first)
      const tree = nextTree(next)
      const after = await readTree(tree, {}, before)
      const read = tree.read.filter(path => path !== 'kontrybutorzy.md')
      deepEqual([...read].sort(), [...expected].sort())
      const firstLoad = await readTree(
        treeOf(Object.fromEntries([...after.files].map(([path]) => [path, next[path] ?? '']))),
      )
      deepEqual([...after.files], [...firstLoad.files])
      deepEqual([...after.leftOut], [...firstLoad.leftOut])
      deepEqual(after.findings, firstLoad.findings)
      for (const [path, file] of after.files)
        if (kept.get(path)?.blob === file.source.blob)
          equal(file, before.files.get(path), `${path} is parsed again`)
    })

  it('leaves the same files out as a first load once the tree grows above its budget', async () => {
    const budget = { rows: 40 }
    const before = await readTree(first, budget)
    const grown = { ...texts, 'encje/a.md': lines(14) }
    const after = await readTree(nextTree(grown), budget, before)
    const firstLoad = await readTree(treeOf(grown), budget)
    deepEqual([before.leftOut.size, [...after.leftOut]], [0, [...firstLoad.leftOut]])
    deepEqual([[...after.files.keys()], after.findings], [[...firstLoad.files.keys()], firstLoad.findings])
    ok(after.leftOut.size > 0)
    const back = await readTree(first, budget, after)
    deepEqual([[...back.files], back.leftOut.size], [[...before.files], 0])
  })
})
