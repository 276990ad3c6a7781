import { isLeft } from 'fp-ts/lib/Either.js'
import { type Day, dayOf } from '#protocol/atoms.js'
import { type LedgerFinding, type RefRow, refRowOf, refRows } from '#protocol/ledger.js'
import type { SourceFile } from '#src/domain/lore/source-file.js'
import { settleTransitions } from './authority.js'
import { calendarOf } from './calendar.js'
import { type ReadLine, readLine } from './ledger-line.js'
import { replay } from './replay.js'
import type { SeatNotice } from './seats.js'
import type { Ledger, Transition } from './transition.js'

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
