import { isRight } from 'fp-ts/lib/Either.js'
import { isVisible } from '#protocol/atoms.js'
import type { ArtifactSummary } from '#protocol/models/models.js'
import { parseJson, readJsonInSlices } from '#src/domain/json/json-text.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'

/** What the disk has under the name of a file of an artifact. Links are never followed. */
export type ArtifactFile =
  | { readonly _tag: 'Bytes'; readonly bytes: Buffer; readonly sha256: string }
  | { readonly _tag: 'Missing' }
  | { readonly _tag: 'Refused'; readonly why: 'link' | 'no_file' | 'too_large' | 'unreadable' }

/** The files of an artifact, as they were read. */
export interface ArtifactFiles {
  readonly id: string
  readonly model: ArtifactFile
  readonly stamp: ArtifactFile
  readonly evaluation: ArtifactFile
}

/** The names of the files in the folder of an artifact, and their largest sizes in bytes. */
export const artifactFiles = {
  model: { name: 'model.json', bytesMax: 32 * 1024 * 1024 },
  stamp: { name: 'stamp.json', bytesMax: 1024 * 1024 },
  evaluation: { name: 'evaluation.json', bytesMax: 2 * 1024 * 1024 },
} as const

/** The sha256 of each file of an artifact, in hex; null: it has no evaluation. */
export interface Digests {
  readonly model: string
  readonly stamp: string
  readonly evaluation: string | null
}

export interface Score {
  readonly precision: number | null
  readonly recall: number | null
  readonly f1: number | null
}

/** What was found in one held-out document: spans that are right, that are wrong, and that were not found. */
export interface DocumentCounts {
  readonly document: string
  readonly tp: number
  readonly fp: number
  readonly fn: number
}

/** The fields of a stamp that this host reads; null where the stamp has none of that kind. */
export interface Stamp {
  readonly surface: string | null
  readonly grade: string | null
  readonly harvestGrade: string | null
  readonly harvestDigest: string | null
  readonly score: Score
  readonly seed: string | null
  readonly split: ArtifactSummary['split']
  readonly training: ArtifactSummary['training']
}

/** An artifact of this host, without the bytes of its model. */
export interface Artifact {
  readonly id: string
  /** Null where the stamp is missing or cannot be read. */
  readonly stamp: Stamp | null
  /** Null unless model and stamp were read. */
  readonly digests: Digests | null
  /** The required fields that the stamp lacks, or that are not of their kind. */
  readonly missing: ReadonlyArray<string>
  /** The held-out documents; null where the evaluation is missing or cannot be read. */
  readonly documents: ReadonlyArray<DocumentCounts> | null
  /** What is wrong with it, for a person. */
  readonly problems: ReadonlyArray<string>
  /** Whether model and stamp were read. */
  readonly isUsable: boolean
  /** Equal fingerprints mean equal files. */
  readonly fingerprint: string
}

/**
 * Whether a text may be the id of an artifact: one plain segment of a path, of at most 100 letters of ASCII, digits,
 * `.`, `_` and `-`, which begins and ends with a letter or a digit and is not the name of a JSON file.
 */
export const isArtifactId = (text: string): boolean =>
  idPattern.test(text) && !text.includes('..') && !/\.jsonl?$/iu.test(text)

/** Reads an artifact. One that is half there is not usable, and its `problems` say why. Never throws. */
export const readArtifact = function* (files: ArtifactFiles): Sliced<Artifact> {
  const problems: Array<string> = []
  const tell = (file: keyof typeof artifactFiles, trouble: string): void => {
    problems.push(`${artifactFiles[file].name} ${trouble}`)
  }
  const model = hasModel(files.model)
  if (model !== null) tell('model', model)
  const raw = yield* readObject(files.stamp)
  if (typeof raw === 'string') tell('stamp', raw)
  const stamp = typeof raw === 'string' ? null : stampOf(raw)
  const missing = stamp === null ? [] : missingOf(stamp)
  if (missing.length > 0) problems.push(`${artifactFiles.stamp.name} lacks ${missing.join(', ')}`)
  const evaluation = yield* readObject(files.evaluation)
  const documents = typeof evaluation === 'string' ? evaluation : documentsOf(evaluation)
  if (typeof documents === 'string') tell('evaluation', documents)
  const isUsable = model === null && stamp !== null
  return {
    id: files.id,
    stamp,
    digests: isUsable ? digestsOf(files) : null,
    missing,
    documents: typeof documents === 'string' ? null : documents,
    problems,
    isUsable,
    fingerprint: [files.model, files.stamp, files.evaluation].map(fingerprintOf).join(' '),
  }
}

/** An artifact as the rows show it. */
export const summaryOf = ({ id, stamp, problems }: Artifact): ArtifactSummary => ({
  id,
  grade: stamp?.grade ?? null,
  heldOutScore: stamp?.score ?? noScore,
  split: stamp?.split ?? splitOf({}),
  training: stamp?.training ?? trainingOf({}),
  problems,
})

/** An artifact that the ledger names and this host does not hold. */
export const absentArtifact = (id: string): Artifact => ({
  id,
  stamp: null,
  digests: null,
  missing: [],
  documents: null,
  problems: ['the artifact is not on this host'],
  isUsable: false,
  fingerprint: '',
})

/** Ids of excluded rows that a summary lists. */
export const excludedShown = 1_000

/** More documents are not read: every resampling goes through all of them. */
const documentsMax = 5_000

const idPattern = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9])?$/u

const noScore: Score = { precision: null, recall: null, f1: null }

