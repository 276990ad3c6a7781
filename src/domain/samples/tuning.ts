import { hash } from 'node:crypto'
import { type Either, isLeft, left, right, tryCatch } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { type BlobId, type RepoPath, requirePath } from '#protocol/atoms.js'
import { readJson, readJsonInSlices } from '#src/domain/json/json-text.js'
import { type Finding, firstFindings } from '#src/domain/lore/finding.js'
import { pathOfErrors, type SourceFile } from '#src/domain/lore/layout.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'

/**
 * The fine-tuning samples of `corpora.probki`: `sets.json` names the sets, `<set>.jsonl` and `<set>-02.jsonl` have
 * their rows, one a line. The texts stay in the blobs: memory holds what filters, counts and rulings need of a row.
 */

/** One turn of a conversation. */
const Turn = t.type({
  role: t.keyof({ system: null, user: null, assistant: null }),
  content: t.string,
})
export type Turn = t.TypeOf<typeof Turn>

const Origin = t.union([
  t.type({ kind: t.literal('human'), who: t.string }),
  t.type({ kind: t.literal('model'), model: t.string, prompt_hash: t.string }),
])

/** How a row was accepted. `at_unknown` says why the instant is not known. */
const Acceptance = t.intersection([
  t.type({ kind: t.keyof({ authorship: null, ruling: null }) }),
  t.partial({ by: t.string, at: t.string, at_unknown: t.string, outcome: t.string, note: t.string }),
])
export type Acceptance = t.TypeOf<typeof Acceptance>

/** A row as its line has it (B 2.6); members that are not listed stay in the line as they are. */
export const TuningLine = t.intersection(
  [
    t.type({
      id: t.string,
      set: t.string,
      grade: t.keyof({ confirmed: null, measured: null, proposed: null }),
      messages: t.readonlyArray(Turn),
      origin: Origin,
      provenance: t.type({ project: t.string }),
      dedupe: t.string,
    }),
    t.partial({
      locator: t.partial({ document: t.string }),
      fields: t.record(t.string, t.unknown),
      verdict: t.keyof({ affirmed: null, denied: null }),
      method: t.partial({ accepted_by: Acceptance }),
      proposed_content: t.string,
    }),
  ],
  'TuningLine',
)
export type TuningLine = t.TypeOf<typeof TuningLine>

export type Outcome = 'affirm' | 'deny' | 'correct'

/** What memory holds of a row. */
export interface TuningRow {
  readonly id: string
  readonly set: string
  readonly grade: TuningLine['grade']
  readonly origin: TuningLine['origin']['kind']
  readonly project: string
  /** Null: the row cannot be put into an arm, so no export has it. */
  readonly document: string | null
  readonly verdict: TuningLine['verdict'] | null
  readonly acceptance: Acceptance['kind'] | null
  /** Who accepted it, as far as the row says. */
  readonly acceptedBy: string | null
  /** Whether a person replaced its answer. */
  readonly isCorrected: boolean
  /** Identifies its turns (`dedupeOf`), and its answer (`answerKeyOf`). */
  readonly dedupe: string
  readonly answerKey: string
  /** UTF-16 code units of all turns. */
  readonly chars: number
  readonly file: RepoPath
  /** Where its line is: the number from 1, and the bytes without its end. */
  readonly line: number
  readonly start: number
  readonly end: number
  /** Identifies the bytes of the line (`lineKeyOf`). */
  readonly lineKey: string
}

/** A file of rows as it was read. */
export interface TuningFile {
  readonly path: RepoPath
  readonly blob: BlobId
  readonly bytes: number
  readonly rows: ReadonlyArray<TuningRow>
  readonly findings: ReadonlyArray<Finding>
}

/** What `sets.json` says. */
export interface TuningSets {
  readonly schemaVersion: number
  readonly seed: string
  readonly evalShare: number
  readonly names: ReadonlySet<string>
}

/** Why there are no rows. */
export type StoreReason =
  | 'NoStoreConfigured'
  | 'StoreRefused'
  | 'StoreUnreadable'
  | 'SetsMissing'
  | 'SetsUnreadable'
  | 'SchemaUnknown'

export const setsPath = requirePath('sets.json')

/** The version of `sets.json` and of the rows that this build reads. */
const schemaVersionRead = 1

/** The set whose answers are plans of calls of this host. */
export const planSet = 'api-agent'

/** The largest line of a row, in bytes. */
export const lineBytesMax = 1024 * 1024

/** Whether a path of the store holds rows or names the sets. */
export const isTuningPath = (path: string): boolean => path === setsPath || filePattern.test(path)

