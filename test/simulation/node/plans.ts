import { isLeft, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { SourceFile } from '#src/domain/lore/layout.js'
import type { MergeCeiling } from '#src/domain/lore/merging/merge-file.js'
import type { PlanCommand } from '#src/writing/command.js'
import { awardFiles, awardRow, planSimulatedAward } from './awards.js'
import { closedSessionFiles, sharedAlias } from './check-effects.js'
import { closeRow, closingFiles, planSimulatedClose } from './closes.js'

/** The files of the simulated lore: so few that hosts and clients meet in them all the time. */
export const lorePaths = ['encje/indeks.md', 'encje/indeks-02.md'] as const
export type LorePath = (typeof lorePaths)[number]
export const blocks = ['Altar', 'Brama', 'Cytadela', 'Dwór', 'Elfy', 'Fosa'] as const
export type BlockName = (typeof blocks)[number]

const firstText = blocks.map(block => `### ${block}\n- @typ: NPC\n- @lokacja: nigdzie\n`).join('\n')

/** A file that persons write by hand, with more lines than the simulated merge takes on. */
export const notesPath = 'notatki.md'

export const simulatedCeiling: MergeCeiling = { linesMax: 400, charsMax: 1_000_000 }

/** A file of sessions, to which persons of several hosts add the same ones. */
export const sessionsPath = 'sesje/razem.md'

const sessionHeaders = ['### 2026-05-10, Most, N', '### 2026-05-11, Brama, N']
const sharedItems = ['- @Transfer: 5 koron, Skarbiec -> Wspólna', '    - Wspólna: 1']

/** The file after a person gave PU to a word: in one of the sessions, which they add where it is not there. */
export const textWithPoints = (text: string, word: string, which: number): string => {
  const header = sessionHeaders[which % sessionHeaders.length] ?? ''
  const item = `    - ${word}: 1`
  const [act, shared] = sharedItems
  if (!text.includes(header))
    return `${text}\n${[header, act, '- @PU:', shared, item, '', 'Opis.', ''].join('\n')}`
  const lists = text.indexOf('- @PU:\n', text.indexOf(header)) + '- @PU:\n'.length
  return `${text.slice(0, lists)}${item}\n${text.slice(lists)}`
}

/** Whether every session has one section, and in it what all hosts added once. */
export const countsOnce = (text: string): boolean =>
  sessionHeaders.every(header => text.split(header).length <= 2) &&
  text
    .split('### ')
    .slice(1)
    .every(section => [...sharedItems, '- @PU:'].every(line => section.split(`${line}\n`).length === 2))

const firstNotes = Array.from({ length: simulatedCeiling.linesMax }, (_, at) => `- ${at}\n`).join('')

export const firstFiles: ReadonlyMap<string, string> = new Map([
  [notesPath, firstNotes],
  [sessionsPath, '# Sesje\n'],
  ['.svc/format.json', '{"format": 2}\n'],
  ...lorePaths.map(path => [path, firstText] as const),
  ...Object.entries(closedSessionFiles),
  ...awardFiles,
  ...closingFiles,
])

const LorePath = t.keyof({ 'encje/indeks.md': null, 'encje/indeks-02.md': null })
const BlockName = t.keyof({ Altar: null, Brama: null, Cytadela: null, Dwór: null, Elfy: null, Fosa: null })

/**
 * What one client wants: a word of its own, which stands nowhere else in the world. `add`: a row more, which must stand
 * for ever. `set`: the one row of its tag, which others set too.
 */
const WriteWish = t.type({
  kind: t.keyof({ add: null, set: null }),
  word: t.string,
  path: LorePath,
  block: BlockName,
})
export type WriteWish = t.TypeOf<typeof WriteWish>

/** The words of clients in a text, in their order. */
export const wordsIn = (text: string): ReadonlyArray<string> => text.match(/\bw\d{4,}\b/gu) ?? []

/** Whether every block has one row of its place, as writes that are kept apart leave it. */
export const isWellFormed = (text: string): boolean =>
  text
    .split('### ')
    .slice(1)
    .every(block => block.split('\n- @lokacja: ').length === 2)

const fileAt = (files: ReadonlyMap<string, SourceFile>, path: LorePath): SourceFile => {
  const file = files.get(path)
  if (file === undefined) throw new Error(`a lore without ${path}`)
  return file
}

/** The lines of a block, 1-based: its row of the place, and its last row. */
const rowsOf = (text: string, block: BlockName): { readonly place: number; readonly last: number } => {
  const lines = text.split('\n')
  const head = lines.indexOf(`### ${block}`)
  const rows = lines.slice(head + 1)
  const count = rows.findIndex(line => !line.startsWith('- '))
  const place = rows.findIndex(line => line.startsWith('- @lokacja: '))
  return { place: head + 2 + place, last: head + 1 + (count < 0 ? rows.length : count) }
}

/** Some writes make their block a homonym of the group that the closed session names. */
const homonymRowsOf = (block: BlockName): ReadonlyArray<string> =>
  block === 'Fosa' ? [`- @alias: ${sharedAlias}`] : []

/** Rows that a wish adds beside its word. */
export const homonymRows = ({ kind, block }: WriteWish): ReadonlyArray<string> =>
  kind === 'add' ? homonymRowsOf(block) : []

/** The rows of the simulated table: the award of a month, the close of a session, and one whose body is a wish. */
export const planSimulated: PlanCommand = (command, snapshot, nowMs) => {
  if (command.row === awardRow) return planSimulatedAward(command, snapshot, nowMs)
  if (command.row === closeRow) return planSimulatedClose(command, snapshot, nowMs)
  return planWish(command, snapshot, nowMs)
}

const planWish: PlanCommand = ({ body }, snapshot) => {
  const wish = WriteWish.decode(body)
  if (isLeft(wish)) throw new Error('a command of the simulation has a wish for its body')
  const { kind, word, path, block } = wish.right
  const file = fileAt(snapshot.files, path)
  const { place, last } = rowsOf(file.text, block)
  const splice =
    kind === 'add'
      ? { from: last + 1, to: last, lines: [`- @info: ${word}`, ...homonymRows(wish.right)] }
      : { from: place, to: place, lines: [`- @lokacja: ${word}`] }
  return right({
    edits: [{ _tag: 'Lines', path: file.path, before: file.blob, splices: [splice] }],
    claims: kind === 'add' ? [] : [`lokacja:${path}:${block}`],
    touches: [{ kind: 'entity', name: block }],
    subject: `entities: ${word}`,
    answer: { word },
    preview: { word },
  })
}
