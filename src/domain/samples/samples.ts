import { hash } from 'node:crypto'
import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { type RepoPath, requirePath } from '#protocol/atoms.js'
import { perValue } from '#src/domain/caching/per-value.js'
import { parseJson, readJson } from '#src/domain/json/json-text.js'
import { type Finding, firstFindings } from '#src/domain/lore/finding.js'
import { pathOfErrors, pathSegment, type SourceFile } from '#src/domain/lore/layout.js'
import { rawLines } from '#src/domain/lore/lines.js'

/**
 * The labelled samples of the annotation tree (`corpora.adnotacje`): `samples/<project>/<class>.jsonl`, a row a
 * line, and `samples/classes.json`, which registers classes beside those that are built in.
 */

/** The class of a text that names an entity, and of a name under which an entity speaks in one session. */
export const spanClass = 'entity-span'
export const speakerClass = 'speaker-binding'

/** What a class asks of its rows: the labels that it knows, and the fields that each row has. */
export interface SampleClass {
  readonly labels: ReadonlyArray<string>
  readonly required: ReadonlyArray<string>
}

export type SampleClasses = ReadonlyMap<string, SampleClass>

/** Where a sample is quoted from. `start` and `end` are UTF-16 offsets in the text of the line. */
export const SampleLocator = t.intersection([
  t.type({ document: t.string, source: t.string, hash: t.string }),
  t.partial({ line: t.number, start: t.number, end: t.number, text: t.string }),
])
export type SampleLocator = t.TypeOf<typeof SampleLocator>

/** The most UTF-16 units of a name in a row. Statistics repeat names, so a longer one would be in every answer. */
const nameCharsMax = 1_000

const isName = (u: unknown): u is string => typeof u === 'string' && u.length <= nameCharsMax

const Name = new t.Type<string, string, unknown>(
  'Name',
  isName,
  (u, c) => (isName(u) ? t.success(u) : t.failure(u, c)),
  t.identity,
)

/** One row; members that are not listed stay in the line as they are. */
export const SampleRow = t.intersection(
  [
    t.type({
      id: Name,
      class: Name,
      grade: t.keyof({ confirmed: null, measured: null, proposed: null }),
      label: Name,
      fields: t.record(t.string, t.unknown),
      provenance: t.type({ project: Name }),
    }),
    t.partial({
      locator: SampleLocator,
      verdict: t.keyof({ affirmed: null, denied: null }),
      accepted_by: t.record(t.string, t.unknown),
      proposed_referent: t.string,
    }),
  ],
  'SampleRow',
)
export type SampleRow = t.TypeOf<typeof SampleRow>

/** A row with its place. */
export interface Sample {
  readonly row: SampleRow
  readonly file: RepoPath
  /** From 1. */
  readonly line: number
}

/** The samples of a tree. A line that is no row of its class is a finding, and its bytes stay. */
export interface Samples {
  readonly classes: SampleClasses
  /** In the order of project, class and number of the file, and of the lines. */
  readonly all: ReadonlyArray<Sample>
  /** The rows that count: of several with one id the first. */
  readonly rows: ReadonlyArray<Sample>
  /** Lines of the files that are not blank, whether they are rows or not. */
  readonly lines: number
  /** The files of the store, by path. */
  readonly files: ReadonlyMap<RepoPath, SourceFile>
  readonly byId: ReadonlyMap<string, Sample>
  /** Of the rows with a locator, by `locatorKey`: the first, and a confirmed one before all others. */
  readonly byLocator: ReadonlyMap<string, Sample>
  readonly findings: ReadonlyArray<Finding>
}

export const classesPath = requirePath('samples/classes.json')

/** Whether a path of the annotation tree holds samples or their classes. */
export const isSamplePath = (path: string): boolean => path === classesPath || samplePath.test(path)

