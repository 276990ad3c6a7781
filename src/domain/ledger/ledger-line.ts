import { type Either, isLeft, left, right, tryCatch } from 'fp-ts/lib/Either.js'
import { nfc } from '#protocol/atoms.js'
import {
  CitedPost,
  confidences,
  dateBases,
  type Evidence,
  type LedgerFinding,
  LedgerLine,
  ops,
  type RefRow,
  sourceAuthorities,
} from '#protocol/ledger.js'
import { parseBound } from '#src/domain/lore/rows/range.js'
import type { Transition } from './transition.js'

/** The place of a line: its ref (by the name of the file), its file and its number. */
export interface LinePlace {
  readonly ref: RefRow
  readonly file: string
  readonly line: number
}

/** An accepted line: the row, and findings about it. */
export interface ReadLine {
  readonly row: Transition
  readonly findings: ReadonlyArray<LedgerFinding>
}

type Fault = Pick<LedgerFinding, 'kind' | 'severity' | 'reason'>

const finding = (place: LinePlace, about: { seq: number | null; subject: string | null }, fault: Fault) => ({
  ...fault,
  ref: place.ref.ref,
  seq: about.seq,
  subject: about.subject,
  file: place.file,
  line: place.line,
})

const unreadable = (place: LinePlace, why: string): LedgerFinding =>
  finding(
    place,
    { seq: null, subject: null },
    {
      kind: 'GovernanceLineUnreadable',
      severity: 'error',
      reason: `Wiersza nie da się odczytać, więc jest pomijany: ${why}.`,
    },
  )

const tryParseJson = (text: string): Either<null, unknown> =>
  tryCatch<null, unknown>(
    () => JSON.parse(text),
    () => null,
  )

/** The posts that a line cites; an item without a post is skipped. */
const evidenceOf = (cited: LedgerLine['evidence']): ReadonlyArray<Evidence> =>
  (cited ?? []).flatMap(item => {
    const decoded = CitedPost.decode(item)
    if (isLeft(decoded) || String(decoded.right.post).trim() === '') return []
    const { post, author, quote } = decoded.right
    return [{ post: String(post), author: author ?? null, quote: quote ?? null }]
  })

const conflictsOf = (noted: LedgerLine['conflicts']): ReadonlyArray<string> =>
  (noted ?? []).map(item => (typeof item === 'string' ? item : JSON.stringify(item)))

const textOf = (value: string | null | undefined): string | null => {
  const text = nfc(value ?? '').trim()
  return text === '' ? null : text
}

const transitionOf = (place: LinePlace, line: LedgerLine): Transition => ({
  ref: place.ref.ref,
  seq: line.seq,
  date: line.date,
  instrument_date: line.instrument_date ?? null,
  date_basis: textOf(line.date_basis),
  op: line.op.trim(),
  subject: textOf(line.subject),
  subject_surface: textOf(line.subject_surface),
  act: textOf(line.act),
  until: textOf(line.until),
  until_precision: line.until_precision ?? null,
  sieve: textOf(line.sieve),
  evidence: evidenceOf(line.evidence),
  source_authority: textOf(line.source_authority),
  confidence: textOf(line.confidence),
  conflicts: conflictsOf(line.conflicts),
  value: line.value ?? null,
  de_facto: line.de_facto ?? null,
  overruled: false,
  file: place.file,
  line: place.line,
})

const outside = (word: string | null, words: ReadonlyArray<string>): word is string =>
  word !== null && !words.includes(word)

const warning = (kind: string, reason: string): Fault => ({ kind, severity: 'warning', reason })

/** Findings for a row that is accepted in spite of them. */
const oddities = (place: LinePlace, row: Transition): ReadonlyArray<Fault> => {
  const { kind } = place.ref
  const word = (field: string, said: string): Fault =>
    warning('GovernanceWordUnknown', `Pole „${field}” ma wartość spoza słownika: „${said}”.`)
  return [
    ...(outside(row.op, ops[kind])
      ? [
          warning(
            'GovernanceOpUnknown',
            `Nieznana operacja „${row.op}”; wiersz zachowano, ale nie zmienia stanu.`,
          ),
        ]
      : []),
    ...(outside(row.date_basis, dateBases) ? [word('date_basis', row.date_basis)] : []),
    ...(outside(row.source_authority, sourceAuthorities)
      ? [word('source_authority', row.source_authority)]
      : []),
    ...(outside(row.confidence, confidences) ? [word('confidence', row.confidence)] : []),
    ...(row.until !== null && parseBound(row.until, 'to') === null
      ? [warning('GovernanceUntilUnreadable', `Pole „until” nie jest dniem ani miesiącem: „${row.until}”.`)]
      : []),
    ...(kind !== 'rule' && row.subject === null
      ? [
          warning(
            'GovernanceSubjectMissing',
            'Wiersz nie wskazuje podmiotu; zachowano go, ale nie zmienia stanu.',
          ),
        ]
      : []),
  ]
}

/** Parses one line. Left: why the row is refused, for example because it cites no post (B 4.9). */
export const readLine = (place: LinePlace, text: string): Either<LedgerFinding, ReadLine> => {
  const json = tryParseJson(text)
  if (isLeft(json)) return left(unreadable(place, 'to nie jest JSON'))
  const decoded = LedgerLine.decode(json.right)
  if (isLeft(decoded)) {
    const key = decoded.left[0]?.context.map(entry => entry.key).filter(part => part !== '')[0]
    return left(unreadable(place, key === undefined ? 'to nie jest obiekt' : `złe pole „${key}”`))
  }
  const line = decoded.right
  const row = transitionOf(place, line)
  const about = { seq: row.seq, subject: row.subject }
  if (line.ref !== null && line.ref !== undefined && line.ref !== place.ref.ref)
    return left(unreadable(place, `wiersz należy do „${line.ref}”, a leży w pliku „${place.ref.ref}”`))
  if (row.evidence.length === 0)
    return left(
      finding(place, about, {
        kind: 'GovernanceEvidenceMissing',
        severity: 'error',
        reason: 'Wiersz nie przytacza żadnego postu, więc został odrzucony.',
      }),
    )
  return right({ row, findings: oddities(place, row).map(fault => finding(place, about, fault)) })
}
