import { deepEqual, equal, match } from 'node:assert/strict'
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, it } from 'mocha'
import { drawsOf, drawText, questionOf, testDocument } from '#test/support/search/documents.js'
import { type MemoryDocuments, memoryDocuments } from '#test/support/search/memory-documents.js'
import {
  type Intercept,
  type SearchRig,
  type SearchRigOptions,
  searchRig,
} from '#test/support/search/search-rig.js'

const draw = drawsOf(11)
const fillDocuments = (tier: 'lore' | 'speech' = 'lore', count = 30): MemoryDocuments => {
  const documents = memoryDocuments(tier)
  for (let at = 0; at < count; at += 1)
    documents.set(`d${at}`, [testDocument(`d${at}`, `nr${at} ${drawText(draw, 5, 30)}`)])
  return documents
}

/** Once: the first message with the tag has this fate. */
const once = (tag: string, fate: 'end' | 'lose'): Intercept => {
  let isOver = false
  return message => {
    if (isOver || message._tag !== tag) return 'pass'
    isOver = true
    return fate
  }
}

describe('the threads of the search tiers', () => {
  let rigs: ReadonlyArray<SearchRig> = []
  const start = async (options: SearchRigOptions = {}): Promise<SearchRig> => {
    const rig = await searchRig({ documents: fillDocuments(), ...options })
    rigs = [...rigs, rig]
    return rig
  }
  /** Ends the threads and starts others over the same files and documents. */
  const startAgain = async (rig: SearchRig, options: SearchRigOptions = {}): Promise<SearchRig> => {
    await rig.close()
    return start({ folder: rig.folder, documents: rig.documents, ...options })
  }
  afterEach(async () => {
    for (const rig of rigs) {
      await rig.close()
      rig.dispose()
    }
    rigs = []
  })

  it('builds what is not saved, and answers Starting until then', async () => {
    const rig = await start()
    equal((await rig.asker.rank('lore', questionOf('nr1')))._tag, 'Starting')
    equal((await rig.asker.rank('external', questionOf('nr1')))._tag, 'Disabled')
    const { engine, documents, trouble } = await rig.current()
    deepEqual([engine, documents, trouble], ['wink', 30, null])
    deepEqual(await rig.ids('nr7'), ['d7'])
  })

  it('finds a changed document, and a removed one no more', async () => {
    const rig = await start()
    await rig.current()
    rig.documents.set('d7', [testDocument('d7', 'zmiana')])
    rig.documents.set('d8', [])
    rig.documents.set('nowy', [testDocument('nowy#1', 'zmiana zmiana'), testDocument('nowy#2', 'inne')])
    const { documents, changes } = await rig.current()
    deepEqual([documents, changes], [31, 5])
    deepEqual(await rig.ids('zmiana'), ['nowy#1', 'd7'])
    deepEqual(await rig.ids('nr7 nr8'), [])
  })

  it('takes a new stamp without a changed source, also over a saved index', async () => {
    const rig = await start()
    const before = await rig.current()
    rig.documents.set('no such source', [])
    const { changes, stamp } = await rig.current()
    deepEqual([changes, stamp === before.stamp], [0, false])
    rig.documents.set('no such source', [])
    const again = await startAgain(rig)
    equal((await again.current()).documents, 30)
  })

  it('reads every source again where each has another version than in the saved index', async () => {
    const rig = await start()
    await rig.current()
    for (let at = 0; at < 30; at += 1) rig.documents.set(`d${at}`, [testDocument(`d${at}`, `inny${at}`)])
    const again = await startAgain(rig)
    await again.current()
    deepEqual([await again.ids('nr7'), await again.ids('inny7')], [[], ['d7']])
  })

  it('merges many changes into a new index, and goes on answering', async () => {
    const rig = await start()
    await rig.current()
    for (let at = 0; at < 300; at += 1) rig.documents.set(`m${at}`, [testDocument(`m${at}`, `wiele nr${at}`)])
    await rig.until(({ changes, documents, isBuilding }) => changes === 0 && documents === 330 && !isBuilding)
    deepEqual(new Set(await rig.ids('nr7')), new Set(['d7', 'm7']))
  })

  it('merges more changes than a thread takes', async () => {
    const rig = await start()
    await rig.current()
    const large = Array.from({ length: 3_000 }, (_, at) => testDocument(`wielki#${at}`, `wielki nr${at}`))
    rig.documents.set('wielki', large)
    rig.documents.set('d7', [])
    await rig.until(({ documents }) => documents === 3_029)
    await rig.current()
    deepEqual(await rig.ids('nr2999'), ['wielki#2999'])
    deepEqual(await rig.ids('nr7'), ['wielki#7'])
  })

  for (const tier of ['lore', 'speech'] as const)
    it(`loads the saved index of ${tier} at the next start, and takes what changed meanwhile`, async () => {
      const first = await start({ tier, documents: fillDocuments(tier) })
      await first.current()
      await first.close()
      first.documents.set('d7', [testDocument('d7', 'zmiana')])
      const builds: Array<string> = []
      const rig = await startAgain(first, {
        tier,
        intercept: message => {
          builds.push(message._tag)
          return 'pass'
        },
      })
      await rig.threads.savedLoaded(60_000)
      deepEqual([rig.reading().state, rig.reading().stamp], ['live', rig.documents.stamp()])
      deepEqual(await rig.ids('zmiana'), ['d7'])
      deepEqual(await rig.ids('nr8'), ['d8'])
      equal(builds.includes('Build'), false)
    })

  const damages: Readonly<Record<string, (folder: string) => void>> = {
    'a file that was cut': folder => truncateSync(join(folder, fileIn(folder)), 100),
    'a file with a flipped byte': folder => flip(join(folder, fileIn(folder))),
    'a head with a flipped byte': folder => flip(join(folder, 'lore.json')),
    'a head that is empty': folder => writeFileSync(join(folder, 'lore.json'), ''),
    'the head of another tier': folder =>
      writeFileSync(
        join(folder, 'lore.json'),
        readFileSync(join(folder, 'lore.json'), 'utf8').replaceAll('"lore"', '"session"'),
      ),
    'a directory in place of the head': folder => makeDirectory(join(folder, 'lore.json')),
    'a directory in place of the file': folder => makeDirectory(join(folder, fileIn(folder))),
    'directories in place of the drafts': folder => {
      rmSync(join(folder, fileIn(folder)))
      for (const draft of ['lore.json.new', 'lore-2.draft', 'lore-2.wink']) makeDirectory(join(folder, draft))
    },
    'a file of somebody else': folder => writeFileSync(join(folder, fileIn(folder)), 'to nie jest indeks'),
  }
  const fileIn = (folder: string): string =>
    readdirSync(folder).find(name => name.startsWith('lore-')) ?? 'none'
  const makeDirectory = (path: string): void => {
    rmSync(path, { force: true })
    mkdirSync(join(path, 'inner'), { recursive: true })
  }
  const flip = (path: string): void => {
    const bytes = readFileSync(path)
    const at = Math.floor(bytes.length / 2)
    bytes[at] = (bytes[at] ?? 0) ^ 1
    writeFileSync(path, bytes)
  }
  for (const [what, damage] of Object.entries(damages))
    it(`builds again where it finds ${what}, and says so`, async () => {
      const first = await start()
      await first.current()
      await first.close()
      damage(first.folder)
      const rig = await startAgain(first)
      const { trouble } = await rig.current()
      equal(trouble?.during, 'loading')
      equal(trouble.cause, 'damaged')
      deepEqual(await rig.ids('nr7'), ['d7'])
    })

  it('builds again after its thread was killed while building', async () => {
    const rig = await start({ intercept: once('Finish', 'end') })
    const { trouble } = await rig.current()
    equal(trouble?.during, 'building')
    deepEqual(await rig.ids('nr7'), ['d7'])
  })

  it('answers from the last index after the thread of a merge was killed, and merges again', async () => {
    const rig = await start()
    await rig.current()
    rig.intercept(once('Finish', 'end'))
    for (let at = 0; at < 300; at += 1) rig.documents.set(`m${at}`, [testDocument(`m${at}`, `wiele nr${at}`)])
    await rig.until(({ trouble }) => trouble?.during === 'building')
    deepEqual(new Set(await rig.ids('nr8')), new Set(['d8', 'm8']))
    await rig.until(({ changes, isBuilding }) => changes === 0 && !isBuilding)
  })

  it('loads again after its thread was killed while loading', async () => {
    const first = await start()
    await first.current()
    const rig = await startAgain(first, { intercept: once('Load', 'end') })
    const { trouble } = await rig.current()
    equal(trouble?.during, 'loading')
    deepEqual(await rig.ids('nr7'), ['d7'])
  })

  it('builds again after every thread that loaded was killed', async () => {
    const first = await start()
    await first.current()
    let loads = 0
    const rig = await startAgain(first, {
      intercept: ({ _tag }) => {
        if (_tag === 'Load') loads += 1
        return _tag === 'Load' && loads <= 3 ? 'end' : 'pass'
      },
    })
    await rig.current()
    equal(rig.reading().trouble?.during, 'loading')
    deepEqual(await rig.ids('nr7'), ['d7'])
  })

  it('answers who asked a thread that was killed while ranking, by the next thread', async () => {
    let isLost = false
    const rig = await start({
      // The line of the first thread leads nowhere; the thread is ended by the next message to it.
      intercept: once('Connect', 'lose'),
    })
    await rig.current()
    const asked = rig.ids('nr7')
    rig.intercept(message => {
      if (isLost || message._tag !== 'Change') return 'pass'
      isLost = true
      return 'end'
    })
    rig.documents.set('d9', [testDocument('d9', 'zmiana')])
    deepEqual(await asked, ['d7'])
    const { trouble } = rig.reading()
    deepEqual([trouble?.during, trouble?.cause], ['ranking', 'ended'])
    await rig.current()
    deepEqual(await rig.ids('zmiana'), ['d9'])
  })

  it('rebuilds from nothing when asked, and answers meanwhile', async () => {
    const rig = await start()
    await rig.current()
    const rebuilt = rig.rebuild()
    deepEqual(await rig.ids('nr7'), ['d7'])
    equal(await rebuilt, null)
    match(fileIn(rig.folder), /^lore-2\./)
    deepEqual(await rig.ids('nr7'), ['d7'])
  })

  it('says why a rebuild failed, and keeps the last index', async () => {
    const rig = await start()
    await rig.current()
    rig.intercept(once('Finish', 'end'))
    equal(await rig.rebuild(), 'ended')
    deepEqual(await rig.ids('nr7'), ['d7'])
  })

  it('goes on with the last index where the disk is full, and builds the next once it is not', async () => {
    const rig = await start()
    await rig.current()
    const draft = join(rig.folder, 'lore.json.new')
    symlinkSync('/dev/full', draft)
    equal(await rig.rebuild(), 'disk')
    deepEqual([rig.reading().trouble?.during, rig.reading().trouble?.cause], ['building', 'disk'])
    deepEqual(await rig.ids('nr7'), ['d7'])
    rmSync(draft)
    equal(await rig.rebuild(), null)
    deepEqual(await rig.ids('nr7'), ['d7'])
  })
})
