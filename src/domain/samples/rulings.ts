import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { RepoPath } from '#protocol/atoms.js'
import { type BodyProblem, type RefusalOf, refuse } from '#protocol/refusal.js'
import type { LabelledRuling } from '#protocol/samples/labelled.js'
import { perValue } from '#src/domain/caching/per-value.js'
import { readJson } from '#src/domain/json/json-text.js'
import { setMember, setRootMember } from '#src/domain/json/set-member.js'
import { applySplices, type Splice } from '#src/domain/lore/file-edit.js'
import { rawLines } from '#src/domain/lore/lines.js'
import { textFault } from '#src/domain/lore/rows/rows.js'
import { namesTopics } from '#src/domain/lore/topic-text.js'
import type { Passage } from './passages.js'
import { type Sample, type SampleRow, type Samples, undeclared } from './samples.js'

/**
 * Rulings of people on labelled samples (docs/spec/samples.md#rulings). The first ruling on a row stands; a person who
 * differs files an opinion. Pure: the result is lines to write.
 */

/** What a person holds of a row. A denied row has no label and referent of its own. */
export interface Judgement {
  readonly verdict: 'affirmed' | 'denied'
  readonly label: string
  /** Null where the class has no referent. */
  readonly referent: string | null
}

/** Who rules, when, and what the lore says. */
export interface RulingGround {
  readonly by: string
  /** An instant of ISO-8601. */
  readonly at: string
  /** Whether the person may read restricted topics; rows that name them are not found by others. */
  readonly readsTopics: boolean
  /** The heading of the index with this name; null where no block has it. */
  readonly headingOf: (name: string) => string | null
  readonly passageOf: (sample: Sample) => Passage
}

/** A ruling or an opinion that is to be written as the new text of the row's line, or one that stands already. */
export type Ruled =
  | {
      readonly _tag: 'Ruled' | 'Opinion'
      readonly sample: Sample
      readonly judgement: Judgement
      readonly line: string
    }
  | { readonly _tag: 'Unchanged'; readonly sample: Sample }

export type RulingRefusal = RefusalOf<
  'SampleNotFound' | 'ValueRefused' | 'SampleRuled' | 'SampleUnruled' | 'SampleStale' | 'StoreUnreadable'
>

/** The fault of a ruling on any row: `correct` needs a label, the others have none, and `deny` has no referent. */
export const rulingFault = (
  { outcome, label, referent }: LabelledRuling,
  path: string,
): BodyProblem | null => {
  if (outcome === 'correct' && label === undefined)
    return { path: `${path}.label`, expected: 'a label, which the outcome `correct` needs' }
  if (outcome !== 'correct' && label !== undefined)
    return { path: `${path}.label`, expected: `no label with the outcome \`${outcome}\`` }
  if (outcome === 'deny' && referent !== undefined)
    return { path: `${path}.referent`, expected: 'no referent with the outcome `deny`' }
  return null
}

/** Judges one ruling against the store. */
export const rule = (
  samples: Samples,
  asked: LabelledRuling,
  ground: RulingGround,
): Either<RulingRefusal, Ruled> => {
  const sample = samples.byId.get(asked.id)
  if (sample === undefined || (!ground.readsTopics && rowNamesTopics(sample.row)))
    return left(
      refuse('SampleNotFound', `No sample has the id "${asked.id}". GET /training/samples lists them.`, {
        id: asked.id,
      }),
    )
  const { row } = sample
  if (asked.class !== undefined && asked.class !== row.class)
    return refuseValue('class', `The sample ${row.id} is of the class ${row.class}, not ${asked.class}.`, [
      row.class,
    ])
  const unfit = asked.note === undefined ? null : textFault(asked.note)
  if (unfit !== null) return refuseValue('note', `The note ${unfit}. Send it on one line.`)
  const judged = judgementOf(samples, row, asked, ground)
  if (isLeft(judged)) return judged
  if (isRuled(row)) return onRuled(samples, sample, asked, judged.right, ground)
  if (asked.opinion === true)
    return left(
      refuse('SampleUnruled', `Nobody has ruled on ${row.id}. Send the ruling without \`opinion\`.`, {
        id: row.id,
      }),
    )
  const passage = ground.passageOf(sample)
  if (passage._tag === 'Gone') return left(staleSample(sample, passage))
  return withLine(samples, sample, text => ({
    _tag: 'Ruled',
    sample,
    judgement: judged.right,
    line: ruledLine(text, row, asked, judged.right, ground),
  }))
}