/** Reads the samples of a tree. A file that has not changed is not read again. */
export const readSamples = (files: ReadonlyArray<SourceFile>): Samples => {
  const registered = files.find(({ path }) => path === classesPath)
  const { classes, findings } = registered === undefined ? builtIn : readClasses(registered)
  const sources = files.filter(({ path }) => samplePath.test(path)).sort(inFileOrder)
  const all = sources.flatMap(source => rowsOf(source).rows)
  const byId = new Map<string, Sample>()
  const rows: Array<Sample> = []
  const byLocator = new Map<string, Sample>()
  const twice: Array<Sample> = []
  const strange: Array<Finding> = []
  for (const sample of all) {
    if (byId.has(sample.row.id)) twice.push(sample)
    else {
      byId.set(sample.row.id, sample)
      rows.push(sample)
    }
    strange.push(...findingsOfRow(classes, sample))
    const { locator } = sample.row
    if (locator === undefined) continue
    const key = locatorKey(sample.row.class, locator)
    const known = byLocator.get(key)
    const isSurer = known?.row.grade !== 'confirmed' && sample.row.grade === 'confirmed'
    if (known === undefined || isSurer) byLocator.set(key, sample)
  }
  return {
    classes,
    all,
    rows,
    lines: sources.reduce((sum, source) => sum + rowsOf(source).lines, 0),
    files: new Map(
      [...(registered === undefined ? [] : [registered]), ...sources].map(source => [source.path, source]),
    ),
    byId,
    byLocator,
    findings: [
      ...findings,
      ...sources.flatMap(source => rowsOf(source).findings),
      ...firstFindings(twice, repeatedId),
      ...firstFindings(strange, one => one),
    ],
  }
}

/** The samples of a tree that has none, or of a host without one. */
export const noSamples = (): Samples => readSamples([])

/** Identifies what a row of a class is about: the quoted place, whatever its id. */
export const locatorKey = (
  sampleClass: string,
  { document, line, start, end, hash: text }: SampleLocator,
): string =>
  [sampleClass, document, line ?? '', start ?? '', end ?? '', line === undefined ? text : ''].join('\n')

/** The name of the entity that a confirmed row is about; null where a person denied it or declared none. */
export const ruledReferent = ({ fields, verdict, label }: SampleRow): string | null => {
  const { referent } = fields
  const isNone = verdict === 'denied' || label === noneLabel || referent === undeclared
  return isNone || typeof referent !== 'string' ? null : referent
}

/** The confirmed bindings of speakers: session key and the folded surface, with the heading that speaks; null: none. */
export const speakerBindings = perValue(
  ({ all }: Samples): ReadonlyMap<string, string | null> =>
    new Map(
      all.flatMap(({ row }) => {
        const { scope, surface } = row.fields
        const isBinding = row.class === speakerClass && row.grade === 'confirmed'
        return isBinding && typeof scope === 'string' && typeof surface === 'string'
          ? [[bindingKey(scope, surface), ruledReferent(row)] as const]
          : []
      }),
    ),
)

/** The rows that bind speakers in a session, in the order of their files. */
export const bindingsOf = (samples: Samples, header: string): ReadonlyArray<Sample> =>
  bindingRows(samples).get(foldText(header)) ?? []

const bindingRows = perValue(
  ({ rows }: Samples): ReadonlyMap<string, ReadonlyArray<Sample>> =>
    groupBy(
      rows.filter(({ row }) => row.class === speakerClass && typeof row.fields['scope'] === 'string'),
      ({ row }) => foldText(String(row.fields['scope'])),
    ),
)

/** Values by a key, in the order in which the keys are first met. */
export const groupBy = <A, K>(all: Iterable<A>, keyOf: (one: A) => K): ReadonlyMap<K, ReadonlyArray<A>> => {
  const groups = new Map<K, Array<A>>()
  for (const one of all) {
    const key = keyOf(one)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [one])
    else group.push(one)
  }
  return groups
}

/** The key of a binding in `speakerBindings`: a session header and a name as a transcript writes it. */
export const bindingKey = (header: string, surface: string): string =>
  `${foldText(header)}\n${foldText(surface)}`

/** A row to add: what the depositor knows; id and file follow from it. */
export interface Deposit {
  readonly project: string
  readonly label: string
  readonly fields: Readonly<Record<string, unknown>>
  readonly locator: SampleLocator
}

/** Rows that a file gains at its end. */
export interface SampleAppend {
  readonly path: RepoPath
  readonly text: string
}

/**
 * The proposed rows that deposits add to a class: one for each locator that has no row yet. A file of a class continues
 * in `<class>-02.jsonl` after 250 rows or 128 KiB.
 */
export const depositSamples = (
  samples: Samples,
  files: ReadonlyMap<RepoPath, Pick<SourceFile, 'text'>>,
  sampleClass: string,
  deposits: ReadonlyArray<Deposit>,
): ReadonlyArray<SampleAppend> => {
  const taken = new Set<string>()
  const appended = new Map<RepoPath, string>()
  for (const deposit of deposits) {
    const key = locatorKey(sampleClass, deposit.locator)
    if (samples.byLocator.has(key) || taken.has(key)) continue
    taken.add(key)
    const row = `${JSON.stringify(rowOf(sampleClass, deposit, key))}\n`
    appendRow(files, appended, { project: deposit.project, sampleClass }, row)
  }
  return [...appended].map(([path, text]) => ({ path, text }))
}

