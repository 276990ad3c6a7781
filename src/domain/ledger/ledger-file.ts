import { type Either, isLeft, left, right, tryCatch } from 'fp-ts/lib/Either.js'
import { type Day, dayOf, nfc } from '#protocol/atoms.js'
import {
  CitedPost,
  confidences,
  dateBases,
  type Evidence,
  type LedgerFinding,
  LedgerLine,
  ops,
  type RefRow,
  refRowOf,
  refRows,
  sourceAuthorities,
  type TransitionRow,
} from '#protocol/lore/ledger.js'
import type { SourceFile } from '#src/domain/lore/layout.js'
import { parseBound } from '#src/domain/lore/rows/days.js'
import { calendarOf, type Ledger, type Transition } from './calendar.js'
import type { SeatNotice } from './seats.js'
import { replay } from './state.js'

/**
 * The governance ledger of a works tree: its `governance/ledger/<ref>.jsonl` files and
 * `governance/calendar.json`.
 */
export const ledgerOf = (files: ReadonlyArray<SourceFile>, corpus: Ledger['corpus']): Ledger => {
  const byPath = new Map(files.map(file => [String(file.path), file]))
  const refs = refRows.map(ref => {
    const file = byPath.get(`${folder}${ref.ref}.jsonl`)
    return { ref, read: file === undefined ? { rows: [], findings: [] } : refFileOf(ref, file) }
  })
  const calendarFile = byPath.get('governance/calendar.json')
  const calendar = calendarFile === undefined ? { days: null, findings: [] } : calendarOf(calendarFile)
  return {
    corpus,
    transitions: new Map(refs.map(({ ref, read }) => [ref.ref, read.rows])),
    findings: [
      ...refs.flatMap(({ ref, read }) => [...read.findings, ...findingsOfRef(ref, read.rows)]),
      ...strangers(files),
      ...calendar.findings,
    ],
    calendar: calendar.days,
  }
}

/** The transitions of a ref, oldest first, between two days inclusive; null is open. */
export const logOf = (
  ledger: Ledger,
  ref: RefRow,
  since: Day | null,
  until: Day | null,
): ReadonlyArray<TransitionRow> =>
  (ledger.transitions.get(ref.ref) ?? [])
    .filter(row => (since === null || since <= row.date) && (until === null || row.date <= until))
    .map(transitionRowOf)

const folder = 'governance/ledger/'

interface RefFile {
  readonly rows: ReadonlyArray<Transition>
  readonly findings: ReadonlyArray<LedgerFinding>
}

const refNameOf = (path: string): string | null => {
  const name = path.startsWith(folder) && path.endsWith('.jsonl') ? path.slice(folder.length, -6) : ''
  return name === '' || name.includes('/') ? null : name
}

const plain = (kind: string, ref: string, file: SourceFile, line: number | null, reason: string) =>
  ({ kind, severity: 'warning', ref, seq: null, subject: null, file: file.path, line, reason }) as const

const duplicateSeqFinding = ({ ref, seq, subject, file, line }: Transition): LedgerFinding => ({
  kind: 'GovernanceSeqRepeated',
  severity: 'warning',
  ref,
  seq,
  subject,
  file,
  line,
  reason: `Numer ${seq} mają dwa różne wiersze.`,
})

/** A row without its line number, to distinguish a repeated line from two lines under one `seq`. */
const contentOf = (row: Transition): string => JSON.stringify({ ...row, line: 0 })

/**
 * Removes lines that repeat another exactly, as merges produce them. Keeps and reports two different rows
 * under one `seq`.
 */
const distinct = (lines: ReadonlyArray<ReadLine>): RefFile => {
  const numbers = new Set<number>()
  const seen = new Set<string>()
  const rows: Array<Transition> = []
  const findings: Array<LedgerFinding> = []
  for (const { row, findings: odd } of lines) {
    const content = contentOf(row)
    if (seen.has(content)) continue
    seen.add(content)
    rows.push(row)
    findings.push(...odd)
    if (numbers.has(row.seq)) findings.push(duplicateSeqFinding(row))
    numbers.add(row.seq)
  }
  return { rows, findings }
}

const inOrder = (left: Transition, right: Transition): number =>
  left.date < right.date ? -1 : left.date > right.date ? 1 : left.seq - right.seq

const refFileOf = (ref: RefRow, file: SourceFile): RefFile => {
  const read = file.text.split('\n').flatMap((text, at) => {
    const line = text.trim()
    return line === '' ? [] : [readLine({ ref, file: file.path, line: at + 1 }, line)]
  })
  const refused = read.flatMap(each => (isLeft(each) ? [each.left] : []))
  const { rows, findings } = distinct(read.flatMap(each => (isLeft(each) ? [] : [each.right])))
  const undecodable = file.undecodable
    ? [plain('GovernanceFileUndecodable', ref.ref, file, null, 'Plik nie jest zapisany w UTF-8.')]
    : []
  return {
    rows: settleTransitions([...rows].sort(inOrder), ref.cardinality === 'one'),
    findings: [...undecodable, ...refused, ...findings],
  }
}

const locateNotice = (noticed: SeatNotice): LedgerFinding => ({
  kind: noticed.kind,
  severity: 'warning',
  ref: noticed.row.ref,
  seq: noticed.row.seq,
  subject: noticed.row.subject,
  file: noticed.row.file,
  line: noticed.row.line,
  reason: noticed.reason,
})

