import { left, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { instantOf } from '#protocol/atoms.js'
import { errorOf, httpStatusOf, type RefusalOf, refuse } from '#protocol/refusal.js'
import type {
  TuningRuled,
  TuningRuling,
  TuningRulingsAnswer,
  tuningRoutes,
} from '#protocol/samples/tuning.js'
import type { ChangeSet } from '#src/domain/lore/changes.js'
import type { FileEdit, Splice } from '#src/domain/lore/file-edit.js'
import {
  judgeRulings,
  type RulingEnd,
  refuseRulings,
  type TuningRefusal,
} from '#src/domain/samples/tuning-rulings.js'
import type { TuningStore } from '#src/domain/samples/tuning-store.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { decodePrepared, type Planners } from './command.js'

/** The committed lines of the rows that are ruled on: a snapshot has no text of them. */
export const PreparedRulings = t.type(
  { lines: t.readonlyArray(t.type({ id: t.string, text: t.string })) },
  'PreparedRulings',
)
export type PreparedRulings = t.TypeOf<typeof PreparedRulings>

/** Planners of rulings on fine-tuning samples (B 4.7): a request is one commit of the tree `probki`. */
export const tuningPlanners: Planners<typeof tuningRoutes> = {
  'training.finetuneSamples.confirm': (snapshot, asked) => {
    const { body } = asked
    const refused = refuseRulings([body], () => '$') ?? refuseStore(snapshot)
    if (refused !== null) return left(refused)
    const ends = judge(snapshot, [body], asked)
    const [end] = ends
    return end?._tag === 'Refused' ? left(end.refusal) : right(planOf(snapshot, [body], ends))
  },
  'training.finetuneSamplesConfirmations.add': (snapshot, asked) => {
    const { items } = asked.body
    const refused = refuseRulings(items, at => `$.items[${at}]`) ?? refuseStore(snapshot)
    if (refused !== null) return left(refused)
    return right(planOf(snapshot, items, judge(snapshot, items, asked)))
  },
}

/** Who asks, when, and what was read for it. */
interface Asked {
  readonly actor: { readonly name: string }
  readonly prepared: unknown
  readonly nowMs: number
}

const judge = (
  { tuning }: Snapshot,
  rulings: ReadonlyArray<TuningRuling>,
  { actor, prepared, nowMs }: Asked,
): ReadonlyArray<RulingEnd> => {
  const { lines } = decodePrepared(PreparedRulings, prepared)
  return judgeRulings(tuning, rulings, new Map(lines.map(({ id, text }) => [id, text])), {
    by: actor.name,
    at: instantOf(nowMs),
  })
}

const refuseStore = ({ tuning }: Snapshot): RefusalOf<'NoRepository'> | null =>
  tuning.reason === null
    ? null
    : refuse(
        'NoRepository',
        `This host has no fine-tuning store that it can read (${tuning.reason}), so nothing was written. The key ` +
          'corpora.probki names it; kronika doctor says what is wrong with it.',
      )

const planOf = (
  { tuning }: Snapshot,
  rulings: ReadonlyArray<TuningRuling>,
  ends: ReadonlyArray<RulingEnd>,
): ChangeSet<TuningRulingsAnswer> => {
  const items = ends.map((end, at) => ruledItem(rulings[at]?.id ?? '', end))
  const count = (result: TuningRuled['result']): number => items.filter(one => one.result === result).length
  const answer: TuningRulingsAnswer = {
    count: items.length,
    ruled: count('ruled'),
    unchanged: count('unchanged'),
    refused: count('refused'),
    items,
  }
  const ruled = items.filter(({ result }) => result === 'ruled')
  return {
    tree: 'probki',
    edits: editsOf(tuning, ends),
    claims: [
      ...rulings.map(({ id }) => `tuning:${id}`),
      ...(rulings.some(({ outcome }) => outcome === 'correct') ? ['tuning-answers'] : []),
    ],
    touches: ruled.map(({ id }) => ({ kind: 'sample', name: id })),
    subject: `probki: ${ruled.length === 1 ? (ruled[0]?.id ?? '') : `${ruled.length} rulings`}`,
    answer,
    preview: answer,
  }
}

const ruledItem = (id: string, end: RulingEnd): TuningRuled => {
  const { grade = null, verdict = null, acceptedBy = null } = end.row ?? {}
  const now = { id, grade, verdict, acceptedBy }
  if (end._tag === 'Unchanged') return { ...now, result: 'unchanged' }
  if (end._tag === 'Refused') return { ...now, result: 'refused', ...refusedWith(end.refusal) }
  return { ...now, result: 'ruled', grade: 'confirmed', verdict: end.verdict, acceptedBy: end.by }
}

const refusedWith = (refusal: TuningRefusal) => ({
  status: httpStatusOf(refusal),
  error: errorOf(refusal._tag),
  detail: refusal.detail,
})

/** The edits, one for each file; a row is one line. */
const editsOf = ({ files }: TuningStore, ends: ReadonlyArray<RulingEnd>): ReadonlyArray<FileEdit> => {
  const byFile = new Map<string, Array<Splice>>()
  for (const end of ends) {
    if (end._tag !== 'Ruled') continue
    const { file, line } = end.row
    byFile.set(file, [...(byFile.get(file) ?? []), { from: line, to: line, lines: [end.line] }])
  }
  return [...byFile].flatMap(([path, splices]): ReadonlyArray<FileEdit> => {
    const file = files.get(path)
    return file === undefined ? [] : [{ _tag: 'Lines', path: file.path, before: file.blob, splices }]
  })
}