/** The file that takes one more row of a project and class, and what the file gains at its end. */
export const appendSample = (
  files: ReadonlyMap<RepoPath, Pick<SourceFile, 'text'>>,
  row: SampleRow,
): SampleAppend => {
  const appended = new Map<RepoPath, string>()
  const place = { project: row.provenance.project, sampleClass: row.class }
  const path = appendRow(files, appended, place, `${JSON.stringify(row)}\n`)
  return { path, text: appended.get(path) ?? '' }
}

/** The id of a row of a project and class whose key no other row has. */
export const sampleId = (project: string, sampleClass: string, key: string): string =>
  `${project}/${sampleClass}/${hash('sha256', key, 'hex').slice(0, slugChars)}`

/** The label of a row that is about no entity. */
export const noneLabel = 'none'

/** The referent that a person rules where no block is meant. */
export const undeclared = 'undeclared'

const builtIn = {
  classes: new Map<string, SampleClass>([
    [
      spanClass,
      {
        labels: ['NPC', 'Grupa', 'Lokacja', 'Mapa', 'Gracz', 'Postać', 'Przedmiot', 'Region', noneLabel],
        required: ['referent', 'scope'],
      },
    ],
    [
      speakerClass,
      { labels: ['character', 'narration', noneLabel], required: ['referent', 'scope', 'surface'] },
    ],
  ]),
  findings: [],
} satisfies Pick<Samples, 'classes' | 'findings'>

const samplePath = /^samples\/[^/]+\/[a-z0-9][a-z0-9-]*\.jsonl$/u

/** Project, class and number: the file without a number comes before those that continue it. */
const inFileOrder = (one: SourceFile, other: SourceFile): number => {
  const [left, right] = [fileOrderOf(one.path), fileOrderOf(other.path)]
  return left.stem === right.stem ? left.number - right.number : left.stem < right.stem ? -1 : 1
}

const fileOrderOf = (path: string): { readonly stem: string; readonly number: number } => {
  const stem = path.slice(0, -'.jsonl'.length)
  const number = /-(\d{2,9})$/u.exec(stem)?.[1]
  return number === undefined
    ? { stem, number: 1 }
    : { stem: stem.slice(0, -number.length - 1), number: Number(number) }
}

/** A text without regard to case and blanks. */
export const foldText = (text: string): string =>
  text.normalize('NFC').trim().replace(/\s+/gu, ' ').toLowerCase()

const RegisteredClasses = t.type({
  classes: t.record(
    t.string,
    t.type({ labels: t.readonlyArray(t.string), required: t.readonlyArray(t.string) }),
  ),
})

/** Classes that are built in keep their required fields; a file adds labels and fields to them. */
const readClasses = perValue((file: SourceFile): Pick<Samples, 'classes' | 'findings'> => {
  const read = RegisteredClasses.decode(parseJson(file.text))
  if (isLeft(read)) {
    const reason = `Rejestr klas próbek ma błąd (${pathOfErrors(read.left)}), więc liczą się tylko klasy wbudowane.`
    const suggestion = 'Popraw plik: {"classes": {"<klasa>": {"labels": [...], "required": [...]}}}.'
    const finding: Finding = {
      kind: 'SampleClassesInvalid',
      severity: 'error',
      file: classesPath,
      line: null,
      subject: null,
      reason,
      suggestion,
    }
    return { classes: builtIn.classes, findings: [finding] }
  }
  const classes = new Map<string, SampleClass>(builtIn.classes)
  for (const [name, { labels, required }] of Object.entries(read.right.classes)) {
    const known = classes.get(name)
    classes.set(name, {
      labels: [...new Set([...(known?.labels ?? []), ...labels])],
      required: [...new Set([...(known?.required ?? []), ...required])],
    })
  }
  return { classes, findings: [] }
})

interface FileRows {
  readonly rows: ReadonlyArray<Sample>
  readonly lines: number
  readonly findings: ReadonlyArray<Finding>
}