/** The whole texts of the files that rulings change. */
export const ruledFiles = (
  samples: Samples,
  ruled: ReadonlyArray<Ruled>,
): ReadonlyArray<{ readonly path: RepoPath; readonly text: string }> => {
  const splices = new Map<RepoPath, Array<Splice>>()
  for (const one of ruled) {
    if (one._tag === 'Unchanged') continue
    const { file, line } = one.sample
    const known = splices.get(file) ?? []
    known.push({ from: line, to: line, lines: [one.line] })
    splices.set(file, known)
  }
  return [...splices].map(([path, all]) => ({
    path,
    text: applySplices(samples.files.get(path)?.text ?? '', all),
  }))
}

/** The value of `accepted_by.authentication` of a row that was confirmed by a request with a token. */
export const byToken = 'token'

/** Whether a person has ruled on a row. */
export const isRuled = ({ grade }: SampleRow): boolean => grade === 'confirmed'

/** What a ruled row says now. */
export const standingJudgement = (row: SampleRow): Judgement => ({
  verdict: row.verdict ?? 'affirmed',
  label: row.label,
  referent: referentOf(row),
})

/** Who ruled on a row; null where it does not say. */
export const rulerOf = ({ accepted_by }: SampleRow): string | null => textOf(accepted_by?.['by'])

/** An opinion on a ruled row; each person has at most one. */
export interface Opinion {
  readonly by: string
  readonly judgement: Judgement
}

/** The opinions of a row that can be read. */
export const opinionsOf = (row: SampleRow): ReadonlyArray<Opinion> => {
  const all: unknown = 'opinions' in row ? row.opinions : []
  return Array.isArray(all)
    ? all.flatMap((one: unknown) =>
        CommittedOpinion.is(one)
          ? [
              {
                by: one.by,
                judgement: { verdict: one.verdict, label: one.label, referent: one.referent ?? null },
              },
            ]
          : [],
      )
    : []
}

/** Whether two people hold the same of a row. */
export const isSameJudgement = (one: Judgement, other: Judgement): boolean =>
  one.verdict === other.verdict &&
  (one.verdict === 'denied' || (one.label === other.label && one.referent === other.referent))

/** Whether a row repeats restricted topics; a row of an unchanged file is looked at once. */
export const rowNamesTopics = perValue((row: SampleRow): boolean => namesTopics(textsIn(row).join('\n')))

/** The refusal of a ruling on a row whose passage is gone. */
export const staleSample = (
  { row }: Sample,
  { proposed }: Extract<Passage, { readonly _tag: 'Gone' }>,
): RefusalOf<'SampleStale'> =>
  refuse(
    'SampleStale',
    proposed === null
      ? `The passage that ${row.id} quotes is gone from its document. Deposit a new row for it.`
      : `The passage that ${row.id} quotes is no longer there. \`proposed\` is where it is now; deposit a new row.`,
    { id: row.id, proposed },
  )

const CommittedOpinion = t.intersection([
  t.type({
    by: t.string,
    verdict: t.keyof({ affirmed: null, denied: null }),
    label: t.string,
  }),
  t.partial({ referent: t.union([t.string, t.null]) }),
])

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

const referentOf = ({ fields }: SampleRow): string | null => textOf(fields['referent'])

/** What was proposed before a person ruled. */
const proposalOf = (row: SampleRow): Pick<Judgement, 'label' | 'referent'> => ({
  label: textOf(row.accepted_by?.['proposed_label']) ?? row.label,
  referent: textOf(row.accepted_by?.['proposed_referent']) ?? referentOf(row),
})

const refuseValue = (
  field: string,
  detail: string,
  candidates: ReadonlyArray<string> = [],
): Either<RefusalOf<'ValueRefused'>, never> => left(refuse('ValueRefused', detail, { field, candidates }))

/** What the ruling says of what was proposed, whoever ruled since. */
const judgementOf = (
  { classes }: Samples,
  row: SampleRow,
  { outcome, label, referent }: LabelledRuling,
  { headingOf }: RulingGround,
): Either<RefusalOf<'ValueRefused'>, Judgement> => {
  const proposal = proposalOf(row)
  if (outcome === 'deny') return right({ verdict: 'denied', ...proposal })
  const known = classes.get(row.class)
  if (outcome === 'correct') {
    if (label === undefined || known?.labels.includes(label) !== true)
      return refuseValue('label', `The class ${row.class} has no such label.`, known?.labels)
    if (label === proposal.label)
      return refuseValue('label', `${label} is the label that was proposed. Send the outcome \`affirm\`.`)
  }
  const judged = { verdict: 'affirmed', ...proposal, ...(label === undefined ? {} : { label }) } as const
  if (referent === undefined) return right(judged)
  if (known?.required.includes('referent') !== true)
    return refuseValue('referent', `Rows of the class ${row.class} need no referent, so none can be ruled.`)
  if (referent === undeclared) return right({ ...judged, referent })
  const heading = headingOf(referent)
  return heading === null
    ? refuseValue(
        'referent',
        `No block of the index has the heading "${referent}". Send a heading, or \`${undeclared}\`.`,
      )
    : right({ ...judged, referent: heading })
}

