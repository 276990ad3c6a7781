import { createHash } from 'node:crypto'
import { isLeft, tryCatch } from 'fp-ts/lib/Either.js'
import { type BlobId, nfc } from '#protocol/atoms.js'
import type { LogState } from '#protocol/lore/sessions.js'
import { perValue } from '#src/domain/caching/per-value.js'
import { namesTopics } from '#src/domain/lore/topic-text.js'
import type { Session, Sessions } from '#src/domain/sessions/session.js'
import type { LogDate } from './questions.js'

/** A committed file of the archive, as the listing of its tree has it. */
export interface ArchiveFile {
  readonly path: string
  readonly blob: BlobId
  readonly bytes: number
}

/** A transcript of the archive: its text as taken, and its sidecar, which may be missing. */
export interface ArchivedLog {
  readonly name: string
  readonly text: ArchiveFile
  readonly sidecar: ArchiveFile | null
}

/** The committed archive of transcripts: names and blobs alone, by name in the order of their paths. */
export type LogArchive = ReadonlyMap<string, ArchivedLog>

export const noArchive: LogArchive = new Map()

/** The folder of the archive in its tree; empty where the archive is a tree of its own. */
export type ArchiveFolder = 'logi/' | ''

/** The folder of the archive in the lore, where `corpora.logi` is empty. */
export const loreArchiveFolder: ArchiveFolder = 'logi/'

/** The files of a transcript in a folder. */
export const archivePaths = (name: string, folder: ArchiveFolder = loreArchiveFolder) => ({
  text: `${folder}${name}.txt`,
  sidecar: `${folder}${name}.json`,
})

/**
 * The archive in the listing of a tree. A sidecar without a text is none of it. Returns `before` where nothing of the
 * archive changed, and else keeps the objects of unchanged transcripts.
 */
export const archiveOf = (
  entries: Iterable<ArchiveFile>,
  folder: ArchiveFolder = loreArchiveFolder,
  before: LogArchive = noArchive,
): LogArchive => {
  const [texts, sidecars] = [new Map<string, ArchiveFile>(), new Map<string, ArchiveFile>()]
  for (const entry of entries) {
    const found = entry.path.startsWith(folder) ? fileOfArchive.exec(entry.path.slice(folder.length)) : null
    const [, name = '', kind] = found ?? []
    if (found !== null) (kind === 'txt' ? texts : sidecars).set(name, entry)
  }
  let isSame = texts.size === before.size
  const logs = new Map<string, ArchivedLog>()
  for (const [name, text] of texts) {
    const sidecar = sidecars.get(name) ?? null
    const known = before.get(name)
    const isKnown = known?.text.blob === text.blob && known.sidecar?.blob === sidecar?.blob
    isSame &&= isKnown
    logs.set(name, isKnown ? known : { name, text, sidecar })
  }
  return isSame ? before : logs
}

/**
 * The name of the transcript at an address: the last segment of its path, safe as a name of a file. Addresses that
 * share it are told apart by `transcriptNames`.
 */
export const transcriptName = (address: string): string => {
  const [path = ''] = address.trim().split(/[?#]/u)
  const segment = path.split('/').findLast(part => part !== '') ?? ''
  const decoded = tryCatch(
    () => decodeURIComponent(segment),
    () => segment,
  )
  const safe = nfc(isLeft(decoded) ? decoded.left : decoded.right)
    .replace(/\.(?:txt|json|log|html?|md)$/iu, '')
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
  const name = trimSigns(Array.from(safe).slice(0, nameCharsMax))
  return name === '' ? 'log' : name
}

/** The name of a transcript whose plain name another address has. */
export const hashedTranscriptName = (address: string): string =>
  `${transcriptName(address)}-${createHash('sha256').update(address.trim()).digest('hex').slice(0, 8)}`

/**
 * The names of the transcripts that sessions cite, by their addresses. Of several addresses with one plain name the
 * one of the earliest session has it, and the others get a hash; case does not tell names apart.
 */
export const transcriptNames = perValue((sessions: Sessions): ReadonlyMap<string, string> => {
  const [names, taken] = [new Map<string, string>(), new Set<string>()]
  for (const { logs } of sessions.all)
    for (const log of logs) {
      const address = log.trim()
      if (names.has(address)) continue
      const plain = transcriptName(address)
      const name = taken.has(plain.toLowerCase()) ? hashedTranscriptName(address) : plain
      taken.add(plain.toLowerCase())
      names.set(address, name)
    }
  return names
})

/** The name of the transcript at an address, which need not be cited. */
export const nameOfAddress = (sessions: Sessions, address: string): string => {
  const names = transcriptNames(sessions)
  const known = names.get(address.trim())
  if (known !== undefined) return known
  const plain = transcriptName(address)
  return citedNames(sessions).has(plain.toLowerCase()) ? hashedTranscriptName(address) : plain
}

/** What the snapshot knows of the archive. */
export interface ArchiveLore {
  readonly archive: LogArchive
  readonly sessions: Sessions
}

/** The archived transcript of an address; null where the archive has none. */
export const findLog = ({ archive, sessions }: ArchiveLore, address: string): ArchivedLog | null =>
  archive.get(nameOfAddress(sessions, address)) ?? null

/** The states of transcripts in the committed archive, the same on every host (docs/spec/transcripts.md#states). */
export const committedStatesOf =
  (lore: ArchiveLore) =>
  (addresses: ReadonlyArray<string>): ReadonlyArray<LogState> =>
    addresses.map(Url => ({ Url, State: findLog(lore, Url) === null ? 'Missing' : 'Archived' }))

/** The sessions that cite a transcript, the earliest first, and the address that has its name. */
export interface Citations {
  readonly address: string
  readonly sessions: ReadonlyArray<Session>
}

/** The citations of each transcript by its name, archived or not. */
export const citationsOf = perValue((sessions: Sessions): ReadonlyMap<string, Citations> => {
  const names = transcriptNames(sessions)
  const cited = new Map<string, { readonly address: string; readonly sessions: Array<Session> }>()
  for (const session of sessions.all)
    for (const address of new Set(session.logs.map(log => log.trim()))) {
      const name = names.get(address) ?? transcriptName(address)
      const known = cited.get(name)
      if (known === undefined) cited.set(name, { address, sessions: [session] })
      else known.sessions.push(session)
    }
  return cited
})

/** The session that dates a transcript: the earliest that cites it, without what names restricted topics. */
export const dateOfLog = (cited: ReadonlyMap<string, Citations>, name: string): LogDate => {
  const first = cited.get(name)?.sessions[0]
  if (first === undefined) return { header: null, title: null, day: null, dayEnd: null }
  const { header, title, date, dateEnd } = first
  const isOpen = !namesTopics(header)
  return {
    header: isOpen ? header : null,
    title: isOpen && title !== '' ? title : null,
    day: date,
    dayEnd: dateEnd,
  }
}

const fileOfArchive = /^([^/]+)\.(txt|json)$/u

const nameCharsMax = 80

const isSign = (letter: string): boolean => letter === '.' || letter === '-' || letter === '_'

/** The letters without signs at both ends: no name begins with a dot. */
const trimSigns = (letters: ReadonlyArray<string>): string =>
  letters
    .slice(
      letters.findIndex(letter => !isSign(letter)),
      letters.findLastIndex(letter => !isSign(letter)) + 1,
    )
    .join('')

const citedNames = perValue(
  (sessions: Sessions): ReadonlySet<string> =>
    new Set([...transcriptNames(sessions).keys()].map(address => transcriptName(address).toLowerCase())),
)