const rowsOf = perValue((file: SourceFile): FileRows => {
  let lines = 0
  const rows: Array<Sample> = []
  const bad: Array<{ readonly line: number; readonly field: string }> = []
  for (const [at, text] of rawLines(file.text).entries()) {
    if (text.trim() === '') continue
    lines += 1
    const read = SampleRow.decode(parseLine(text))
    if (isLeft(read)) bad.push({ line: at + 1, field: pathOfErrors(read.left) })
    else rows.push({ row: read.right, file: file.path, line: at + 1 })
  }
  return {
    rows,
    lines,
    findings: firstFindings(bad, ({ line, field }) => unreadable(file.path, line, field)),
  }
})

/** The value of a line; null where it is not JSON. What may hide a key, half a letter or nesting is read strictly. */
const parseLine = (text: string): unknown => {
  if (!/__proto__|\\u/u.test(text) && !hasManyValues(text)) return parseJson(text)
  const read = readJson(text)
  return isLeft(read) ? null : read.right
}

const hasManyValues = (text: string): boolean => {
  let count = 0
  for (let at = 0; at < text.length && count <= nestedMax; at += 1)
    if (text[at] === '{' || text[at] === '[') count += 1
  return count > nestedMax
}

/** Fewer lists and records than this are no deep nesting. */
const nestedMax = 60

const unreadable = (file: RepoPath, line: number, field: string): Finding => ({
  kind: 'SampleUnreadable',
  severity: 'error',
  file,
  line,
  subject: null,
  reason: `Wiersz nie jest próbką${field === '' ? '' : ` (pole ${field})`} i został pominięty; jego treść zostaje.`,
  suggestion: 'Popraw wiersz albo przywróć go z commita, który go zapisał.',
})

const repeatedId = ({ row, file, line }: Sample): Finding => ({
  kind: 'SampleIdRepeated',
  severity: 'error',
  file,
  line,
  subject: row.id,
  reason: `Identyfikator ${row.id} ma już wcześniejszy wiersz; liczy się tylko tamten.`,
  suggestion: 'Usuń powtórzony wiersz albo nadaj mu inny identyfikator.',
})

const findingsOfRow = (classes: SampleClasses, { row, file, line }: Sample): ReadonlyArray<Finding> => {
  const known = classes.get(row.class)
  const tell = (reason: string): ReadonlyArray<Finding> => [
    {
      kind: 'SampleNotOfClass',
      severity: 'warning',
      file,
      line,
      subject: row.id,
      reason,
      suggestion: `Popraw wiersz albo zarejestruj to w ${classesPath}.`,
    },
  ]
  if (known === undefined) return tell(`Klasa ${row.class} nie jest zarejestrowana.`)
  const missing = known.required.filter(field => row.fields[field] === undefined)
  if (missing.length > 0) return tell(`Próbce klasy ${row.class} brakuje pól: ${missing.join(', ')}.`)
  return known.labels.includes(row.label) ? [] : tell(`Klasa ${row.class} nie ma etykiety ${row.label}.`)
}

const rowsMax = 250
const fileBytesMax = 128 * 1024
const slugChars = 16

/** A deposited row. Its id is a function of what it quotes, so two hosts add equal rows. */
const rowOf = (
  sampleClass: string,
  { project, label, fields, locator }: Deposit,
  key: string,
): SampleRow => ({
  id: sampleId(project, sampleClass, key),
  class: sampleClass,
  grade: 'proposed',
  label,
  fields,
  locator,
  provenance: { project },
})

const endsInLine = (text: string): boolean => text === '' || text.endsWith('\n')

const appendRow = (
  files: ReadonlyMap<RepoPath, Pick<SourceFile, 'text'>>,
  appended: Map<RepoPath, string>,
  place: { readonly project: string; readonly sampleClass: string },
  row: string,
): RepoPath => {
  const path = fileWithRoom(files, appended, place, row)
  const before = appended.get(path) ?? (endsInLine(files.get(path)?.text ?? '') ? '' : '\n')
  appended.set(path, before + row)
  return path
}

const fileWithRoom = (
  files: ReadonlyMap<RepoPath, Pick<SourceFile, 'text'>>,
  appended: ReadonlyMap<RepoPath, string>,
  { project, sampleClass }: { readonly project: string; readonly sampleClass: string },
  row: string,
): RepoPath => {
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? '' : `-${String(number).padStart(2, '0')}`
    const path = requirePath(`samples/${pathSegment(project)}/${sampleClass}${suffix}.jsonl`)
    const text = (files.get(path)?.text ?? '') + (appended.get(path) ?? '')
    const rows = rawLines(text).filter(line => line.trim() !== '').length
    if (rows < rowsMax && Buffer.byteLength(text) + Buffer.byteLength(row) <= fileBytesMax) return path
  }
}
