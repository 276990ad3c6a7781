import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { fixedPath } from '#protocol/atoms/path.js'
import { type Budget, treeBudget } from '#src/corpus/budget.js'
import type { ParsedFile } from '#src/corpus/parsed-file.js'
import type { TreeEntry, TreeListing, TreeSource } from '#src/ports/tree-source.js'
import { sourceFile } from '#test/support/world.js'
import { identityAt } from './identity-files.js'
import { type LoreFiles, loreFiles } from './lore-files.js'

type Texts = Readonly<Record<string, string>>

/** A tree of texts, and the paths whose bytes were read. */
const treeOf = (texts: Texts): { source: TreeSource; listing: TreeListing; read: ReadonlyArray<string> } => {
  const read: Array<string> = []
  const entries = Object.entries(texts).map(
    ([path, text]): TreeEntry => ({
      path: fixedPath(path),
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
  before: ReadonlyMap<string, ParsedFile> = new Map(),
): Promise<LoreFiles> =>
  loreFiles(
    {
      source,
      identity: (await identityAt(source, await source.head(), before)).files,
      budget: { ...treeBudget, ...budget },
      breathe: () => Promise.resolve(),
    },
    listing,
    before,
  )

const lines = (count: number): string => 'x\n'.repeat(count)

const leftOut = async (texts: Texts, budget: Partial<Budget>): Promise<ReadonlyArray<string>> =>
  [...(await readTree(treeOf(texts), budget)).leftOut].sort()

describe('the budget of a tree', () => {
  const texts: Texts = {
    '.svc/close/ledger.jsonl': lines(20),
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
    deepEqual(await leftOut(texts, { textBytes: 2 * 80 }), [
      '.svc/close/ledger.jsonl',
      'encje/a.md',
      'encje/b.md',
      'sesje/a.md',
      'sesje/b.md',
    ])
    deepEqual(await leftOut(texts, { textBytes: 2 * 110 }), ['encje/a.md', 'sesje/a.md', 'sesje/b.md'])
  })

  it('leaves the largest files of a group out first, and goes on with the next group', async () => {
    deepEqual(await leftOut(texts, { textBytes: 2 * 118 }), ['encje/a.md', 'sesje/a.md'])
    deepEqual(await leftOut(texts, { rows: 123 }), ['encje/a.md', 'sesje/a.md'])
  })

  it('counts the parts of comma lists as rows', async () => {
    const listed = {
      'sesje/a.md': '- Lokacje: a, b, c, d\n',
      'sesje/b.md': 'Proza.\nProza, a nie lista części.\n',
    }
    deepEqual(await leftOut(listed, { rows: 8 }), ['sesje/b.md'])
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
    const after = await readTree(tree, { textBytes: 2 * 118 }, before.files)
    const anew = await readTree(treeOf(texts), { textBytes: 2 * 118 })
    deepEqual([[...after.leftOut], [...after.files.keys()]], [[...anew.leftOut], [...anew.files.keys()]])
    deepEqual(after.findings, anew.findings)
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
