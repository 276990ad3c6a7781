import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { bodyInvalid, type RefusalOf, refuse } from '#protocol/refusal.js'
import { rulingsMax } from '#protocol/samples/labelled.js'
import type { TuningRuling } from '#protocol/samples/tuning.js'
import { readJson } from '#src/domain/json/json-text.js'
import { fileBytesMax } from '#src/domain/lore/layout.js'
import { atOnce } from '#src/domain/slicing/sliced.js'
import {
  answerKeyOf,
  dedupeOf,
  lineBytesMax,
  lineKeyOf,
  type Outcome,
  readLine,
  type TuningLine,
  type TuningRow,
} from './tuning.js'
import type { TuningStore } from './tuning-store.js'

/** Rulings on fine-tuning samples (B 3, B 4.7): affirm and deny leave the text, correct replaces the last answer. */

export type TuningRefusal = RefusalOf<
  'TuningSampleNotFound' | 'TuningSampleRuled' | 'TuningSampleRepeated' | 'ValueRefused' | 'Overloaded'
>

/** What a ruling does to its row. */
export type RulingEnd =
  | { readonly _tag: 'Refused'; readonly row: TuningRow | null; readonly refusal: TuningRefusal }
  | { readonly _tag: 'Unchanged'; readonly row: TuningRow }
  | {
      readonly _tag: 'Ruled'
      readonly row: TuningRow
      readonly verdict: 'affirmed' | 'denied'
      readonly by: string
      /** The new line of the row, without its end. */
      readonly line: string
    }

/** Who rules, and when. `at` is an ISO instant. */
export interface Ruler {
  readonly by: string
  readonly at: string
}

/** Refuses rulings that cannot be judged one by one: none, too many, an id twice, a text that is missing or not due. */
export const refuseRulings = (
  rulings: ReadonlyArray<TuningRuling>,
  pathOf: (at: number) => string,
): RefusalOf<'BodyInvalid'> | null => {
  if (rulings.length === 0 || rulings.length > rulingsMax)
    return bodyInvalid(`A request has 1 to ${rulingsMax} rulings.`, {
      path: '$.items',
      expected: `1 to ${rulingsMax} rulings`,
    })
  const ids = new Set<string>()
  for (const [at, { id, outcome, content }] of rulings.entries()) {
    const path = pathOf(at)
    if (ids.has(id))
      return bodyInvalid('A request rules on a row once.', { path: `${path}.id`, expected: 'another id' })
    ids.add(id)
    const isCorrect = outcome === 'correct'
    if (isCorrect && (content === undefined || content.trim() === ''))
      return bodyInvalid('A correction needs the new answer.', {
        path: `${path}.content`,
        expected: 'a text that is not blank',
      })
    if (!isCorrect && content !== undefined)
      return bodyInvalid(`The outcome ${outcome} leaves the text as it is, so it takes no content.`, {
        path: `${path}.content`,
        expected: 'no content, or the outcome `correct`',
      })
  }
  return null
}

/**
 * Judges rulings in their order; a refused one costs the others nothing. `lines` are the committed lines of the rows by
 * id, as read before: one whose row has changed since is refused, and nothing of it is written.
 */
export const judgeRulings = (
  store: TuningStore,
  rulings: ReadonlyArray<TuningRuling>,
  lines: ReadonlyMap<string, string>,
  ruler: Ruler,
): ReadonlyArray<RulingEnd> => {
  const turns = new Map<string, string>()
  const grown = new Map<string, number>()
  return rulings.map(ruling => {
    const row = store.byId.get(ruling.id)
    if (row === undefined) return { _tag: 'Refused', row: null, refusal: notFound(ruling.id) }
    const said = acceptanceOf(row)
    if (said !== null)
      return isSame(row, said, ruling)
        ? { _tag: 'Unchanged', row }
        : { _tag: 'Refused', row, refusal: alreadyRuled(row) }
    const made = ruledLine(row, lines.get(row.id), ruling, ruler)
    if (isLeft(made)) return { _tag: 'Refused', row, refusal: made.left }
    const { line, dedupe } = made.right
    const first = store.byDedupe.get(dedupe)
    const other = turns.get(dedupe) ?? (first === row ? undefined : first?.id)
    if (ruling.outcome === 'correct' && other !== undefined)
      return { _tag: 'Refused', row, refusal: repeated(row.id, other) }
    const more = (grown.get(row.file) ?? 0) + Buffer.byteLength(line) - (row.end - row.start)
    if ((store.files.get(row.file)?.bytes ?? 0) + more > writtenBytesMax)
      return { _tag: 'Refused', row, refusal: fileFull(row.file) }
    grown.set(row.file, more)
    if (ruling.outcome === 'correct') turns.set(dedupe, row.id)
    return { _tag: 'Ruled', row, verdict: verdictOf(ruling.outcome), by: ruler.by, line }
  })
}

