import { type CapabilityId, nameKey } from '#protocol/atoms.js'
import type { AdoptionFinding } from '#protocol/host/admin.js'
import type { Route } from '#protocol/route.js'
import type { Caller, Reader, View } from '#src/domain/callers/caller.js'
import { type Entities, type Entity, findSessionLines, typeOf } from '#src/domain/entities/entity.js'
import { blocksOf } from '#src/domain/lore/blocks.js'
import { type FileRole, roleOf, type SourceFile } from '#src/domain/lore/layout.js'
import { linesOf } from '#src/domain/lore/lines.js'
import type { Block } from '#src/domain/lore/rows/row-change.js'
import { type Characters, characterNamed } from '#src/domain/people/characters.js'
import { type People, type Person, personNamed } from '#src/domain/people/roster.js'
import { restrictedLinesOf } from '#src/domain/people/visible-document.js'
import { gradeOf, viewOf } from './grade.js'

/** The capabilities of which any one, held in full, serves the lines of a file. */
export const readersOf = (path: string): Capabilities => readersByRole[roleOf(path)]

/** The rows that list findings, with their capabilities. */
export const findingsRows = {
  entities: 'entity.read',
  sessions: 'session.read',
  contributors: 'player.read',
} as const satisfies Readonly<Record<string, CapabilityId>>
export type FindingsRow = keyof typeof findingsRows

/** The one row that lists the findings of a file with this role. */
export const findingsRowOf = (role: FileRole): FindingsRow => {
  const [reader] = readersByRole[role]
  if (reader === findingsRows.sessions) return 'sessions'
  return rowsBySubject[role] ?? (reader === findingsRows.contributors ? 'contributors' : 'entities')
}

/** Whether a caller who may read `row` may see the findings of a file with this role there. */
export const seesFindingsOf = (row: FindingsRow, role: FileRole, { opens = [] }: View): boolean =>
  readersByRole[role].some(one => one === findingsRows[row] || opens.includes(one))

/**
 * The capabilities of which any one, held in full, serves all of the given lines of a file: a line of a block
 * that is only ever a Postać is served to readers of people too.
 */
export const readersOfLines = (file: Text, lines: ReadonlyArray<number>): Capabilities => {
  if (roleOf(file.path) !== 'index') return readersOf(file.path)
  const others = outsideCharacters(file)
  return lines.some(line => others.has(line)) ? readersOf(file.path) : people
}

/** The numbers of the lines of a file, counted from 1, that the caller may not read. */
export const unreadableLines = (caller: Holder, file: Text): ReadonlySet<number> => {
  const role = roleOf(file.path)
  if (holdsOne(caller, readersByRole[role]))
    return role !== 'character' || holdsOne(caller, sessions)
      ? none
      : findSessionLines(linesOf(file.text).lines)
  if (role === 'index' && holdsOne(caller, ['player.read'])) return outsideCharacters(file)
  return new Set(numbersOf(file.text))
}

/** Whether a set of lines is every line of a text that has lines. */
export const isEveryLine = (lines: ReadonlySet<number>, text: string): boolean =>
  lines.size > 0 && lines.size === linesOf(text).lines.length

/**
 * The findings about lines that the caller may read (docs/spec/security.md#findings-by-sight). A finding
 * without a line is about the whole file. Looks once at each file.
 */
export const readableFindings = (
  findings: ReadonlyArray<AdoptionFinding>,
  files: Files,
  caller: Pick<Caller, 'holds'>,
): ReadonlyArray<AdoptionFinding> => {
  const { mayReadRestricted } = viewOf(caller.holds)
  const unreadable = new Map<string, ReadonlySet<number>>()
  return findings.filter(({ file, line }) => {
    const source = files.get(file)
    if (source === undefined) return mayReadFile(caller, file)
    const lines = unreadable.get(file) ?? unreadableLines(caller, source)
    unreadable.set(file, lines)
    if (line === null) return lines.size === 0
    return !lines.has(line) && (mayReadRestricted || !restrictedLinesOf(source).has(line))
  })
}

/** The scope of a caller limited to their own (A 5.2): themselves and their Postacie. */
export interface OwnScope {
  /** The caller's block of the store; null when they have none, and then nothing is theirs. */
  readonly person: Person | null
  /** Headings of their Postacie, including deleted ones. */
  readonly characters: ReadonlySet<string>
  /** The blocks of their Postacie. */
  readonly blocks: ReadonlyArray<Entity>
  readonly isSelf: (name: string) => boolean
  readonly isOwnCharacter: (name: string) => boolean
}

/**
 * The scope of a caller's Gracz. A name is theirs only when it means them alone: by heading or an unshared
 * alias, in any case or normal form. A shared alias, an inflected form and an unknown name never match (D11).
 */
