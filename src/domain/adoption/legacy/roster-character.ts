import { isLeft, tryCatch } from 'fp-ts/lib/Either.js'
import { RepoPath } from '#protocol/atoms.js'
import { deriveFigures, type Figures } from '#src/domain/lore/figures.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { linkIn } from './link.js'
import { findingOfNotice } from './noticed.js'
import { descendantsOf, itemsAt, type OutlineItem, type OutlineSection } from './outline.js'
import { noFigures, pointsText, readLegacyPointsLine } from './points-line.js'
import { redactWebhooks } from './secret.js'

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
export const wholeText = (section: OutlineSection, item: OutlineItem): string =>
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
export const readRosterCharacter = (
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
