import { hash } from 'node:crypto'
import { isLeft } from 'fp-ts/lib/Either.js'
import type { CommitId } from '#protocol/atoms.js'
import { type Finding, firstFindings } from '#src/domain/lore/finding.js'
import type { SourceFile } from '#src/domain/lore/layout.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'
import {
  inFileOrder,
  readSets,
  type StoreReason,
  type TuningFile,
  type TuningRow,
  type TuningSets,
} from './tuning.js'

/** The fine-tuning store as one commit has it, its counts, and which arm each document is in. */

export type Arm = 'train' | 'eval'

/** Lengths of rows in UTF-16 code units of their turns; null where there is no row. */
export interface LengthProfile {
  readonly total: number
  readonly min: number | null
  readonly median: number | null
  readonly p90: number | null
  readonly max: number | null
}

/** How the trainable rows of a set are split: those that are confirmed and not denied. */
export interface SetSplit {
  /** All rows of the set. */
  readonly rowsInSet: number
  /** Documents of the trainable rows in an arm, in all and in eval. */
  readonly documents: number
  readonly evalDocuments: number
  readonly arms: Readonly<Record<Arm, ReadonlyArray<TuningRow>>>
  /** Trainable rows in no arm: those without a document, and those whose turns an earlier row has. */
  readonly withoutDocument: number
  readonly doubles: number
}

export interface TuningStats {
  readonly bySet: ReadonlyMap<string, number>
  readonly byGrade: ReadonlyMap<string, number>
  readonly byOrigin: ReadonlyMap<string, number>
  readonly byAcceptance: ReadonlyMap<string, number>
  readonly lengths: LengthProfile
}

export interface TuningStore {
  /** Why there are no rows; null where the store is read. */
  readonly reason: StoreReason | null
  /** Null before the first commit, in a plain folder, and without a store. */
  readonly commit: CommitId | null
  readonly sets: TuningSets | null
  readonly files: ReadonlyMap<string, TuningFile>
  /** In the order of files and lines, an id once. */
  readonly rows: ReadonlyArray<TuningRow>
  readonly byId: ReadonlyMap<string, TuningRow>
  /** The first row with these turns. */
  readonly byDedupe: ReadonlyMap<string, TuningRow>
  readonly splits: ReadonlyMap<string, SetSplit>
  /** The arm of each row that an export has. */
  readonly arms: ReadonlyMap<TuningRow, Arm>
  readonly stats: TuningStats
  /** Their paths are of the store. */
  readonly findings: ReadonlyArray<Finding>
}

/** What a store is built from. */
export interface ReadStore {
  readonly commit: CommitId | null
  readonly sets: SourceFile | null
  readonly files: ReadonlyArray<TuningFile>
}

/** The rule of the split, for the stamp of an export. */
export const splitRule =
  'sha256 of the UTF-8 text seed|document: a document whose first 13 hexadecimal digits, as a fraction of 16^13, ' +
  'are below evalShare is eval, every other one train'

/** The arm of a document. It depends on nothing else, so no other document moves it. */
export const armOf = (seed: string, evalShare: number, document: string): Arm =>
  Number.parseInt(hash('sha256', `${seed}|${document}`, 'hex').slice(0, digits), 16) / 16 ** digits <
  evalShare
    ? 'eval'
    : 'train'

/** Whether a row may be trained on: a person or its author accepted it, and nobody denied it. */
export const isTrainable = ({ grade, verdict }: TuningRow): boolean =>
  grade === 'confirmed' && verdict !== 'denied'

/** Builds the store. A row of an unknown set and an id that an earlier row has are findings, and are left out. */
export const buildTuning = function* ({ commit, sets: setsFile, files }: ReadStore): Sliced<TuningStore> {
  const read = readSets(setsFile)
  if (isLeft(read)) return { ...noTuning(read.left.reason), commit, findings: read.left.findings }
  const sets = read.right
  const ordered = [...files].sort((one, other) => inFileOrder(one.path, other.path))
  const rows: Array<TuningRow> = []
  const byId = new Map<string, TuningRow>()
  const byDedupe = new Map<string, TuningRow>()
  const [strange, twice, doubles]: [Array<TuningRow>, Array<TuningRow>, Array<TuningRow>] = [[], [], []]
  for (const { rows: own } of ordered) {
    yield
    for (const row of own) {
      if (!sets.names.has(row.set)) strange.push(row)
      else if (byId.has(row.id)) twice.push(row)
      else {
        rows.push(row)
        byId.set(row.id, row)
        if (byDedupe.has(row.dedupe)) doubles.push(row)
        else byDedupe.set(row.dedupe, row)
      }
    }
  }
  const { splits, arms } = yield* splitSets(sets, rows)
  yield
  const stats = statsOf(rows)
  return {
    reason: null,
    commit,
    sets,
    files: new Map(ordered.map(file => [file.path, file])),
    rows,
    byId,
    byDedupe,
    splits,
    arms,
    stats,
    findings: [
      ...ordered.flatMap(file => file.findings),
      ...firstFindings(strange, unknownSet),
      ...firstFindings(twice, repeatedId),
      ...firstFindings(doubles, row => repeatedTurns(row, byDedupe.get(row.dedupe))),
    ],
  }
}

