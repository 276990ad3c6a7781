import { copyFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import type { SearchEngine, Tier } from '#protocol/atoms.js'
import type { Sqlite } from '../runtime/sqlite.js'
import { makeStateArea } from '../state/state-area.js'
import { type Fts5Build, fts5Build } from './fts5-build.js'
import { openForBuild } from './fts5-schema.js'
import type { PackedDocument } from './packed-document.js'
import { writeVersions } from './row-facts.js'
import {
  findIndex,
  flushFile,
  measureFile,
  removeOthers,
  type SavedHead,
  savedFormat,
  saveHead,
} from './saved/saved-index.js'
import { openWinkDraft, readPacked, type WinkFile } from './saved/wink-file.js'
import { startWink } from './wink-build.js'

/** A tier above this many documents is ranked by FTS5. */
export const winkDocumentsMax = 20_000

/** What a build makes. The documents of changed and new sources are added after it. */
export interface BuildOrder {
  readonly folder: string
  readonly tier: Tier
  /** The file of the saved index that the build starts from; null: from nothing. */
  readonly base: string | null
  /** Sources of the base that changed or are gone. */
  readonly dropped: ReadonlyArray<string>
  /** The stamp and the versions of the content that the index holds at the end. */
  readonly stamp: string
  readonly versions: WinkFile['versions']
  readonly winkMax?: number
}

export interface IndexBuild {
  readonly add: (documents: ReadonlyArray<PackedDocument>) => void
  /** Writes and saves the index. */
  readonly finish: () => SavedHead
}

interface Target {
  readonly add: (document: PackedDocument) => void
  readonly finish: () => {
    readonly engine: SearchEngine
    readonly documents: number
    readonly sections: Array<number>
  }
}

const fts5Target = (sqlite: Sqlite, build: Fts5Build, versions: WinkFile['versions']): Target => ({
  add: build.add,
  finish: () => {
    writeVersions(sqlite, versions)
    build.finish()
    sqlite.close()
    return { engine: 'fts5', documents: build.documents(), sections: [] }
  },
})

/** Opens the draft as an FTS5 index; `from` is the file that it begins as a copy of. */
const openFts5Target = ({ dropped, versions }: BuildOrder, draft: string, from: string | null): Target => {
  if (from !== null) copyFileSync(from, draft)
  const sqlite = openForBuild(draft)
  const build = fts5Build(sqlite, from === null)
  for (const source of dropped) build.drop(source)
  return fts5Target(sqlite, build, versions)
}

/** Builds a wink; with too many documents it goes on as an FTS5 index. */
const winkTarget = (order: BuildOrder, draft: string): Target => {
  const kept = openWinkDraft(draft)
  const max = order.winkMax ?? winkDocumentsMax
  // Replaced where it is outgrown, to be collected while the next index is built.
  let wink = startWink()
  let large: Target | null = null
  const outgrow = (): Target => {
    wink = startWink()
    const target = openFts5Target({ ...order, dropped: [] }, draft, null)
    for (const document of kept.take()) target.add(document)
    kept.remove()
    return target
  }
  return {
    add: document => {
      if (large !== null) return large.add(document)
      kept.add(document)
      wink.add(document.words)
      if (wink.documents() > max) large = outgrow()
    },
    finish: () => {
      if (large !== null) return large.finish()
      const documents = wink.documents()
      const sections = kept.finish(wink.finish(), order.versions)
      return { engine: 'wink', documents, sections }
    },
  }
}

/** The base of the order; throws where it is no longer there or damaged. */
const baseOf = ({ folder, tier, base }: BuildOrder): SavedHead | null => {
  if (base === null) return null
  const found = findIndex(folder, tier, true)
  if (found._tag !== 'Saved' || found.head.file !== base)
    throw new Error(
      `the saved index ${base} is gone: ${found._tag === 'Unusable' ? found.reason : 'another one is there'}`,
    )
  return found.head
}

const targetOf = (order: BuildOrder, base: SavedHead | null, draft: string): Target => {
  const { folder, tier, dropped } = order
  if (base?.engine === 'fts5') return openFts5Target(order, draft, join(folder, base.file))
  if (base !== null) {
    const gone = new Set(dropped)
    const target = winkTarget(order, draft)
    for (const document of readPacked(join(folder, base.file), base.sections))
      if (!gone.has(document.source)) target.add(document)
    return target
  }
  return tier === 'speech' ? openFts5Target(order, draft, null) : winkTarget(order, draft)
}

/** Begins a build, in a draft that replaces the saved index at the end. Throws where the disk refuses. */
export const startBuild = (order: BuildOrder): IndexBuild => {
  const { folder, tier, stamp } = order
  makeStateArea(folder)
  const base = baseOf(order)
  const known = findIndex(folder, tier, false)
  const last = known._tag === 'Saved' ? known.head : null
  removeOthers(folder, tier, last?.file ?? null)
  const number = (last?.number ?? 0) + 1
  const draft = join(folder, `${tier}-${number}.draft`)
  const target = targetOf(order, base, draft)
  return {
    add: documents => {
      for (const document of documents) target.add(document)
    },
    finish: () => {
      const { engine, documents, sections } = target.finish()
      flushFile(draft)
      const { bytes, sha256 } = measureFile(draft)
      const file = `${tier}-${number}.${engine === 'wink' ? 'wink' : 'db'}`
      renameSync(draft, join(folder, file))
      const head: SavedHead = {
        format: savedFormat,
        tier,
        engine,
        file,
        number,
        bytes,
        sha256,
        documents,
        stamp,
        sections,
      }
      saveHead(folder, head)
      return head
    },
  }
}
