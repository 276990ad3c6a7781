import type { CommitId } from '#protocol/atoms.js'
import type { SourceFile } from '#src/domain/lore/layout.js'
import {
  dedupeOf,
  type IsServed,
  isTuningPath,
  readTuningFile,
  setsPath,
  type Turn,
} from '#src/domain/samples/tuning.js'
import { buildTuning, type TuningStore } from '#src/domain/samples/tuning-store.js'
import { atOnce } from '#src/domain/slicing/sliced.js'
import type { ReadTuningFile } from '#src/ports/host.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { sourceFile } from './world.js'

export interface TuningWorldOptions {
  readonly commit?: CommitId
  /** Whether a planned call has a row; if absent, every one has. */
  readonly isServed?: IsServed
}

const textsByStore = new WeakMap<TuningStore, ReadonlyMap<string, SourceFile>>()

/** A store of these files, as the keeper would read it. */
export const tuningStore = (
  files: Readonly<Record<string, string | Buffer>>,
  { commit, isServed = () => true }: TuningWorldOptions = {},
): TuningStore => {
  const named = Object.entries(files).filter(([path]) => isTuningPath(path))
  const sources = named.map(([path, text]) => ({ source: sourceFile(path, text.toString()), text }))
  const rows = sources.filter(({ source }) => source.path !== setsPath)
  const store = atOnce(
    buildTuning({
      commit: commit ?? null,
      sets: sources.find(({ source }) => source.path === setsPath)?.source ?? null,
      files: rows.map(({ source, text }) => atOnce(readTuningFile(source, Buffer.from(text), isServed))),
    }),
  )
  textsByStore.set(store, new Map(sources.map(({ source }) => [source.path, source])))
  return store
}

/** The files of the store of a world, which a snapshot has no texts of. */
export const tuningTexts = ({ tuning }: Pick<Snapshot, 'tuning'>): ReadonlyMap<string, SourceFile> =>
  textsByStore.get(tuning) ?? new Map()

/** What a node reads of the store that is served now. */
export const readTuningOf =
  (world: () => Pick<Snapshot, 'tuning'> | null): ReadTuningFile =>
  ({ path, blob }) => {
    const served = world()
    const file = served === null ? undefined : tuningTexts(served).get(path)
    return Promise.resolve(file?.blob === blob ? Buffer.from(file.text) : null)
  }

/** The text of `sets.json`. */
export const setsText = (sets: ReadonlyArray<string>, more: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify({
    schemaVersion: 1,
    seed: 'ziarno',
    evalShare: 0.5,
    sets: Object.fromEntries(sets.map(set => [set, {}])),
    ...more,
  })

/** The members of a row that a test can change. */
export interface RowOptions {
  readonly slug: string
  readonly set?: string
  readonly question?: string
  readonly answer?: string
  /** Null: the row names none. */
  readonly document?: string | null
  readonly more?: Readonly<Record<string, unknown>>
}

/** A row that its author confirmed; `more` changes members of it. */
export const rowText = ({
  slug,
  set = 'session-summary',
  question = `Co było: ${slug}?`,
  answer = `Było: ${slug}.`,
  document = `sesje/${slug}.md`,
  more = {},
}: RowOptions): string => {
  const messages: ReadonlyArray<Turn> = [
    { role: 'system', content: 'Streść.' },
    { role: 'user', content: question },
    { role: 'assistant', content: answer },
  ]
  return JSON.stringify({
    id: `demo/${set}/${slug}`,
    set,
    grade: 'confirmed',
    messages,
    origin: { kind: 'human', who: 'Brzoza' },
    locator: document === null ? {} : { document, source: 'lore' },
    provenance: { project: 'demo' },
    dedupe: dedupeOf(messages),
    method: { accepted_by: { kind: 'authorship', by: 'Brzoza', at_unknown: 'sprzed dziennika' } },
    ...more,
  })
}

/** A row that nobody accepted yet. */
export const proposedText = (options: RowOptions): string =>
  rowText({
    ...options,
    more: {
      grade: 'proposed',
      origin: { kind: 'model', model: 'wzór', prompt_hash: '0'.repeat(64) },
      method: {},
      ...options.more,
    },
  })