/** The order of files: by the name of their set, then by their number. */
export const inFileOrder = (one: RepoPath, other: RepoPath): number => {
  const [stem, number] = stemOf(one)
  const [otherStem, otherNumber] = stemOf(other)
  return stem === otherStem ? number - otherNumber : stem < otherStem ? -1 : 1
}

/** Reads `sets.json`; null where the store has none. */
export const readSets = (
  file: SourceFile | null,
): Either<{ readonly reason: StoreReason; readonly findings: ReadonlyArray<Finding> }, TuningSets> => {
  if (file === null) {
    const reason = 'Drzewo nie ma pliku sets.json, więc żaden zbiór nie jest znany i nie widać żadnej próbki.'
    return left({ reason: 'SetsMissing', findings: [setsFinding(reason)] })
  }
  const value = file.undecodable ? left({ path: '$', reason: 'UTF-8' }) : readJson(file.text, valuesMax)
  if (isLeft(value)) return left(unreadableSets(value.left.path))
  const read = SetsFile.decode(value.right)
  if (isLeft(read)) return left(unreadableSets(pathOfErrors(read.left)))
  const { schemaVersion, seed, evalShare, sets } = read.right
  if (schemaVersion !== schemaVersionRead) {
    const reason = `Wersja ${schemaVersion} sets.json jest inna niż ${schemaVersionRead}, którą czyta ten host.`
    return left({ reason: 'SchemaUnknown', findings: [setsFinding(reason)] })
  }
  if (!(evalShare >= 0 && evalShare <= 1)) return left(unreadableSets('$.evalShare'))
  if (seed === '' || seed.length > seedCharsMax) return left(unreadableSets('$.seed'))
  const names = Object.keys(sets)
  if (!names.every(name => setPattern.test(name))) return left(unreadableSets('$.sets'))
  return right({ schemaVersion, seed, evalShare, names: new Set(names) })
}

/** Whether this host has a row for a call. `path` is as a plan writes it, without a query. */
export type IsServed = (method: string, path: string) => boolean

/** Reads a file of rows. A line that is no row is a finding; its bytes stay, and so do all other rows. */
export const readTuningFile = function* (
  { path, blob }: { readonly path: RepoPath; readonly blob: BlobId },
  bytes: Buffer,
  isServed: IsServed,
): Sliced<TuningFile> {
  const rows: Array<TuningRow> = []
  const bad: Array<BadLine> = []
  const told: Array<readonly [row: TuningRow, told: RowTold]> = []
  const intern = internTexts()
  for (const span of lineSpans(bytes)) {
    const line = bytes.subarray(span.start, span.end)
    if (isBlank(line)) continue
    const read = yield* readLine(line)
    yield
    if (isLeft(read)) {
      bad.push({ line: span.line, ...read.left })
      continue
    }
    const row = rowOf(read.right, { ...span, path, lineKey: lineKeyOf(line) }, intern)
    rows.push(row)
    if (read.right.dedupe !== row.dedupe) told.push([row, 'dedupe'])
    if (row.set === planSet && driftsFrom(read.right, isServed)) told.push([row, 'plan'])
  }
  const findings = [
    ...firstFindings(bad, one => unreadable(path, one)),
    ...firstFindings(
      told.filter(([, what]) => what === 'dedupe'),
      ([row]) => otherDedupe(row),
    ),
    ...firstFindings(
      told.filter(([, what]) => what === 'plan'),
      ([row]) => driftedPlan(row),
    ),
  ]
  return { path, blob, bytes: bytes.length, rows, findings }
}

/** Why a line is no row; `field` is empty where the line is no JSON. */
export interface LineFault {
  readonly field: string
  readonly reason: string
}

/** Reads the line of a row strictly: no key twice, no `__proto__`, no half of a surrogate pair (D24). */
export const readLine = function* (bytes: Buffer): Sliced<Either<LineFault, TuningLine>> {
  if (bytes.length > lineBytesMax) return left({ field: '', reason: `ma więcej niż ${lineBytesMax} bajtów` })
  const text = bytes.toString('utf8')
  if (text.includes('\u{fffd}') && !Buffer.from(text).equals(bytes))
    return left({ field: '', reason: 'nie jest w UTF-8' })
  const value = readOwnJson(text) ?? (yield* readJsonInSlices(text, valuesMax))
  if (isLeft(value)) return left({ field: value.left.path, reason: 'nie jest poprawnym JSON-em' })
  const read = TuningLine.decode(value.right)
  if (isLeft(read)) return left({ field: pathOfErrors(read.left), reason: 'nie jest próbką' })
  const { id, set, provenance, messages } = read.right
  if (!isSampleId(id, provenance.project, set))
    return left({ field: '$.id', reason: 'ma identyfikator inny niż <projekt>/<zbiór>/<nazwa>' })
  return messages.at(-1)?.role === 'assistant'
    ? read
    : left({ field: '$.messages', reason: 'nie kończy się odpowiedzią asystenta' })
}

