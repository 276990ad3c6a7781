import type { RepoPath } from '#protocol/atoms.js'
import type { Finding } from '#src/domain/lore/finding.js'
import type { SourceFile } from '#src/domain/lore/source-file.js'
import { findingOfNotice } from './noticed.js'
import { descendantsOf, itemsAt, type OutlineItem, type OutlineSection, outlineOf } from './outline.js'
import { type RosterCharacter, readRosterCharacter, wholeText } from './roster-character.js'
import { holdsWebhook, isWebhook, redactWebhooks, revoke } from './secret.js'

/**
 * A player of `Gracze.md` (FORMATS 2.1). `webhook` is a credential: it is read, but never written anywhere.
 */
export interface RosterPlayer {
  readonly name: string
  readonly gameId: string | null
  readonly webhook: string | null
  readonly topics: ReadonlyArray<string>
  readonly characters: ReadonlyArray<RosterCharacter>
  readonly notes: ReadonlyArray<string>
  readonly file: RepoPath
  readonly line: number
}

export interface LegacyRoster {
  readonly players: ReadonlyArray<RosterPlayer>
  readonly findings: ReadonlyArray<Finding>
}

interface Read {
  readonly gameId?: string
  readonly webhook?: string
  readonly topics?: ReadonlyArray<string>
  readonly characters?: ReadonlyArray<RosterCharacter>
  readonly notes?: ReadonlyArray<string>
  readonly findings?: ReadonlyArray<Finding>
}

const isNone = (text: string): boolean => /^brak\.?$/iu.test(text.trim()) || text.trim() === ''

/** Topics of a comma list; none for `brak`. */
export const topicsOf = (text: string): ReadonlyArray<string> =>
  isNone(text)
    ? []
    : text
        .split(/[,\n]/u)
        .map(topic => topic.normalize('NFC').trim())
        .filter(topic => topic !== '')

const afterColon = (text: string): string => {
  const colon = text.indexOf(':')
  return colon < 0 ? '' : text.slice(colon + 1).trim()
}

interface Place {
  readonly file: RepoPath
  readonly line: number
  readonly subject: string
}

const readGameId = (text: string, at: Place): Read => {
  const value = afterColon(text)
  if (/^\d{1,30}$/u.test(value)) return { gameId: value }
  const reason = `"${text}" has no game id in digits; the player was adopted without one.`
  return { findings: [findingOfNotice({ ...at, kind: 'GameIdUnreadable', severity: 'warning', reason })] }
}

const readWebhook = (text: string, at: Place): Read => {
  const value = afterColon(text)
  if (isWebhook(value)) {
    const reason = `${at.subject} has a webhook in plain text; it was not copied.`
    return {
      webhook: value,
      findings: [
        findingOfNotice({ ...at, kind: 'WebhookToRevoke', severity: 'warning', reason, suggestion: revoke }),
      ],
    }
  }
  if (value === '') return {}
  const secret = value.includes('://') || holdsWebhook(value)
  const shown = secret
    ? 'an address that is not a webhook; revoke it too'
    : `"${value}", which is not an address`
  const reason = `The webhook of ${at.subject} is ${shown}. The player has no channel.`
  const severity = isNone(value) ? 'info' : 'warning'
  return { findings: [findingOfNotice({ ...at, kind: 'WebhookInvalid', severity, reason })] }
}

const readCharacters = (file: RepoPath, section: OutlineSection, item: OutlineItem): Read => {
  const read = itemsAt(section, item.children).map(child => readRosterCharacter(file, section, child))
  const inline = afterColon(item.text)
  return {
    characters: read.flatMap(({ character }) => (character === null ? [] : [character])),
    notes: isNone(inline) ? [] : [inline],
    findings: read.flatMap(({ findings }) => findings),
  }
}

const readRoot = (file: RepoPath, subject: string, section: OutlineSection, item: OutlineItem): Read => {
  const text = wholeText(section, item).normalize('NFC')
  const at = { file, line: item.line, subject }
  if (/^ID\s+[^\s:][^:\n]{0,59}:/iu.test(text)) return readGameId(text, at)
  if (/^PRFWebhook\b/iu.test(text)) return readWebhook(text, at)
  if (/^Tematy zastrzeżone/iu.test(text)) return { topics: topicsOf(afterColon(text)) }
  if (/^Postaci\s*:?/iu.test(text)) return readCharacters(file, section, item)
  return { notes: [text] }
}

/** Reads an item and removes webhook addresses from its notes, aliases or topics, each with a finding. */
const readSafely = (file: RepoPath, subject: string, section: OutlineSection, item: OutlineItem): Read => {
  const read = readRoot(file, subject, section, item)
  const stray = [item, ...descendantsOf(section, item)].filter(
    one => holdsWebhook(one.text) && !/^PRFWebhook\b/iu.test(one.text),
  )
  const told = stray.map(({ line }) => {
    const reason = `A line of ${subject} has a webhook in plain text; the address was not copied.`
    return findingOfNotice({
      kind: 'WebhookToRevoke',
      severity: 'warning',
      file,
      line,
      subject,
      reason,
      suggestion: revoke,
    })
  })
  return { ...read, findings: [...(read.findings ?? []), ...told] }
}

const playerOf = (
  file: RepoPath,
  section: OutlineSection,
): { readonly player: RosterPlayer; readonly findings: ReadonlyArray<Finding> } => {
  const name = redactWebhooks(section.title).normalize('NFC').replace(/\s+/gu, ' ').trim()
  const read = itemsAt(section, section.roots).map(item => readSafely(file, name, section, item))
  const plain = section.loose.map(({ text }) => text.trim()).filter(text => /[\p{L}\p{N}]/u.test(text))
  return {
    player: {
      name,
      gameId: read.reduce<string | null>((known, part) => part.gameId ?? known, null),
      webhook: read.reduce<string | null>((known, part) => part.webhook ?? known, null),
      topics: read.flatMap(part => part.topics ?? []),
      characters: read.flatMap(part => part.characters ?? []),
      notes: [...read.flatMap(part => part.notes ?? []), ...plain],
      file,
      line: section.line,
    },
    findings: read.flatMap(part => part.findings ?? []),
  }
}

const outside = (file: RepoPath, section: OutlineSection): ReadonlyArray<Finding> => {
  const texts = [
    ...(section.level > 1 && section.title !== 'Lista' ? [{ line: section.line, text: section.title }] : []),
    ...section.items.map(item => ({ line: item.line, text: item.text })),
    ...section.loose,
  ]
  return texts
    .filter(({ text }) => /[\p{L}\p{N}]/u.test(text))
    .map(({ line, text }) =>
      findingOfNotice({
        kind: 'UnplacedText',
        severity: 'info',
        file,
        line,
        reason: `Outside the list of players, not adopted: "${text.trim()}".`,
      }),
    )
}

/** Parses the player database. Adoption never changes the file (FORMATS 9, step 11). */
export const readRoster = (file: SourceFile | undefined): LegacyRoster => {
  if (file === undefined) return { players: [], findings: [] }
  const players: RosterPlayer[] = []
  const findings: Array<ReadonlyArray<Finding>> = []
  let listed = false
  const outline = outlineOf(file)
  for (const section of outline.sections) {
    if (section.level > 0 && section.level <= 2) listed = section.level === 2 && section.title === 'Lista'
    if (listed && section.level === 3 && section.title !== '') {
      const read = playerOf(file.path, section)
      players.push(read.player)
      findings.push(read.findings)
    } else findings.push(outside(file.path, section))
  }
  return { players, findings: [...findings.flat(), ...outline.findings] }
}
