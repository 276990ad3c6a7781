import { createHash } from 'node:crypto'
import type { ModelSurface } from '#protocol/atoms.js'
import { type Artifact, type ArtifactFile, artifactFiles, readArtifact } from '#src/domain/models/artifact.js'
import { type LedgerRow, readLedger } from '#src/domain/models/ledger.js'
import { readRuns } from '#src/domain/models/runs.js'
import type { ModelStore } from '#src/domain/models/store.js'
import { readFrames } from '#src/domain/models/store.js'
import { atOnce } from '#src/domain/slicing/sliced.js'
import { type ModelSources, openModels } from '#src/node/models/models.js'
import { noStore, type StoreDisk } from '#src/node/models/store-files.js'
import type { Models } from '#src/ports/models.js'

/** The files of a store by their paths below its folder. */
export type StoreText = Map<string, string>

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

const fileOf = (text: string | undefined): ArtifactFile =>
  text === undefined ? { _tag: 'Missing' } : { _tag: 'Bytes', bytes: Buffer.from(text), sha256: sha256(text) }

/** A full stamp; `changes` replaces fields of the top level. */
export const stampWith = (surface: string, f1: number, changes: object = {}): object => ({
  surface,
  grade: 'confirmed',
  harvest: { grade: 'confirmed', digest: 'd'.repeat(64) },
  held_out_score: { precision: f1, recall: f1, f1 },
  seed: 7,
  split: { documents: { train: 8, held_out: 2 }, rows: { train: 80, held_out: 20 } },
  training: {
    rows_harvested: 101,
    rows_trainable: 100,
    excluded_no_document: 1,
    excluded_row_ids: ['a/claims/1'],
  },
  ...changes,
})

export const evaluationWith = (
  documents: ReadonlyArray<readonly [string, number, number, number]>,
): object => ({
  documents: documents.map(([document, tp, fp, fn]) => ({ document, tp, fp, fn })),
})

/** Puts an artifact into the files of a store. */
export const putArtifact = (files: StoreText, id: string, stamp: object, evaluation?: object): void => {
  files.set(`${id}/model.json`, JSON.stringify({ weights: id }))
  files.set(`${id}/stamp.json`, JSON.stringify(stamp))
  if (evaluation !== undefined) files.set(`${id}/evaluation.json`, JSON.stringify(evaluation))
}

export const artifactIn = (files: StoreText, id: string): Artifact => {
  const file = (name: keyof typeof artifactFiles): ArtifactFile =>
    fileOf(files.get(`${id}/${artifactFiles[name].name}`))
  return atOnce(
    readArtifact({ id, model: file('model'), stamp: file('stamp'), evaluation: file('evaluation') }),
  )
}

const idsIn = (files: StoreText): ReadonlyArray<string> =>
  [
    ...new Set([...files.keys()].filter(path => path.includes('/')).map(path => path.split('/')[0] ?? '')),
  ].sort()

/** Files as a store has them after reading. */
export const storeOf = (files: StoreText): ModelStore => ({
  exists: true,
  version: sha256(JSON.stringify([...files])),
  artifacts: new Map(idsIn(files).map(id => [id, artifactIn(files, id)])),
  ledger: readLedger(files.get('promotions.jsonl') ?? ''),
  runs: readRuns(files.get('runs.jsonl') ?? ''),
  frames: readFrames(files.get('frames.json') ?? ''),
})

const names = {
  ledger: 'promotions.jsonl',
  runs: 'runs.jsonl',
  frames: 'frames.json',
  live: 'live.json',
} as const

/** A store in memory. `refuses` throws as a full disk does. */
export const memoryDisk = (files: StoreText, refuses: () => boolean = () => false): StoreDisk => {
  const check = (): void => {
    if (refuses()) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' })
  }
  return {
    list: () => Promise.resolve({ exists: files.size > 0, ids: idsIn(files) }),
    signature: id =>
      Promise.resolve(JSON.stringify([...files].filter(([path]) => path.startsWith(`${id}/`)))),
    readArtifact: id =>
      Promise.resolve({
        id,
        model: fileOf(files.get(`${id}/${artifactFiles.model.name}`)),
        stamp: fileOf(files.get(`${id}/${artifactFiles.stamp.name}`)),
        evaluation: fileOf(files.get(`${id}/${artifactFiles.evaluation.name}`)),
      }),
    read: file => Promise.resolve(fileOf(files.get(names[file]))),
    append: (file, line) => {
      check()
      files.set(names[file], `${files.get(names[file]) ?? ''}${line}\n`)
    },
    replaceLive: text => {
      check()
      files.set(names.live, text)
    },
  }
}