/**
 * Identifies the turns of a row: sha256 over `<role> <content>` of each, one a line, with every run of white space as
 * one blank and none at the ends.
 */
export const dedupeOf = (messages: ReadonlyArray<Turn>): string =>
  hash(
    'sha256',
    messages.map(({ role, content }) => `${role} ${trimBlank(content.replace(whiteSpace, ' '))}`).join('\n'),
    'hex',
  )

/** Identifies the answer of a row, character by character. */
export const answerKeyOf = (content: string): string => hash('sha256', content, 'base64url')

/** Identifies the bytes of a line. */
export const lineKeyOf = (line: Buffer): string => hash('sha256', line, 'base64url')

/** A line of a file: its number from 1, and its bytes without the end of the line. */
interface LineSpan {
  readonly line: number
  readonly start: number
  readonly end: number
}

/** The lines of a file, split where `rawLines` splits its text, without a byte order mark. */
export const lineSpans = (bytes: Buffer): ReadonlyArray<LineSpan> => {
  const spans: Array<LineSpan> = []
  const hasReturns = bytes.includes(carriageReturn)
  let start = bytes.subarray(0, 3).equals(byteOrderMark) ? 3 : 0
  while (start < bytes.length) {
    const feed = bytes.indexOf(lineFeed, start)
    let end = feed < 0 ? bytes.length : feed
    let next = feed < 0 ? bytes.length : feed + 1
    const lone = hasReturns ? bytes.subarray(start, end).indexOf(carriageReturn) : -1
    if (lone >= 0) {
      end = start + lone
      next = end + 1 === feed ? feed + 1 : end + 1
    }
    spans.push({ line: spans.length + 1, start, end })
    start = next
  }
  return spans
}

/**
 * Reads a line that is written as this host writes them, in a tenth of the time that the strict reader takes: JSON that
 * is the same when it is written again has no key twice and no number that loses digits. Null where the strict reader
 * has to look.
 */
const readOwnJson = (text: string): Either<never, unknown> | null => {
  if (strange.some(one => text.includes(one))) return null
  const read = tryCatch(
    () => {
      const value: unknown = JSON.parse(text)
      return JSON.stringify(value) === text ? value : null
    },
    () => null,
  )
  return isLeft(read) || read.right === null || !isPlainSized(read.right) ? null : read
}

/** What the strict reader refuses although JSON that is written again has it: NUL, halves of pairs, a reserved key. */
const strange = ['\\u0000', '\\ud', '\\uD', '__proto__']

/** Whether a value is nested no deeper than the strict reader takes, and has no more values. */
const isPlainSized = (value: unknown): boolean => {
  let level: ReadonlyArray<unknown> = [value]
  let count = 0
  for (let depth = 0; level.length > 0; depth += 1) {
    count += level.length
    if (depth > plainDepthMax || count > valuesMax) return false
    level = level.flatMap(
      (one): ReadonlyArray<unknown> => (typeof one === 'object' && one !== null ? Object.values(one) : []),
    )
  }
  return true
}

const plainDepthMax = 32

const filePattern = /^[a-z0-9][a-z0-9-]{0,63}\.jsonl$/u
const setPattern = /^[a-z0-9][a-z0-9-]{0,47}$/u
const numbered = /-(\d{2,3})$/u
/** Runs of Unicode white space. A single blank, which most are, is left as it is. */
const whiteSpace =
  /[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]{2,}|(?![ \ufeff])[\s\x85]/g
/** Cuts the one blank at each end that is left of white space. */
const trimBlank = (text: string): string =>
  text.slice(text.startsWith(' ') ? 1 : 0, text.length > 1 && text.endsWith(' ') ? -1 : undefined)

const lineFeed = 0x0a
const carriageReturn = 0x0d
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])
/** Most JSON values of one line. */
const valuesMax = 20_000
const seedCharsMax = 200
const idPartCharsMax = 120

const SetsFile = t.type({
  schemaVersion: t.Int,
  seed: t.string,
  evalShare: t.number,
  sets: t.record(t.string, t.UnknownRecord),
})

const stemOf = (path: string): readonly [stem: string, number: number] => {
  const name = path.slice(0, -'.jsonl'.length)
  const number = numbered.exec(name)
  return number === null ? [name, 1] : [name.slice(0, number.index), Number(number[1])]
}

const isBlank = (line: Buffer): boolean =>
  line.every(byte => byte === 0x20 || byte === 0x09 || byte === carriageReturn)

