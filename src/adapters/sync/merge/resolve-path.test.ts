import { deepEqual, equal, rejects } from 'node:assert/strict'
import { beforeEach, describe, it } from 'mocha'
import { blobObject } from '#src/adapters/landing/objects/object-writer.js'
import type { ConflictedPath } from '../remote/git-words.js'
import { openResolutionMemory, type ResolvePorts, resolvePath } from './resolve-path.js'

const orrin = '### Orrin\n- @typ: NPC\n'

describe('the resolution of one conflicted path', () => {
  let store: Map<string, Buffer>
  let read: Array<string>
  let ports: ResolvePorts
  const put = (text: string | Buffer): string => {
    const { id, content } = blobObject(Buffer.from(text))
    store.set(id, content)
    return id
  }
  const contentOf = (id: string): Buffer => {
    const bytes = store.get(id)
    if (bytes === undefined) throw new Error(`no blob ${id}`)
    return bytes
  }
  const fileOf = (ours: string, theirs: string, path = 'encje/a.md'): ConflictedPath => ({
    path,
    mode: '100644',
    base: put(orrin),
    ours: put(ours),
    theirs: put(theirs),
  })
  const textOf = (id: string | null): string | null => (id === null ? null : contentOf(id).toString('utf8'))

  beforeEach(() => {
    store = new Map()
    read = []
    ports = {
      tree: 'lore',
      reader: {
        size: id => Promise.resolve(contentOf(id).length),
        read: id => {
          read.push(id)
          return Promise.resolve(contentOf(id))
        },
        has: id => Promise.resolve(store.has(id)),
        close: () => undefined,
      },
      writer: { write: text => Promise.resolve(put(text)), flush: () => Promise.resolve() },
      memory: openResolutionMemory(),
      breathe: () => Promise.resolve(),
    }
  })

  const both = () => fileOf(`${orrin}- @info: Kowal.\n`, `${orrin}- @info: Kupiec.\n`)

  it('merges by row, and the second time recalls what came of the same three blobs', async () => {
    const first = await resolvePath(ports, both())
    equal(textOf(first.published), `${orrin}- @info: Kowal.\n- @info: Kupiec.\n`)
    equal(read.length, 3)
    deepEqual(await resolvePath(ports, both()), first)
    equal(read.length, 3)
    const next = await resolvePath(ports, fileOf(`${orrin}- @info: Szewc.\n`, `${orrin}- @info: Kupiec.\n`))
    equal(textOf(next.published), `${orrin}- @info: Kupiec.\n- @info: Szewc.\n`)
    equal(read.length, 6)
  })

  it('merges again where the remembered blob is gone, or its path was no conflict of the merge between', async () => {
    const { published } = await resolvePath(ports, both())
    store.delete(published ?? '')
    equal((await resolvePath(ports, both())).published, published)
    equal(read.length, 6)
    ports.memory.retain(new Set(['encje/b.md']))
    await resolvePath(ports, both())
    equal(read.length, 9)
  })

  it('recalls conflicts too', async () => {
    const file = fileOf(`${orrin}- @status: Zły\n`, `${orrin}- @status: Dobry\n`)
    const first = await resolvePath(ports, file)
    equal(first.conflicts.length > 0 && first.published !== first.own, true)
    deepEqual(await resolvePath(ports, file), first)
    equal(read.length, 3)
  })

  it('reads no blob that is larger than what can be merged, and keeps it whole', async () => {
    const file = both()
    const large: ResolvePorts = {
      ...ports,
      reader: { ...ports.reader, size: id => Promise.resolve(id === file.ours ? 48 * 1024 * 1024 + 1 : 1) },
    }
    deepEqual(await resolvePath(large, file), {
      published: file.theirs,
      own: file.ours,
      conflicts: [{ block: null, row: null, cause: 'too_large' }],
    })
    deepEqual(read, [])
  })

  it('asks git for no commit of a submodule, and keeps what is no text whole', async () => {
    const link = { path: 'm', mode: '160000', base: null, ours: 'a'.repeat(40), theirs: 'b'.repeat(40) }
    const changed = [{ block: null, row: null, cause: 'changed' }]
    deepEqual(await resolvePath(ports, link), { published: link.theirs, own: link.ours, conflicts: changed })
    const image = { ...both(), ours: put(Buffer.from([0xff, 0xfe])) }
    deepEqual((await resolvePath(ports, image)).conflicts, changed)
  })

  it('takes the side that changed without reading it', async () => {
    const file = both()
    deepEqual(await resolvePath(ports, { ...file, ours: file.base }), {
      published: file.theirs,
      own: file.theirs,
      conflicts: [],
    })
    deepEqual(read, [])
  })

  it('ends with its merge when that is given up', async () => {
    const breathe = (): Promise<void> => Promise.reject(new Error('given up'))
    const rows = Array.from({ length: 2_000 }, (_, at) => `- @info: ${at}\n`).join('')
    await rejects(resolvePath({ ...ports, breathe }, fileOf(orrin + rows, `${orrin}${rows}- @x: y\n`)))
  })
})