/** A row of the ledger after which `id` is live. */
export const rowOf = (
  files: StoreText,
  seq: number,
  surface: ModelSurface,
  id: string,
  before: string | null = null,
): LedgerRow => {
  const held = (name: string) => ({ id: name, digests: artifactIn(files, name).digests ?? noDigests })
  const row: unknown = {
    v: 1,
    seq,
    at: `2026-06-1${seq}T10:00:00.000Z`,
    kind: 'promote',
    surface,
    artifact: id,
    previous: before,
    by: 'Solmyr',
    acceptedRegression: false,
    heldOutF1: 0.8,
    disclosures: [],
    live: held(id),
    retained: before === null ? null : held(before),
  }
  const [read] = readLedger(`${JSON.stringify(row)}\n`).rows
  if (read === undefined) throw new Error('the row of the test is none')
  return read
}

const noDigests = { model: '0'.repeat(64), stamp: '0'.repeat(64), evaluation: null }

/** A store with a live artifact and a better candidate for claims, and two generations for governance. */
export const contractStore = (): StoreText => {
  const files: StoreText = new Map()
  putArtifact(files, 'claims-1', stampWith('claims', 0.8))
  putArtifact(files, 'claims-2', stampWith('claims', 0.9))
  putArtifact(files, 'gov-1', stampWith('governance-transitions', 0.7))
  putArtifact(files, 'gov-2', stampWith('governance-transitions', 0.8))
  files.set(
    'promotions.jsonl',
    [
      rowOf(files, 1, 'claims', 'claims-1'),
      rowOf(files, 2, 'governance-transitions', 'gov-1'),
      rowOf(files, 3, 'governance-transitions', 'gov-2', 'gov-1'),
    ]
      .map(row => `${JSON.stringify(row)}\n`)
      .join(''),
  )
  const step = { v: 1, id: 'run-1', at: '2026-06-12T10:00:00.000Z' }
  files.set(
    'runs.jsonl',
    [
      { ...step, step: 'requested', surface: 'claims', ref: 'main', by: 'Solmyr' },
      { ...step, step: 'starting' },
      { ...step, step: 'started', pipeline: { id: 7, url: 'https://forge.example/pipelines/7' } },
    ]
      .map(row => `${JSON.stringify(row)}\n`)
      .join(''),
  )
  return files
}

/** The sources of models over files; what is not given does nothing. */
export const modelSources = (files: StoreText, given: Partial<ModelSources> = {}): ModelSources => ({
  disk: memoryDisk(files),
  jobs: { queue: () => undefined, begin: () => true, end: () => true, unfinished: () => [] },
  forge: () => Promise.reject(new Error('no forge in this test')),
  missingSetting: () => null,
  runRef: 'main',
  audit: () => undefined,
  publish: () => undefined,
  meter: { observe: () => undefined },
  log: { info: () => undefined, warn: () => undefined },
  wake: () => undefined,
  nowMs: () => Date.parse('2026-06-15T12:00:00Z'),
  newId: () => 'run-2',
  ...given,
})

/** The models of a host that forgets every write: each request meets the same store. */
export const unkeptModels = (
  files: StoreText = contractStore(),
  given: Partial<ModelSources> = {},
): Models => {
  const store = files.size === 0 ? noStore : storeOf(files)
  const fresh = (): Models => openModels(modelSources(new Map(files), given)).view
  return {
    store: () => store,
    missingSetting: given.missingSetting ?? (() => null),
    runRef: 'main',
    promote: (...asked) => fresh().promote(...asked),
    rollback: (...asked) => fresh().rollback(...asked),
    startRun: (...asked) => fresh().startRun(...asked),
  }
}