const isSampleId = (id: string, project: string, set: string): boolean => {
  const parts = id.split('/')
  const [first, second] = parts
  return parts.length === 3 && first === project && second === set && parts.every(isIdPart)
}

const isIdPart = (part: string): boolean =>
  part.length > 0 &&
  part.length <= idPartCharsMax &&
  part !== '.' &&
  part !== '..' &&
  part === part.trim() &&
  !/[\p{Cc}\p{Cf}\u{2028}\u{2029}\\]/u.test(part)

/** Copies texts, each once: a text that the reader of JSON cut out of a line would keep the whole line. */
const internTexts = (): ((text: string) => string) => {
  const known = new Map<string, string>()
  return text => {
    const copy = known.get(text)
    if (copy !== undefined) return copy
    const made = copyText(text)
    known.set(made, made)
    return made
  }
}

const copyText = (text: string): string => Buffer.from(text, 'utf16le').toString('utf16le')

type Place = LineSpan & { readonly path: RepoPath; readonly lineKey: string }

const rowOf = (
  { id, set, grade, messages, origin, provenance, locator, verdict, method, proposed_content }: TuningLine,
  { path, line, start, end, lineKey }: Place,
  intern: (text: string) => string,
): TuningRow => {
  const acceptance = method?.accepted_by
  const document = locator?.document ?? ''
  return {
    id: copyText(id),
    set: intern(set),
    grade,
    origin: origin.kind,
    project: intern(provenance.project),
    document: document.trim() === '' ? null : intern(document),
    verdict: verdict ?? null,
    acceptance: acceptance?.kind ?? null,
    acceptedBy: acceptance?.by === undefined ? null : intern(acceptance.by),
    isCorrected: proposed_content !== undefined,
    dedupe: dedupeOf(messages),
    answerKey: answerKeyOf(messages.at(-1)?.content ?? ''),
    chars: messages.reduce((sum, { content }) => sum + content.length, 0),
    file: path,
    line,
    start,
    end,
    lineKey,
  }
}

const Plan = t.type({
  calls: t.readonlyArray(t.type({ method: t.string, path: t.string })),
  why: t.string,
})

/** Whether an answer is no plan, or calls a row that this host does not have. */
const driftsFrom = ({ messages }: TuningLine, isServed: IsServed): boolean => {
  const value = readJson(messages.at(-1)?.content ?? '', valuesMax)
  const plan = Plan.decode(isLeft(value) ? null : value.right)
  if (isLeft(plan)) return true
  return plan.right.calls.some(({ method, path }) => !isServed(method, path.split('?')[0] ?? ''))
}

type RowTold = 'dedupe' | 'plan'

interface BadLine extends LineFault {
  readonly line: number
}

const unreadable = (file: RepoPath, { line, field, reason }: BadLine): Finding => ({
  kind: 'TuningSampleUnreadable',
  severity: 'error',
  file,
  line,
  subject: null,
  reason: `Wiersz ${reason}${field === '' ? '' : ` (pole ${field})`} i został pominięty; jego treść zostaje.`,
  suggestion: 'Popraw wiersz albo przywróć go z commita, który go zapisał.',
})

const otherDedupe = ({ file, line, id }: TuningRow): Finding => ({
  kind: 'TuningSampleDedupeDiffers',
  severity: 'warning',
  file,
  line,
  subject: id,
  reason: 'Pole dedupe nie jest skrótem wypowiedzi tego wiersza; powtórzenia host liczy sam.',
  suggestion: 'Policz pole dedupe na nowo z wypowiedzi.',
})

const driftedPlan = ({ file, line, id }: TuningRow): Finding => ({
  kind: 'TuningPlanDrifted',
  severity: 'warning',
  file,
  line,
  subject: id,
  reason: 'Odpowiedź nie jest planem wywołań albo woła adres, którego ten host nie ma.',
  suggestion: 'Popraw plan według GET /routes albo odrzuć próbkę.',
})

const unreadableSets = (
  field: string,
): { readonly reason: StoreReason; readonly findings: ReadonlyArray<Finding> } => ({
  reason: 'SetsUnreadable',
  findings: [setsFinding(`Pliku sets.json nie da się odczytać (${field}), więc nie widać żadnej próbki.`)],
})

const setsFinding = (reason: string): Finding => ({
  kind: 'TuningSetsInvalid',
  severity: 'error',
  file: setsPath,
  line: null,
  subject: null,
  reason,
  suggestion:
    'Zapisz {"schemaVersion": 1, "seed": "<tekst>", "evalShare": 0.1, "sets": {"<zbiór>": {}}}; ' +
    'evalShare jest od 0 do 1, a nazwa zbioru ma małe litery, cyfry i łączniki.',
})