/** A store without rows, and why. */
export const noTuning = (reason: StoreReason): TuningStore => ({
  reason,
  commit: null,
  sets: null,
  files: new Map(),
  rows: [],
  byId: new Map(),
  byDedupe: new Map(),
  splits: new Map(),
  arms: new Map(),
  stats: statsOf([]),
  findings: [],
})

/** What rows are asked for; an absent member leaves none out. */
export interface TuningFilter {
  readonly set?: string | undefined
  readonly grade?: string | undefined
  readonly origin?: string | undefined
  readonly project?: string | undefined
}

/** The rows that pass a filter, in the order of the store. */
export const filterRows = (
  { rows }: TuningStore,
  { set, grade, origin, project }: TuningFilter,
): ReadonlyArray<TuningRow> =>
  rows.filter(
    row =>
      (set === undefined || row.set === set) &&
      (grade === undefined || row.grade === grade) &&
      (origin === undefined || row.origin === origin) &&
      (project === undefined || row.project === project),
  )

/** The profile of the lengths of rows. */
export const profileOf = (rows: ReadonlyArray<Pick<TuningRow, 'chars'>>): LengthProfile => {
  const sorted = Float64Array.from(rows, ({ chars }) => chars).sort()
  const at = (share: number): number | null =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? null
  return {
    total: sorted.reduce((sum, one) => sum + one, 0),
    min: at(0),
    median: at(0.5),
    p90: at(0.9),
    max: at(1),
  }
}

/** Hexadecimal digits of a digest that a double holds exactly. */
const digits = 13

interface OpenSplit {
  rowsInSet: number
  withoutDocument: number
  doubles: number
  readonly arms: Record<Arm, Array<TuningRow>>
  readonly documents: Map<string, Arm>
}

/**
 * Puts the trainable rows into arms. Of rows with equal turns the first one that could be in an arm is: equal turns are
 * never in both.
 */
const splitSets = function* (
  { names, seed, evalShare }: TuningSets,
  rows: ReadonlyArray<TuningRow>,
): Sliced<Pick<TuningStore, 'splits' | 'arms'>> {
  const arms = new Map<TuningRow, Arm>()
  const turns = new Set<string>()
  const open = new Map<string, OpenSplit>()
  for (const name of names)
    open.set(name, {
      rowsInSet: 0,
      withoutDocument: 0,
      doubles: 0,
      arms: { train: [], eval: [] },
      documents: new Map(),
    })
  for (const [at, row] of rows.entries()) {
    if (at % rowsPerSlice === rowsPerSlice - 1) yield
    const split = open.get(row.set)
    if (split === undefined) continue
    split.rowsInSet += 1
    if (!isTrainable(row)) continue
    if (row.document === null) split.withoutDocument += 1
    else if (turns.has(row.dedupe)) split.doubles += 1
    else {
      const arm = split.documents.get(row.document) ?? armOf(seed, evalShare, row.document)
      split.documents.set(row.document, arm)
      split.arms[arm].push(row)
      arms.set(row, arm)
      turns.add(row.dedupe)
    }
  }
  const splits = [...open].map(([name, { documents, ...split }]) => {
    const evalDocuments = [...documents.values()].filter(arm => arm === 'eval').length
    return [name, { ...split, documents: documents.size, evalDocuments }] as const
  })
  return { splits: new Map(splits), arms }
}

const rowsPerSlice = 512

const countBy = (
  rows: ReadonlyArray<TuningRow>,
  keyOf: (row: TuningRow) => string,
): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const row of rows) counts.set(keyOf(row), (counts.get(keyOf(row)) ?? 0) + 1)
  return counts
}

const statsOf = (rows: ReadonlyArray<TuningRow>): TuningStats => ({
  bySet: countBy(rows, ({ set }) => set),
  byGrade: countBy(rows, ({ grade }) => grade),
  byOrigin: countBy(rows, ({ origin }) => origin),
  byAcceptance: countBy(rows, ({ acceptance }) => acceptance ?? 'none'),
  lengths: profileOf(rows),
})

const unknownSet = ({ file, line, id, set }: TuningRow): Finding => ({
  kind: 'TuningSetUnknown',
  severity: 'error',
  file,
  line,
  subject: id,
  reason: `Zbioru ${set} nie ma w sets.json, więc wiersz się nie liczy; jego treść zostaje.`,
  suggestion: 'Dopisz zbiór do sets.json albo popraw wiersz.',
})

const repeatedId = ({ file, line, id }: TuningRow): Finding => ({
  kind: 'TuningSampleIdRepeated',
  severity: 'error',
  file,
  line,
  subject: id,
  reason: `Identyfikator ${id} ma już wcześniejszy wiersz; liczy się tylko tamten.`,
  suggestion: 'Usuń powtórzony wiersz albo nadaj mu inny identyfikator.',
})

const repeatedTurns = ({ file, line, id }: TuningRow, first: TuningRow | undefined): Finding => ({
  kind: 'TuningSampleRepeated',
  severity: 'error',
  file,
  line,
  subject: id,
  reason: `Te same wypowiedzi ma już wiersz ${first?.id ?? ''}, więc eksport pomija ten.`,
  suggestion: 'Usuń jeden z tych wierszy.',
})