export const ownScope = (gracz: string | null, ground: OwnGround): OwnScope => {
  const person = gracz === null ? null : (ground.people.byName.get(nameKey(gracz)) ?? null)
  const named = person === null ? [] : (ground.characters.byOwner.get(person.key) ?? [])
  const owned = named.filter(({ unsure }) => unsure !== true)
  const characters = new Set(owned.map(character => character.entity))
  return {
    person,
    characters: new Set(owned.map(character => character.name)),
    blocks: [...characters],
    isSelf: name => person !== null && personNamed(ground.people, name) === person,
    isOwnCharacter: name => {
      const entity = characterNamed(ground.entities, name)
      return entity !== null && characters.has(entity)
    },
  }
}

/** The scope that limits a caller on a row; null when the caller holds the row's capability in full. */
export const scopeFor = (
  { grade, gracz }: Pick<Reader, 'grade' | 'gracz'>,
  ground: () => OwnGround,
): OwnScope | null => (grade === 'full' ? null : ownScope(gracz, ground()))

/**
 * Whether a write of this row is a player's own: the caller holds its capability as `.own`, or reports a session
 * and may not write sessions.
 */
export const isOwnWrite = (
  { capability }: Pick<Route, 'capability'>,
  { grade, holds }: Pick<Caller, 'grade' | 'holds'>,
): boolean =>
  grade === 'own' || (capability === 'session.report' && gradeOf(holds, 'session.write') !== 'full')

/** Whether a caller may act on what belongs to a game id: with an own-only grade only on their own id. */
export const reachesId = (caller: Pick<Caller, 'grade' | 'gameId'>, gameId: string): boolean =>
  caller.grade === 'full' || (caller.gameId !== null && caller.gameId === gameId)

/**
 * Which lines of a file a caller may read by `GET` (docs/spec/security.md#lines-by-sight). An answer to a
 * write asks here before it shows or names a line that the request did not send.
 */

type Capabilities = ReadonlyArray<CapabilityId>
type Holder = Pick<Caller, 'holds'>
type Text = Pick<SourceFile, 'path' | 'text'>

const people: Capabilities = ['entity.read', 'player.read']
const sessions: Capabilities = ['session.read']
/** No row serves the file by `GET`: an answer shows its lines only to holders of every capability. */
const allCapabilities: Capabilities = ['admin.all']

/**
 * The capabilities of which any one serves a file by `GET`. No row serves a file of rights or of bindings as a
 * whole; the capability to change every entry of it shows its lines.
 */
const readersByRole: Readonly<Record<FileRole, Capabilities>> = {
  index: ['entity.read'],
  contributors: people,
  character: people,
  sessions,
  registry: sessions,
  draft: sessions,
  staged: sessions,
  batches: ['pu.read'],
  'close-ledger': sessions,
  'close-reminders': sessions,
  moves: ['currency.read'],
  'players-ledger': ['player.read'],
  'session-hashes': sessions,
  'location-exclusions': allCapabilities,
  roles: ['capability.admin'],
  grants: ['capability.admin'],
  bindings: ['identity.link'],
  'fleet-keys': allCapabilities,
  fleet: allCapabilities,
  permissions: ['governance.read'],
  'language-forms': ['entity.read'],
  'language-titles': ['entity.read'],
  'language-lemmas': ['entity.read'],
  format: allCapabilities,
  config: allCapabilities,
  legacy: allCapabilities,
  transcript: ['log.read'],
  sample: [...allCapabilities, 'log.read'],
  other: allCapabilities,
}

/** The row that lists the findings of a file that none of the three capabilities serves; else that of its readers. */
const rowsBySubject: Readonly<Partial<Record<FileRole, FindingsRow>>> = {
  contributors: 'contributors',
  batches: 'sessions',
  roles: 'contributors',
  grants: 'contributors',
  bindings: 'contributors',
  'fleet-keys': 'contributors',
  permissions: 'contributors',
}

const holdsOne = ({ holds }: Holder, capabilities: Capabilities): boolean =>
  capabilities.some(capability => gradeOf(holds, capability) === 'full')

/** Whether the caller may read a file by its path alone. */
const mayReadFile = (caller: Holder, path: string): boolean => holdsOne(caller, readersOf(path))

const numbersOf = (text: string): ReadonlyArray<number> => linesOf(text).lines.map(({ number }) => number)

const none: ReadonlySet<number> = new Set()

/** Whether the block is a Postać on every day. Rows of people serve it then. */
const isCharacter = ({ rows }: Block): boolean => {
  const types = rows.filter(({ tag }) => tag === 'typ')
  return types.length > 0 && types.every(({ value }) => typeOf(value) === 'Postać')
}

const outsideCharacters = (file: Text): ReadonlySet<number> => {
  const { lines } = linesOf(file.text)
  const unreadable = new Set(lines.map(({ number }) => number))
  // What a comment hides may be of another block.
  const isShown = (at: number): boolean =>
    lines[at - 1]?._tag !== 'Hidden' && lines[at - 1]?.comments === undefined
  for (const block of blocksOf(file))
    if (isCharacter(block))
      for (let at = block.line; at <= block.endLine; at += 1) if (isShown(at)) unreadable.delete(at)
  return unreadable
}

type Files = ReadonlyMap<string, Pick<SourceFile, 'path' | 'text'>>

/** The inputs of a scope. */
interface OwnGround {
  readonly people: People
  readonly entities: Entities
  readonly characters: Characters
}