/** The rows of rulings whose lines are needed to plan them: those that nobody accepted or denied, each once. */
export const openRows = (
  { byId }: TuningStore,
  rulings: ReadonlyArray<TuningRuling>,
): ReadonlyArray<TuningRow> => [
  ...new Set(
    rulings.flatMap(({ id }) => {
      const row = byId.get(id)
      return row === undefined || acceptanceOf(row) !== null ? [] : [row]
    }),
  ),
]

/** A file that is larger is not read. A byte order mark is not counted. */
const writtenBytesMax = fileBytesMax - 3

const noteBytesMax = 8 * 1024

const verdictOf = (outcome: Outcome): 'affirmed' | 'denied' => (outcome === 'deny' ? 'denied' : 'affirmed')

/** What the row says already; null where nobody accepted or denied it. A row of its author counts as affirmed. */
const acceptanceOf = ({ grade, verdict, isCorrected }: TuningRow): Outcome | null => {
  if (verdict === 'denied') return 'deny'
  if (verdict === null && grade !== 'confirmed') return null
  return isCorrected ? 'correct' : 'affirm'
}

/** A remark does not make another ruling. */
const isSame = (row: TuningRow, said: Outcome, { outcome, content = '' }: TuningRuling): boolean =>
  said === outcome && (outcome !== 'correct' || answerKeyOf(content) === row.answerKey)

const ruledLine = (
  row: TuningRow,
  text: string | undefined,
  { outcome, content, note }: TuningRuling,
  { by, at }: Ruler,
): Either<TuningRefusal, { readonly line: string; readonly dedupe: string }> => {
  if (note !== undefined && Buffer.byteLength(note) > noteBytesMax)
    return left(valueRefused('note', `The note of ${row.id} has more than ${noteBytesMax} bytes of UTF-8.`))
  const read = text === undefined ? null : readCommitted(row, text)
  if (read === null) return left(changedRow(row.id))
  const { members, sample } = read
  const last = sample.messages.length - 1
  const before = sample.messages[last]?.content ?? ''
  const isCorrected = outcome === 'correct' && content !== undefined
  if (isCorrected && content === before)
    return left(valueRefused('content', `The answer of ${row.id} is this text already. Affirm the row.`))
  const messages = isCorrected
    ? sample.messages.map((turn, place) => (place === last ? { ...turn, content } : turn))
    : sample.messages
  const dedupe = dedupeOf(messages)
  const accepted = { kind: 'ruling', by, at, outcome, ...(note === undefined ? {} : { note }) }
  const line = JSON.stringify({
    ...members,
    grade: 'confirmed',
    ...(isCorrected ? { messages, dedupe, proposed_content: before } : {}),
    verdict: verdictOf(outcome),
    method: { ...sample.method, accepted_by: accepted },
  })
  return Buffer.byteLength(line) > lineBytesMax
    ? left(
        valueRefused('content', `The row ${row.id} would have more than ${lineBytesMax} bytes. Send less.`),
      )
    : right({ line, dedupe })
}

/** The members of a committed line; null where it is not the line that the row was read from. */
const readCommitted = (
  row: TuningRow,
  text: string,
): { readonly members: object; readonly sample: TuningLine } | null => {
  const bytes = Buffer.from(text)
  if (lineKeyOf(bytes) !== row.lineKey) return null
  const [members, sample] = [readJson(text), atOnce(readLine(bytes))]
  return isLeft(members) || isLeft(sample) || typeof members.right !== 'object' || members.right === null
    ? null
    : { members: members.right, sample: sample.right }
}

const valueRefused = (field: string, detail: string): TuningRefusal =>
  refuse('ValueRefused', detail, { field, candidates: [] })

const notFound = (id: string): TuningRefusal =>
  refuse(
    'TuningSampleNotFound',
    `The fine-tuning store has no row ${JSON.stringify(id.slice(0, 400))}. GET /training/finetune/samples lists them.`,
  )

const alreadyRuled = ({ id, acceptedBy, verdict, acceptance }: TuningRow): TuningRefusal => {
  const who =
    acceptedBy ?? (acceptance === 'authorship' ? 'its author' : 'somebody whom the row does not name')
  const word = verdict ?? 'affirmed'
  return refuse(
    'TuningSampleRuled',
    `${id} is ${word} by ${who} already; that stays, and nothing was written.`,
    {
      id,
      acceptedBy,
      verdict: word,
    },
  )
}

const repeated = (id: string, other: string): TuningRefusal =>
  refuse(
    'TuningSampleRepeated',
    `With this answer ${id} would have the same turns as ${other}. Deny one of them, or write another answer.`,
    { id, other },
  )

const changedRow = (id: string): TuningRefusal =>
  refuse('Overloaded', `The row ${id} changed, or could not be read, while the ruling waited. Send it again.`)

const fileFull = (file: string): TuningRefusal =>
  valueRefused(
    'id',
    `${file} would be larger than ${fileBytesMax / 1024 / 1024} MiB. Move rows of it into a further file of the set.`,
  )
