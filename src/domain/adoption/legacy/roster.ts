import { isLeft, tryCatch } from 'fp-ts/lib/Either.js'
import { RepoPath } from '#protocol/atoms.js'
import { deriveFigures, type Figures } from '#src/domain/lore/figures.js'
import type { Finding } from '#src/domain/lore/finding.js'
import type { SourceFile } from '#src/domain/lore/layout.js'
import {
  descendantsOf,
  findingOfNotice,
  holdsWebhook,
  isWebhook,
  itemsAt,
  linkIn,
  noFigures,
  type OutlineItem,
  type OutlineSection,
  outlineOf,
  pointsText,
  readLegacyPointsLine,
  redactWebhooks,
  revoke,
} from './outline.js'
import type { LegacyRow } from './registry.js'

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

/** Topics of a comma list; none for `brak`. */
export const topicsOf = (text: string): ReadonlyArray<string> =>
  isNone(text)
    ? []
    : text
        .split(/[,\n]/u)
        .map(topic => topic.normalize('NFC').trim())
        .filter(topic => topic !== '')

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

/** A character line of `Gracze.md` with its children (FORMATS 2.1). */
export interface RosterCharacter {
  readonly name: string
  /** Decoded; null when the link has no valid path. */
  readonly path: RepoPath | null
  /** Bold in the roster. */
  readonly active: boolean
  readonly aliases: ReadonlyArray<string>
  readonly figures: Figures
  readonly notes: ReadonlyArray<string>
  readonly line: number
}

/** Words of the legacy layout: the brand word of the game in lower case, or null to match any word. */
export interface LegacyLabels {
  readonly game: string | null
}

/**
 * Whether a row is the game id under its legacy name `@<game>id`. Without a configured word any `@<word>id`
 * with a short number counts; account ids of chat platforms have seventeen digits and more.
 */
export const isGameId = (row: LegacyRow, labels: LegacyLabels): boolean => {
  if (row.tag === 'gameid') return true
  if (labels.game !== null) return row.tag === `${labels.game.toLowerCase()}id`
  return /^\p{L}{2,40}id$/u.test(row.tag) && /^\d{1,12}$/u.test(row.value)
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

const aliasPattern = /^alias\p{L}{0,2}\s{0,8}:/iu
const pointsPattern = /^PU\s{0,8}:/iu

const decodePath = (path: string): RepoPath | null => {
  const plain = tryCatch(
    () => decodeURIComponent(path.trim()),
    () => path,
  )
  const read = RepoPath.decode((isLeft(plain) ? path.trim() : plain.right).replace(/^(?:\.\/)+/u, ''))
  return isLeft(read) ? null : read.right
}

/** A note with everything below it, one line each. */
const wholeText = (section: OutlineSection, item: OutlineItem): string =>
  [item.text, ...descendantsOf(section, item).map(below => below.text)].join('\n')

const pointsFindings = (
  line: ReturnType<typeof readLegacyPointsLine>,
  text: string,
  at: { readonly file: RepoPath; readonly line: number; readonly subject: string },
): ReadonlyArray<Finding> => {
  const truncated = line.truncated.map(({ key, value, predecessor }) =>
    findingOfNotice({
      ...at,
      kind: 'PuTruncated',
      severity: 'warning',
      reason: `${key.toUpperCase()} is ${pointsText(value)}; the predecessor read ${pointsText(predecessor)}.`,
      suggestion: 'Check which of the two the later totals are based on.',
    }),
  )
  const rounded = line.rounded.map(({ key, written }) => {
    const reason = `${key.toUpperCase()} "${written}" of ${at.subject} has more than two decimals; it was rounded.`
    return findingOfNotice({ ...at, kind: 'PuRounded', severity: 'warning', reason })
  })
  const told = [...truncated, ...rounded]
  if (line.rest === '') return told
  const reason = `"${line.rest}" in "${text}" is not a PU value; it was not adopted.`
  return [...told, findingOfNotice({ ...at, kind: 'PuUnreadable', severity: 'warning', reason })]
}

interface ReadCharacter {
  readonly aliases: ReadonlyArray<string>
  readonly figures: Figures | null
  readonly notes: ReadonlyArray<string>
  readonly findings: ReadonlyArray<Finding>
}

const readChild = (
  file: RepoPath,
  subject: string,
  section: OutlineSection,
  item: OutlineItem,
): ReadCharacter => {
  const text = wholeText(section, item)
  if (aliasPattern.test(text)) {
    const aliases = text
      .slice(text.indexOf(':') + 1)
      .split(/[,;\n]/u)
      .map(alias => alias.normalize('NFC').trim())
      .filter(alias => alias !== '')
    return { aliases, figures: null, notes: [], findings: [] }
  }
  if (pointsPattern.test(text)) {
    const line = readLegacyPointsLine(text.slice(text.indexOf(':') + 1))
    const at = { file, line: item.line, subject }
    return { aliases: [], figures: line.figures, notes: [], findings: pointsFindings(line, text, at) }
  }
  return { aliases: [], figures: null, notes: [text], findings: [] }
}

/** Parses one bullet under `Postaci`; null with a finding when it contains no link. */
const readRosterCharacter = (
  file: RepoPath,
  section: OutlineSection,
  item: OutlineItem,
): { readonly character: RosterCharacter | null; readonly findings: ReadonlyArray<Finding> } => {
  const plain = item.text.replaceAll('**', '')
  const link = linkIn(plain)
  if (link === null) {
    const reason = `"${wholeText(section, item)}" has no [name](path); it was not adopted as a character.`
    return {
      character: null,
      findings: [
        findingOfNotice({
          kind: 'CharacterLineUnreadable',
          severity: 'warning',
          file,
          line: item.line,
          reason,
        }),
      ],
    }
  }
  const name = redactWebhooks(link.name).normalize('NFC').replace(/\s+/gu, ' ').trim()
  const { target } = link
  const path = decodePath(target)
  const read = itemsAt(section, item.children).map(child => readChild(file, name, section, child))
  const beside = `${plain.slice(0, link.from)} ${plain.slice(link.to)}`.trim()
  const lost =
    path === null && target.trim() !== ''
      ? [
          findingOfNotice({
            kind: 'CharacterPathUnreadable',
            severity: 'warning',
            file,
            line: item.line,
            subject: name,
            reason: `"${target}" is not a path inside the repository.`,
          }),
        ]
      : []
  return {
    character: {
      name,
      path,
      active: item.text.startsWith('**'),
      aliases: read.flatMap(child => child.aliases),
      figures: deriveFigures(read.reduce<Figures>((known, child) => child.figures ?? known, noFigures)),
      notes: [...(/[\p{L}\p{N}]/u.test(beside) ? [beside] : []), ...read.flatMap(child => child.notes)],
      line: item.line,
    },
    findings: [...lost, ...read.flatMap(child => child.findings)],
  }
}
