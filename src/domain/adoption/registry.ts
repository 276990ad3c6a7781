import * as t from 'io-ts'
import { type Day, pathOf, RepoPath } from '#protocol/atoms.js'
import { perValue } from '#src/domain/caching/per-value.js'
import { canonicalPath } from '#src/domain/entities/canonical-path.js'
import { type Entities, type Entity, statusOn } from '#src/domain/entities/entity.js'
import type { FileChange } from '#src/domain/lore/changes.js'
import type { FileEdit } from '#src/domain/lore/file-edit.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { pathFits, pathSegment, type SourceFile } from '#src/domain/lore/layout.js'
import { rawLines } from '#src/domain/lore/lines.js'
import { readHeader, sessionKey } from '#src/domain/lore/session-header.js'
import { inTime } from '#src/domain/sessions/merge.js'
import { placesIn } from '#src/domain/sessions/reading/mentions.js'
import type { Session, Sessions } from '#src/domain/sessions/session.js'
import { atOnce, forEachInSlices, mapInSlices, type Sliced } from '#src/domain/slicing/sliced.js'
import { findingOfNotice } from './legacy/outline.js'

/**
 * The difference between the generated tree `Lokacje/<root>/…/<place>/Sesje.md` and the existing files (D37).
 */
export interface RegistryPlan {
  readonly changes: ReadonlyArray<FileChange>
  /** Number of top directories. */
  readonly roots: number
  readonly written: number
  readonly unchanged: number
  readonly total: number
  /** Sessions that are in at least one file. */
  readonly placed: number
  /** Sessions that state no place at all; other sessions without a file name only unknown places. */
  readonly placeless: number
  /** How many of the written files belong to places without a session. */
  readonly empty: number
  /** Generated files to remove, because no place has that path any more. */
  readonly gone: ReadonlyArray<RepoPath>
  /** Existing files at wanted paths that were not generated. */
  readonly foreign: ReadonlyArray<RepoPath>
  readonly findings: ReadonlyArray<Finding>
}

export const registryMark = '<!-- generated from sessions; do not edit -->'

/** Whether places without a session get a file of their own (docs/spec/sessions.md#registry). */
export type Emptied = 'WithEmpty' | 'AsTheyStand'

/**
 * Plans the session registry of the places that session locations name: a file per place, newest session
 * first. An existing place keeps its generated file when no session is left for it, and gets an empty one
 * when `emptied` says so; other generated files are removed. A file without the mark is never changed. Yields
 * after every few sessions.
 */
export const planRegistryInSlices = function* (
  entities: Entities,
  sessions: Sessions,
  day: Day,
  files: ReadonlyMap<string, SourceFile>,
  emptied: Emptied = 'AsTheyStand',
): Sliced<RegistryPlan> {
  const { files: wanted, placed, placeless, unsafe } = yield* placeSessions(entities, sessions, day)
  yield
  const standing = [...files.values()].filter(file => isRegistryPath(file.path.normalize('NFC')))
  const isOurs = (file: SourceFile): boolean => file.text.startsWith(registryMark)
  const byPath = new Map(standing.map(file => [file.path.normalize('NFC'), file]))
  for (const path of yield* placePaths(entities, day))
    if (!wanted.has(path) && (emptied === 'WithEmpty' || byPath.has(path))) wanted.set(path, [])
  const wantedPaths = new Set<string>(wanted.keys())
  const texts = yield* mapInSlices(wanted, ([path, listed]) => ({
    path,
    text: textOf(listed),
    file: byPath.get(path),
    filled: listed.length > 0,
  }))
  const own = texts.filter(({ file }) => file === undefined || isOurs(file))
  const written = own.filter(({ file, text }) => file?.text !== text)
  const gone = standing.filter(file => isOurs(file) && !wantedPaths.has(file.path.normalize('NFC')))
  return {
    changes: [
      ...written.map(({ path, text, file }) => ({
        path: file?.path ?? path,
        before: file?.blob ?? null,
        after: text,
      })),
      ...gone.map(file => ({ path: file.path, before: file.blob, after: null })),
    ],
    roots: new Set(own.map(({ path }) => path.split('/')[1])).size,
    written: written.length,
    unchanged: own.length - written.length,
    total: sessions.all.length,
    placed,
    placeless,
    empty: written.filter(({ filled }) => !filled).length,
    gone: gone.map(file => file.path),
    foreign: standing.filter(file => !isOurs(file)).map(file => file.path),
    findings: [...standing.filter(file => !isOurs(file)).map(foreign), ...unsafe.map(unsafePlace)],
  }
}

/** Runs `planRegistryInSlices` to its end without yielding. */
export const planRegistry = (...args: Parameters<typeof planRegistryInSlices>): RegistryPlan =>
  atOnce(planRegistryInSlices(...args))