const textMax = 200

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const fingerprintOf = (file: ArtifactFile): string =>
  file._tag === 'Bytes' ? file.sha256 : file._tag === 'Missing' ? 'missing' : file.why

/** What is wrong with a file that is not there to be read. */
const troubleOf = (file: Exclude<ArtifactFile, { _tag: 'Bytes' }>): string => {
  if (file._tag === 'Missing') return 'is missing'
  switch (file.why) {
    case 'link':
      return 'is a symbolic link, which this host does not follow'
    case 'no_file':
      return 'is no regular file'
    case 'too_large':
      return 'is too large'
    case 'unreadable':
      return 'cannot be read'
  }
}

/** Why the model cannot be used; null where it can. It is one JSON object, whose fields this host does not know. */
const hasModel = (file: ArtifactFile): string | null => {
  if (file._tag !== 'Bytes') return troubleOf(file)
  const text = decode(file.bytes)
  return text !== null && isFields(parseJson(text)) ? null : 'is not one JSON object'
}

const decode = (bytes: Buffer): string | null => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

const readObject = function* (file: ArtifactFile): Sliced<Fields | string> {
  if (file._tag !== 'Bytes') return troubleOf(file)
  const text = decode(file.bytes)
  if (text === null) return 'is not UTF-8'
  const read = yield* readJsonInSlices(text)
  return isRight(read) && isFields(read.right) ? read.right : 'is not one JSON object'
}

const digestsOf = ({ model, stamp, evaluation }: ArtifactFiles): Digests | null =>
  model._tag === 'Bytes' && stamp._tag === 'Bytes'
    ? {
        model: model.sha256,
        stamp: stamp.sha256,
        evaluation: evaluation._tag === 'Bytes' ? evaluation.sha256 : null,
      }
    : null

/** The fields below a name; empty where there are none. */
const below = (fields: Fields, name: string): Fields => {
  const value = fields[name]
  return isFields(value) ? value : {}
}

const textOf = (fields: Fields, name: string): string | null => {
  const value = fields[name]
  return typeof value === 'string' && value.trim() !== '' && value.length <= textMax && isVisible(value)
    ? value
    : null
}

/** A share from 0 to 1. */
const shareOf = (fields: Fields, name: string): number | null => {
  const value = fields[name]
  return typeof value === 'number' && value >= 0 && value <= 1 ? value : null
}

const countOf = (fields: Fields, name: string): number | null => {
  const value = fields[name]
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null
}

const seedOf = (value: unknown): string | null =>
  typeof value === 'number' || typeof value === 'string' ? String(value).slice(0, textMax) : null

const splitOf = (fields: Fields): Stamp['split'] => {
  const sides = (name: string) => ({
    train: countOf(below(fields, name), 'train'),
    held_out: countOf(below(fields, name), 'held_out'),
  })
  return { documents: sides('documents'), rows: sides('rows') }
}

const trainingOf = (fields: Fields): Stamp['training'] => {
  const ids = fields['excluded_row_ids']
  return {
    rows_harvested: countOf(fields, 'rows_harvested'),
    rows_trainable: countOf(fields, 'rows_trainable'),
    excluded_no_document: countOf(fields, 'excluded_no_document'),
    excluded_row_ids: (Array.isArray(ids) ? ids : [])
      .filter((id): id is string => typeof id === 'string' && id.length <= textMax && isVisible(id))
      .slice(0, excludedShown),
  }
}

const stampOf = (fields: Fields): Stamp => {
  const [harvest, score] = [below(fields, 'harvest'), below(fields, 'held_out_score')]
  return {
    surface: textOf(fields, 'surface'),
    grade: textOf(fields, 'grade'),
    harvestGrade: textOf(harvest, 'grade'),
    harvestDigest: textOf(harvest, 'digest'),
    score: {
      precision: shareOf(score, 'precision'),
      recall: shareOf(score, 'recall'),
      f1: shareOf(score, 'f1'),
    },
    seed: seedOf(fields['seed']),
    split: splitOf(below(fields, 'split')),
    training: trainingOf(below(fields, 'training')),
  }
}

const missingOf = ({ surface, grade, harvestGrade, harvestDigest, score }: Stamp): ReadonlyArray<string> =>
  (
    [
      ['surface', surface],
      ['grade', grade],
      ['harvest.grade', harvestGrade],
      ['harvest.digest', harvestDigest],
      ['held_out_score.f1', score.f1],
    ] as const
  ).flatMap(([name, value]) => (value === null ? [name] : []))

/** The counts of each held-out document, by its name, or what is wrong with them. */
const documentsOf = (fields: Fields): ReadonlyArray<DocumentCounts> | string => {
  const list = fields['documents']
  if (!Array.isArray(list)) return 'has no list `documents`'
  if (list.length > documentsMax) return `has more than ${documentsMax} documents`
  const counts = new Map<string, DocumentCounts>()
  for (const value of list) {
    const one = isFields(value) ? countsOf(value) : null
    if (one === null) return 'has a document without `document`, `tp`, `fp` and `fn`'
    if (counts.has(one.document)) return 'has a document twice'
    counts.set(one.document, one)
  }
  return [...counts.values()].sort((a, b) => (a.document < b.document ? -1 : 1))
}

const countsOf = (fields: Fields): DocumentCounts | null => {
  const document = textOf(fields, 'document')
  const [tp, fp, fn] = [countOf(fields, 'tp'), countOf(fields, 'fp'), countOf(fields, 'fn')]
  return document === null || tp === null || fp === null || fn === null ? null : { document, tp, fp, fn }
}
