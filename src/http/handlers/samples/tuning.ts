import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { instantOf } from '#protocol/atoms.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import {
  previewChars,
  type TuningExport,
  type TuningRuling,
  type TuningSample,
  type TuningSamples,
  type TuningStamp,
  type tuningRoutes,
} from '#protocol/samples/tuning.js'
import {
  type Acceptance,
  lineKeyOf,
  readLine,
  type TuningFile,
  type TuningLine,
  type TuningRow,
  type TuningSets,
  type Turn,
} from '#src/domain/samples/tuning.js'
import { openRows } from '#src/domain/samples/tuning-rulings.js'
import {
  type Arm,
  filterRows,
  profileOf,
  type SetSplit,
  splitRule,
  type TuningStore,
} from '#src/domain/samples/tuning-store.js'
import type { Host } from '#src/ports/host.js'
import type { PreparedRulings } from '#src/writing/tuning.js'
import type { Handlers, Streamed } from '../../routing/handler.js'
import { pageOfQuery } from '../transcripts/logs.js'

/** What the rows of fine-tuning samples need of a node: the texts, which no snapshot has. */
export type TuningNode = Pick<Host, 'readTuning'>

/** Fine-tuning samples: read, exported, and the lines that a ruling is planned from (B 4.7). */
export const tuningHandlers: Handlers<typeof tuningRoutes, TuningNode> = {
  'training.finetuneSamples.list': async ({ snapshot: { tuning }, node, query, run }) => {
    const { set, grade, origin, project } = query
    const known = knownSet(tuning, set)
    if (isLeft(known)) return known
    const rows = filterRows(tuning, query)
    const { limit, offset } = pageOfQuery(query)
    const page = rows.slice(offset, offset + limit)
    const lines = await readLines(tuning, node, page)
    const items: Array<TuningSample> = []
    for (const row of page) {
      const line = lines.get(row)
      const read = line === undefined ? null : await run(readLine(line))
      if (read === null || isLeft(read)) return left(textsAway())
      items.push(sampleOf(row, read.right, tuning.arms.get(row) ?? null))
    }
    const echoes = { set, grade, origin, project }
    const body: TuningSamples = {
      count: items.length,
      total: tuning.rows.length,
      filtered: rows.length,
      limit,
      offset,
      available: tuning.reason === null,
      ...(tuning.reason === null ? {} : { reason: tuning.reason }),
      ...Object.fromEntries(Object.entries(echoes).filter(([, value]) => value !== undefined)),
      items,
      stats: statsAnswer(tuning),
      previewChars,
      doesNotCheck,
    }
    return right({ body })
  },
  'training.finetuneExport.get': ({ snapshot: { tuning }, node, query, nowMs }) => {
    const { set, grade: wanted, split: arm = 'train', format = 'json' } = query
    const known =
      set === undefined ? left(setInvalid(tuning, 'The export needs a set.')) : knownSet(tuning, set)
    if (isLeft(known)) return known
    const split = tuning.splits.get(set ?? '')
    const { sets } = tuning
    if (set === undefined || split === undefined || sets === null)
      return left(setInvalid(tuning, 'The store has no such set.'))
    if (wanted !== undefined && wanted !== 'confirmed')
      return left(
        refuse('ParameterInvalid', '`grade` must be confirmed: no other row may be trained on.', {
          parameter: 'grade',
        }),
      )
    if (split.arms.eval.length === 0) return left(emptyEvalArm(set, split))
    const stamp = stampOf(tuning, sets, { set, split, arm, servedAt: instantOf(nowMs) })
    if (format === 'stamp') return right({ body: { stamp } })
    return right({ body: streamExport(tuning, node, stamp, split.arms[arm]) })
  },
  'training.finetuneSamples.confirm': async ({ snapshot: { tuning }, body, node }) =>
    right({ prepared: await prepareRulings(tuning, node, [body]) }),
  'training.finetuneSamplesConfirmations.add': async ({ snapshot: { tuning }, body, node }) =>
    right({ prepared: await prepareRulings(tuning, node, body.items) }),
}

