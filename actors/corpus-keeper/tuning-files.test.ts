import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { requirePath } from '#protocol/atoms.js'
import type { TreeEntry, TreeSource } from '#src/ports/git.js'
import { rowText, setsText } from '#test/support/tuning.js'
import { sourceFile } from '#test/support/world.js'
import { readTuning } from './tuning-files.js'

const breathe = (): Promise<void> => Promise.resolve()

/** A tree of these files; `fails` says which cannot be read. */
const treeOf = (files: Readonly<Record<string, string>>, id: string, fails: (path: string) => boolean) => {
  const reads: Array<string> = []
  const entries = Object.entries(files).map(([path, text]): TreeEntry => {
    const { blob } = sourceFile(path, text)
    return { path: requirePath(path), blob, bytes: Buffer.byteLength(text) }
  })
  const source: TreeSource = {
    kind: 'git',
    path: '/probki',
    head: () => Promise.resolve({ commit: null, id }),
    list: () => Promise.resolve({ entries, skipped: [] }),
    listAt: () => Promise.resolve({ entries, skipped: [] }),
    read: ({ path }) => {
      reads.push(path)
      return fails(path) ? Promise.reject(new Error('lost')) : Promise.resolve(Buffer.from(files[path] ?? ''))
    },
    file: () => Promise.resolve(null),
    contains: () => Promise.resolve(false),
    close: () => Promise.resolve(),
  }
  return { ports: { source, isConfigured: true, breathe }, reads }
}

const files = {
  'sets.json': setsText(['a', 'b']),
  'a.jsonl': rowText({ slug: 'x', set: 'a' }),
  'b.jsonl': rowText({ slug: 'y', set: 'b' }),
  'README.md': 'Nie próbki.',
}

describe('the files of fine-tuning samples', () => {
  it('are read again only where they changed', async () => {
    const first = treeOf(files, '1', () => false)
    const before = await readTuning(first.ports, null)
    deepEqual(first.reads.sort(), ['a.jsonl', 'b.jsonl', 'sets.json'])
    equal(await readTuning(first.ports, before), before)
    const second = treeOf({ ...files, 'b.jsonl': rowText({ slug: 'z', set: 'b' }) }, '2', () => false)
    const after = await readTuning(second.ports, before)
    deepEqual(second.reads.sort(), ['b.jsonl', 'sets.json'])
    equal(after.store.files.get('a.jsonl'), before.store.files.get('a.jsonl'))
    ok(after.store.byId.has('demo/b/z'))
  })

  it('that cannot be read are a finding, cost the others nothing, and are tried again', async () => {
    let isLost = true
    const tree = treeOf(files, '1', path => isLost && path === 'a.jsonl')
    const before = await readTuning(tree.ports, null)
    deepEqual([...before.store.byId.keys()], ['demo/b/y'])
    deepEqual(
      before.findings.map(({ file }) => file),
      ['corpora.probki/a.jsonl'],
    )
    equal(await readTuning(tree.ports, before), before)
    isLost = false
    const after = await readTuning(tree.ports, before)
    deepEqual([after.store.byId.size, after.findings], [2, []])
  })

  it('are none where the tree is not configured, or may not be read', async () => {
    const reasonOf = async (isConfigured: boolean) =>
      (await readTuning({ source: null, isConfigured, breathe }, null)).store.reason
    deepEqual([await reasonOf(false), await reasonOf(true)], ['NoStoreConfigured', 'StoreRefused'])
  })
})
