import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { isLeft } from 'fp-ts/lib/Either.js'
import { load } from '#actors/corpus-keeper/load.js'
import { BlobId, requirePath } from '#protocol/atoms.js'
import type { TreeEntry, TreeSource } from '#src/ports/git.js'
import { countLeftOut } from '#src/snapshot/left-out.js'
import { day, hostConfig } from '#test/support/world.js'
import { largeWorlds } from './large-worlds.js'
import type { Files } from './lore-text.js'

/** Loads one of `largeWorlds` and prints what was left out; to be started with a limited heap. */

const blobOf = (text: string): BlobId => {
  const id = BlobId.decode(createHash('sha1').update(text).digest('hex'))
  if (isLeft(id)) throw new Error('a sha1 is a blob id')
  return id.right
}

const sourceOf = (files: Files): TreeSource => {
  const blobs = new Map<string, BlobId>()
  const entries = Object.entries(files).map(([path, text]): TreeEntry => {
    const blob = blobs.get(text) ?? blobOf(text)
    blobs.set(text, blob)
    return { path: requirePath(path), blob, bytes: Buffer.byteLength(text) }
  })
  const texts = new Map([...blobs].map(([text, blob]) => [blob, text] as const))
  return {
    kind: 'directory',
    path: 'lore',
    head: () => Promise.resolve({ commit: null, id: 'tree' }),
    list: () => Promise.resolve({ entries, skipped: [] }),
    listAt: (_, paths) =>
      Promise.resolve({ entries: entries.filter(({ path }) => paths.includes(path)), skipped: [] }),
    read: ({ blob }) => Promise.resolve(Buffer.from(texts.get(blob) ?? '')),
    file: () => Promise.resolve(null),
    contains: () => Promise.resolve(false),
    close: () => Promise.resolve(),
  }
}

const world = largeWorlds.find(({ what }) => what === process.argv[2])
if (world === undefined) throw new Error(`no world "${process.argv[2] ?? ''}"`)
const loaded = await load(
  {
    lore: sourceOf(world.files()),
    works: null,
    moderators: null,
    language: null,
    config: hostConfig(undefined),
    today: () => day('2026-06-15'),
    breathe: () => setImmediate(),
    bootFindings: [],
  },
  null,
)
if (loaded === null) throw new Error('a first load always loads')
process.stdout.write(`${JSON.stringify(countLeftOut(loaded.build.snapshot))}\n`)
if (process.argv[3] === 'memory') {
  const { heapUsed, rss } = process.memoryUsage()
  process.stderr.write(`${Math.round(heapUsed / 2 ** 20)} MB heap, ${Math.round(rss / 2 ** 20)} MB rss\n`)
}