const lastDate = (rows: ReadonlyArray<Transition>): Day | null =>
  rows[rows.length - 1]?.date ?? dayOf('0001-01-01')

const findingsOfRef = (ref: RefRow, rows: ReadonlyArray<Transition>): ReadonlyArray<LedgerFinding> => {
  const last = lastDate(rows)
  return last === null ? [] : replay(ref, rows, last).noticed.map(locateNotice)
}

const strangers = (files: ReadonlyArray<SourceFile>): ReadonlyArray<LedgerFinding> =>
  files.flatMap(file => {
    const name = refNameOf(file.path)
    return name === null || refRowOf(name) !== null
      ? []
      : [plain('GovernanceRefUnknown', name, file, null, `Księga nie zna funkcji ani zbioru „${name}”.`)]
  })

/** The place of a line: its ref (by the name of the file), its file and its number. */
interface LinePlace {
  readonly ref: RefRow
  readonly file: string
  readonly line: number
}

/** An accepted line: the row, and findings about it. */
interface ReadLine {
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
const readLine = (place: LinePlace, text: string): Either<LedgerFinding, ReadLine> => {
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

const transitionRowOf = (row: Transition): TransitionRow => ({
  ref: row.ref,
  seq: row.seq,
  date: row.date,
  instrument_date: row.instrument_date,
  date_basis: row.date_basis,
  op: row.op,
  subject: row.subject,
  subject_surface: row.subject_surface,
  act: row.act,
  until: row.until,
  until_precision: row.until_precision,
  sieve: row.sieve,
  evidence: row.evidence,
  source_authority: row.source_authority,
  confidence: row.confidence,
  conflicts: row.conflicts,
  value: row.value,
  de_facto: row.de_facto,
})

/** The place of a word among words that are ordered strongest first; null and unknown words come last. */
const rankIn = (words: ReadonlyArray<string>, word: string | null): number => {
  const at = word === null ? -1 : words.indexOf(word)
  return at < 0 ? words.length : at
}

/**
 * Compares two rows; below zero when `left` weighs more. The higher source weighs more, and of one source the
 * higher confidence (B 4.9).
 */
const byWeight = (left: Transition, right: Transition): number =>
  rankIn(sourceAuthorities, left.source_authority) - rankIn(sourceAuthorities, right.source_authority) ||
  rankIn(confidences, left.confidence) - rankIn(confidences, right.confidence)

/**
 * The matter that a row decides. Two rows on one matter and day cannot both be the state
 * (docs/spec/governance-ledger.md#replay). For a `set` it is the value, for an `appoint` the seat, for the
 * ops of absence whether the subject is present, and for any other op the document that the subject names.
 * `single` means that the ref has one seat (cardinality `one`), so all its appointments of a day are one
 * matter.
 */
const matterOf = (row: Transition, single: boolean): string => {
  const subject = (row.subject ?? '').toLowerCase()
  if (row.op === 'set') return `${row.date}\u0000value`
  if (row.op === 'appoint') return `${row.date}\u0000seat\u0000${single ? '' : subject}`
  const absence = row.op === 'leave' || row.op === 'return' || row.op === 'suspend' || row.op === 'dispense'
  return `${row.date}\u0000${absence ? 'presence' : 'instrument'}\u0000${subject}`
}

const noteOf = (row: Transition): string =>
  [
    row.source_authority ?? 'bez źródła',
    row.op,
    ...(row.subject === null ? [] : [row.subject]),
    ...(row.value === null ? [] : [String(row.value)]),
    `#${row.seq}`,
  ].join(' · ')

/** Whether a row has a lower source than another one. */
const isWeaker = (row: Transition, than: Transition): boolean =>
  rankIn(sourceAuthorities, row.source_authority) > rankIn(sourceAuthorities, than.source_authority)

/**
 * Returns the rows in their order and marks those that a higher source overrules. Of the rows on one matter
 * and day the weightiest (the first of equals) stays. Each row with a lower source than that becomes
 * `overruled`, and the weightiest describes it in its `conflicts`. A lower confidence alone overrules
 * nothing. Replay skips overruled rows. `single` is true for a ref with cardinality `one`.
 */
const settleTransitions = (rows: ReadonlyArray<Transition>, single: boolean): ReadonlyArray<Transition> => {
  const best = new Map<string, Transition>()
  for (const row of rows) {
    const matter = matterOf(row, single)
    const known = best.get(matter)
    if (known === undefined || byWeight(row, known) < 0) best.set(matter, row)
  }
  const notes = new Map<Transition, Array<string>>()
  const weaker = new Set<Transition>()
  for (const row of rows) {
    const winner = best.get(matterOf(row, single))
    if (winner === undefined || !isWeaker(row, winner)) continue
    weaker.add(row)
    const noted = notes.get(winner)
    if (noted === undefined) notes.set(winner, [noteOf(row)])
    else noted.push(noteOf(row))
  }
  return rows.map(row =>
    weaker.has(row)
      ? { ...row, overruled: true }
      : { ...row, conflicts: [...row.conflicts, ...(notes.get(row) ?? [])] },
  )
}