/** What a reader could think that this host looks at. */
const doesNotCheck: ReadonlyArray<string> = [
  'whether an answer is true, or follows from its document',
  'whether the document is still as it was when the row was made',
  'whether texts of two rows are nearly the same: only equal turns are found',
  'whether the query, the body or the rights of a planned call would do',
]

/** How much of an export is read ahead of its client. */
const pieceBytes = 64 * 1024

const setInvalid = ({ sets, reason }: TuningStore, why: string): RefusalOf<'ParameterInvalid'> => {
  const names = sets === null ? 'it has none that can be read' : [...sets.names].sort().join(', ')
  const detail = `${why} Name one of its sets in \`set\`: ${names}${reason === null ? '' : ` (${reason})`}.`
  return refuse('ParameterInvalid', detail, { parameter: 'set' })
}

/** Whether the store has the set that a filter names. Where there is no store, any name will do. */
const knownSet = (
  tuning: TuningStore,
  set: string | undefined,
): Either<RefusalOf<'ParameterInvalid'>, null> =>
  set === undefined || tuning.sets === null || tuning.sets.names.has(set)
    ? right(null)
    : left(setInvalid(tuning, 'The store has no such set.'))

const emptyEvalArm = (set: string, { documents }: SetSplit): RefusalOf<'EmptyEvalArm'> =>
  refuse(
    'EmptyEvalArm',
    `Of ${set}, ${documents} documents can be trained on and none of them is in eval. Confirm rows of more ` +
      'documents, or raise evalShare in sets.json.',
    { set, documents },
  )

const textsAway = (): RefusalOf<'Overloaded'> =>
  refuse('Overloaded', 'The texts of the samples cannot be read now, or have just changed. Try again.')

/** Rows by the file that has them, in their order. */
const byFile = (
  { files }: TuningStore,
  rows: ReadonlyArray<TuningRow>,
): ReadonlyMap<TuningFile, ReadonlyArray<TuningRow>> => {
  const found = new Map<TuningFile, Array<TuningRow>>()
  for (const row of rows) {
    const file = files.get(row.file)
    const known = file === undefined ? undefined : found.get(file)
    if (known !== undefined) known.push(row)
    else if (file !== undefined) found.set(file, [row])
  }
  return found
}

/** The bytes of a row; undefined where the file has other bytes there than when it was read. */
const lineIn = (bytes: Buffer | null, row: TuningRow): Buffer | undefined => {
  const line = bytes?.subarray(row.start, row.end)
  return line !== undefined && lineKeyOf(line) === row.lineKey ? line : undefined
}

/** The committed lines of rows; one that cannot be read now is left out. */
const readLines = async (
  tuning: TuningStore,
  { readTuning }: TuningNode,
  rows: ReadonlyArray<TuningRow>,
): Promise<ReadonlyMap<TuningRow, Buffer>> => {
  const lines = new Map<TuningRow, Buffer>()
  for (const [file, own] of byFile(tuning, rows)) {
    const bytes = await readTuning(file)
    for (const row of own) {
      const line = lineIn(bytes, row)
      if (line !== undefined) lines.set(row, line)
    }
  }
  return lines
}

const prepareRulings = async (
  tuning: TuningStore,
  node: TuningNode,
  rulings: ReadonlyArray<TuningRuling>,
): Promise<PreparedRulings> => {
  const lines = await readLines(tuning, node, openRows(tuning, rulings))
  return { lines: [...lines].map(([{ id }, line]) => ({ id, text: line.toString('utf8') })) }
}

/** The members that answers have; a line may have others. */
const shownOrigin = (origin: TuningLine['origin']): TuningSample['origin'] =>
  origin.kind === 'human'
    ? { kind: 'human', who: origin.who }
    : { kind: 'model', model: origin.model, prompt_hash: origin.prompt_hash }