/** A place of one session in the registry. */
export interface ListedPlace {
  readonly place: Entity
  /** Null where no checkout can hold the path. */
  readonly path: RepoPath | null
  /** False where a person wrote the file, which then stays as it is. */
  readonly listed: boolean
  /** The edit after which the file lists the session; null where it does already, or must stay as it is. */
  readonly edit: FileEdit | null
}

/**
 * Lists one session in the files of its places and changes no other line of the registry. A file that is missing gets
 * every session of its place. `session` may be a draft that is about to stand at its `path`.
 */
export const listSession = (
  { entities, sessions, day, files }: RegistryLore,
  session: Session,
): ReadonlyArray<ListedPlace> => {
  const places = new Set(placesOfSession(entities, session, day))
  return [...places].map(place => {
    const path = registryPath(entities, place, day)
    if (path === null) return { place, path, listed: false, edit: null }
    const file = files.get(path) ?? fileAt(files, path)
    if (file !== undefined) {
      const isOurs = file.text.startsWith(registryMark)
      return { place, path: file.path, listed: isOurs, edit: isOurs ? lineEdit(file, session) : null }
    }
    const there = sessionsAt(entities, sessions, place, day).filter(one => one.key !== session.key)
    const after = textOf([...there, session].sort(inTime).reverse())
    return { place, path, listed: true, edit: { _tag: 'Whole', path, before: null, after } }
  })
}

/** Files of the registry that a distribution listed its session in, as its row in the close ledger names them. */
export const ListedFiles = t.readonlyArray(t.type({ file: RepoPath, isNew: t.boolean }), 'ListedFiles')
export type ListedFiles = t.TypeOf<typeof ListedFiles>

/** The files that get a line of the session; none that had one, so that the reverse takes out what was put in. */
export const listedFilesOf = (places: ReadonlyArray<ListedPlace>): ListedFiles =>
  places.flatMap(({ edit }) => {
    if (edit === null) return []
    const isLine = edit._tag === 'Lines'
    const isMore = !isLine || edit.splices.every(({ from, to }) => to < from)
    return isMore ? [{ file: edit.path, isNew: !isLine }] : []
  })

/**
 * Takes the lines of sessions out of files of the registry. A file that was made for one of them goes where no line is
 * left; a file that a person wrote stays as it is.
 */
export const unlistSessions = (
  files: RegistryLore['files'],
  sessions: ReadonlyArray<{ readonly header: string; readonly listed: ListedFiles }>,
): ReadonlyArray<FileEdit> => {
  const paths = new Set(sessions.flatMap(({ listed }) => listed.map(one => one.file)))
  return [...paths].flatMap((path): ReadonlyArray<FileEdit> => {
    const file = isRegistryPath(path.normalize('NFC')) ? files.get(path) : undefined
    if (file?.text.startsWith(registryMark) !== true) return []
    const there = sessions.flatMap(({ header, listed }) =>
      listed.filter(one => one.file === path).map(one => ({ key: sessionKey(header), isNew: one.isNew })),
    )
    const keys = new Set(there.map(({ key }) => key))
    const lines = rawLines(file.text)
    const splices = lines.flatMap((line, at) => {
      const header = headerIn(line)
      return header !== null && keys.has(sessionKey(header)) ? [{ from: at + 1, to: at + 1, lines: [] }] : []
    })
    if (splices.length === 0) return []
    const isEmpty = lines.filter(line => line.trim() !== '').length === splices.length + 1
    const { blob: before } = file
    return isEmpty && there.some(({ isNew }) => isNew)
      ? [{ _tag: 'Whole', path: file.path, before, after: null }]
      : [{ _tag: 'Lines', path: file.path, before, splices }]
  })
}

interface RegistryLore {
  readonly entities: Entities
  readonly sessions: Sessions
  readonly day: Day
  readonly files: ReadonlyMap<string, SourceFile>
}

/** The registry file whose path is the given one once it is composed (NFC). */
const fileAt = (files: RegistryLore['files'], path: RepoPath): SourceFile | undefined => {
  for (const file of files.values())
    if (isRegistryPath(file.path) && file.path.normalize('NFC') === path) return file
  return undefined
}

/** Sessions by each of their location lines. Thousands of sessions share few lines, so each line is read once. */
const sessionsByLine = perValue(({ all }: Sessions): ReadonlyMap<string, ReadonlyArray<Session>> => {
  const byLine = new Map<string, Array<Session>>()
  for (const session of all)
    for (const line of session.locations) {
      const known = byLine.get(line)
      if (known === undefined) byLine.set(line, [session])
      else known.push(session)
    }
  return byLine
})

/** The sessions of a place, each once, in no order. */
const sessionsAt = (
  entities: Entities,
  sessions: Sessions,
  place: Entity,
  day: Day,
): ReadonlyArray<Session> => {
  const found = new Set<Session>()
  for (const [line, those] of sessionsByLine(sessions))
    if (placesIn(entities, line, day).some(one => one.place === place))
      for (const session of those) found.add(session)
  return [...found]
}