/** A ruling on a row that a person ruled on before: it is the same, an opinion, or refused. */
const onRuled = (
  samples: Samples,
  sample: Sample,
  asked: LabelledRuling,
  judged: Judgement,
  ground: RulingGround,
): Either<RulingRefusal, Ruled> => {
  const { row } = sample
  const ruler = rulerOf(row)
  const isSame = isSameJudgement(judged, standingJudgement(row))
  if (isSame && (asked.opinion !== true || ruler === ground.by)) return right({ _tag: 'Unchanged', sample })
  if (asked.opinion !== true || ruler === ground.by) return left(ruledAlready(row, ruler, ground.by))
  const own = opinionsOf(row).find(({ by }) => by === ground.by)
  if (own !== undefined && isSameJudgement(own.judgement, judged)) return right({ _tag: 'Unchanged', sample })
  const opinions: unknown = 'opinions' in row ? row.opinions : []
  if (!Array.isArray(opinions)) return left(unreadableLine(sample))
  const others: ReadonlyArray<unknown> = opinions.filter(
    (one: unknown) => !CommittedOpinion.is(one) || one.by !== ground.by,
  )
  const filed = { by: ground.by, at: ground.at, outcome: asked.outcome, ...judged, ...noteOf(asked) }
  return withLine(samples, sample, text => ({
    _tag: 'Opinion',
    sample,
    judgement: judged,
    line: setRootMember(text, 'opinions', [...others, filed]),
  }))
}

const ruledAlready = (row: SampleRow, ruledBy: string | null, by: string): RefusalOf<'SampleRuled'> => {
  const { verdict, label } = standingJudgement(row)
  const detail =
    ruledBy === by
      ? `You have ruled on ${row.id} already (${verdict}, ${label}), and a ruling stands.`
      : `${ruledBy ?? 'Somebody'} has ruled on ${row.id} already (${verdict}, ${label}). To differ, send \`opinion\`.`
  return refuse('SampleRuled', detail, { id: row.id, ruledBy, verdict, label })
}

const noteOf = ({ note }: LabelledRuling): { readonly note?: string } => (note === undefined ? {} : { note })

/** Changes the line of a sample. A line that strict JSON refuses, such as one with a key twice, is not changed. */
const withLine = (
  { files }: Samples,
  sample: Sample,
  change: (text: string) => Ruled,
): Either<RulingRefusal, Ruled> => {
  const text = rawLines(files.get(sample.file)?.text ?? '')[sample.line - 1]
  return text === undefined || isLeft(readJson(text)) ? left(unreadableLine(sample)) : right(change(text))
}

const unreadableLine = ({ file, line, row }: Sample): RefusalOf<'StoreUnreadable'> =>
  refuse(
    'StoreUnreadable',
    `Line ${line} of ${file}, the sample ${row.id}, cannot be changed safely: it has a key twice, ` +
      'a reserved one, or a value that cannot be kept. Correct the line and commit it.',
    { file },
  )

const ruledLine = (
  text: string,
  row: SampleRow,
  asked: LabelledRuling,
  { verdict, label, referent }: Judgement,
  { by, at }: RulingGround,
): string => {
  const before = referentOf(row)
  const isRenamed = referent !== null && referent !== before
  const accepted = {
    kind: 'ruling',
    by,
    at,
    outcome: asked.outcome,
    authentication: byToken,
    ...noteOf(asked),
    ...(label === row.label ? {} : { proposed_label: row.label }),
    ...(isRenamed && before !== null ? { proposed_referent: before } : {}),
  }
  const named = isRenamed ? setMember(text, 'fields', 'referent', referent) : text
  const labelled = label === row.label ? named : setRootMember(named, 'label', label)
  const graded = setRootMember(setRootMember(labelled, 'grade', 'confirmed'), 'verdict', verdict)
  return setRootMember(graded, 'accepted_by', accepted)
}

/** Every text of a row, keys included; a row is no deeper than its line. */
const textsIn = (value: unknown, depth = 0): ReadonlyArray<string> => {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null || depth > depthMax) return []
  return Object.entries(value).flatMap(([key, one]) => [key, ...textsIn(one, depth + 1)])
}

/** What lies deeper in a row is not served. */
const depthMax = 64