const shownAcceptance = ({
  kind,
  by,
  at,
  at_unknown,
  outcome,
  note,
}: Acceptance): TuningSample['accepted_by'] => ({
  kind,
  ...(by === undefined ? {} : { by }),
  ...(at === undefined ? {} : { at }),
  ...(at_unknown === undefined ? {} : { at_unknown }),
  ...(outcome === undefined ? {} : { outcome }),
  ...(note === undefined ? {} : { note }),
})

const sampleOf = (row: TuningRow, line: TuningLine, split: Arm | null): TuningSample => {
  const { id, set, grade, origin, provenance, fields, verdict, method, dedupe, messages } = line
  const kind = fields?.['kind']
  return {
    id,
    set,
    grade,
    origin: shownOrigin(origin),
    provenance: { project: provenance.project },
    document: row.document,
    split,
    kind: typeof kind === 'string' ? kind : null,
    verdict: verdict ?? null,
    accepted_by: method?.accepted_by === undefined ? null : shownAcceptance(method.accepted_by),
    dedupe,
    messages: messages.map(previewOf),
  }
}

const previewOf = ({ role, content }: Turn): TuningSample['messages'][number] =>
  content.length <= previewChars
    ? { role, content }
    : { role, content: cutText(content), truncated: true, fullChars: content.length }

/** The first characters of a text; a pair of surrogates is never cut in two. */
const cutText = (text: string): string => {
  const last = text.charCodeAt(previewChars - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? previewChars - 1 : previewChars)
}

const statsAnswer = ({ stats, splits }: TuningStore): TuningSamples['stats'] => ({
  bySet: Object.fromEntries(stats.bySet),
  byGrade: Object.fromEntries(stats.byGrade),
  byOrigin: Object.fromEntries(stats.byOrigin),
  byAcceptance: Object.fromEntries(stats.byAcceptance),
  split: Object.fromEntries(
    [...splits].map(([set, { documents, evalDocuments, arms, withoutDocument, doubles }]) => [
      set,
      {
        documents,
        evalDocuments,
        trainRows: arms.train.length,
        evalRows: arms.eval.length,
        withoutDocument,
        doubles,
      },
    ]),
  ),
  lengthProfile: stats.lengths,
})

interface Exported {
  readonly set: string
  readonly split: SetSplit
  readonly arm: Arm
  readonly servedAt: string
}

const stampOf = (
  { commit }: TuningStore,
  { seed, evalShare, schemaVersion }: TuningSets,
  { set, split, arm, servedAt }: Exported,
): TuningStamp => ({
  set,
  grade: 'confirmed',
  split: arm,
  rows: split.arms[arm].length,
  rowsInSet: split.rowsInSet,
  rowsExcluded: split.withoutDocument + split.doubles,
  excluded: { withoutDocument: split.withoutDocument, doubles: split.doubles },
  storeCommit: commit,
  schemaVersion,
  splitRule,
  seed,
  evalShare,
  documents: split.documents,
  evalDocuments: split.evalDocuments,
  evalRows: split.arms.eval.length,
  servedAt,
  lengthProfile: profileOf(split.arms[arm]),
})

/** The export as JSON: the stamp, then the lines as they are committed, one file of the store in memory at a time. */
const streamExport = (
  tuning: TuningStore,
  { readTuning }: TuningNode,
  stamp: TuningStamp,
  rows: ReadonlyArray<TuningRow>,
): Streamed<TuningExport> => ({
  _tag: 'Streamed',
  pieces: async function* () {
    let pending: Array<Buffer> = [Buffer.from(`{"stamp":${JSON.stringify(stamp)},"rows":[`)]
    let pendingBytes = 0
    let separator = '\n'
    for (const [file, own] of byFile(tuning, rows)) {
      const bytes = await readTuning(file)
      for (const row of own) {
        const line = lineIn(bytes, row)
        if (line === undefined) throw new Error(`${row.file} has other bytes than the export is of`)
        pending.push(Buffer.from(separator), line)
        pendingBytes += line.length
        separator = ',\n'
        if (pendingBytes < pieceBytes) continue
        yield Buffer.concat(pending)
        pending = []
        pendingBytes = 0
      }
    }
    yield Buffer.concat([...pending, Buffer.from('\n]}\n')])
  },
})