const placesOfSession = (entities: Entities, { locations }: Session, day: Day): ReadonlyArray<Entity> =>
  locations.flatMap(text => placesIn(entities, text, day)).flatMap(({ place }) => place ?? [])

const lineOf = ({ header, path }: Session): string => `- ${header} (${path})`

/** The header in a line of the registry; null for any other line. */
const headerIn = (line: string): string | null => {
  const end = line.lastIndexOf(' (')
  return line.startsWith('- ') && line.endsWith(')') && end >= 2 ? line.slice(2, end) : null
}

/** The edit that lists a session, the newest first; null where its line is there. */
const lineEdit = (file: SourceFile, session: Session): FileEdit | null => {
  const lines = rawLines(file.text)
  const wanted = lineOf(session)
  if (lines.includes(wanted)) return null
  const headers = lines.map(headerIn)
  const own = headers.findIndex(header => header !== null && sessionKey(header) === session.key)
  const older = headers.findIndex(header => header !== null && isOlder(header, session))
  const last = lines.findLastIndex(line => line.trim() !== '') + 1
  const from = own >= 0 ? own + 1 : older >= 0 ? older + 1 : last + 1
  const splice = { from, to: own >= 0 ? from : from - 1, lines: [wanted] }
  return { _tag: 'Lines', path: file.path, before: file.blob, splices: [splice] }
}

const isOlder = (header: string, { date, key }: Session): boolean => {
  const read = readHeader(header)
  if (read._tag !== 'Session') return false
  return inTime({ date: read.header.date, key: sessionKey(header) }, { date, key }) < 0
}

const registryPath = (entities: Entities, place: Entity, day: Day): RepoPath | null => {
  const above = canonicalPath(entities, place, day).ancestors.flatMap(one =>
    one.entity === null ? one.name.split('/').filter(part => part.trim() !== '') : [one.name],
  )
  const path = pathOf(['Lokacje', ...[...above, place.name].map(pathSegment), 'Sesje.md'].join('/'))
  return path !== null && pathFits(path) ? path : null
}

interface Placed {
  readonly files: Map<RepoPath, ReadonlyArray<Session>>
  readonly placed: number
  readonly placeless: number
  readonly unsafe: ReadonlyArray<Entity>
}

const placeSessions = function* (entities: Entities, sessions: Sessions, day: Day): Sliced<Placed> {
  const paths = new Map<Entity, RepoPath | null>()
  const files = new Map<RepoPath, Array<Session>>()
  let [placed, placeless] = [0, 0]
  yield* forEachInSlices([...sessions.all].reverse(), session => {
    const stated = session.locations.flatMap(text => placesIn(entities, text, day))
    const places = stated.flatMap(({ place }) => place ?? [])
    if (stated.length === 0) placeless += 1
    const own = new Set<RepoPath>()
    for (const place of places) {
      if (!paths.has(place)) paths.set(place, registryPath(entities, place, day))
      const path = paths.get(place) ?? null
      if (path !== null) own.add(path)
    }
    if (own.size > 0) placed += 1
    for (const path of own) {
      const listed = files.get(path) ?? []
      listed.push(session)
      files.set(path, listed)
    }
  })
  const unsafe = [...paths].flatMap(([place, path]) => (path === null ? [place] : []))
  return { files, placed, placeless, unsafe }
}

/** The file paths of the places in the index, without deleted ones. */
const placePaths = function* (entities: Entities, day: Day): Sliced<ReadonlyArray<RepoPath>> {
  const paths = yield* mapInSlices(entities.byType.get('Lokacja') ?? [], place =>
    statusOn(place, day) === 'Usunięty' ? null : registryPath(entities, place, day),
  )
  return paths.filter(path => path !== null)
}

const textOf = (sessions: ReadonlyArray<Session>): string =>
  [registryMark, ...sessions.map(lineOf), ''].join('\n')

const isRegistryPath = (path: string): boolean => path.startsWith('Lokacje/') && path.endsWith('/Sesje.md')

const foreign = (file: SourceFile): Finding =>
  findingOfNotice({
    kind: 'RegistryFileForeign',
    severity: 'warning',
    file: file.path,
    line: 1,
    reason:
      'The file is in the folder of the generated session registry but was not generated; it was not changed.',
    suggestion: 'Move it elsewhere and adopt again.',
  })

/** The finding for a place whose path no checkout can hold; its sessions are found by search only. */
const unsafePlace = (place: Entity): Finding =>
  findingOfNotice({
    kind: 'PlaceNameUnsafe',
    severity: 'warning',
    file: place.file,
    line: place.line,
    subject: place.name,
    reason: `"${place.name}" cannot be a path, so its sessions have no registry file.`,
  })
