import { type EntityType, nameKey, type Status, statuses } from '#protocol/atoms.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { tagRule } from '#src/domain/lore/tag-schema.js'
import { isGameId, type LegacyLabels } from './legacy/game-id-tag.js'
import { findingOfNotice } from './legacy/noticed.js'
import { type LegacyRow, quoteRow } from './legacy/registry-row.js'
import { holdsWebhook, isHashedKey, redactWebhooks, revoke } from './legacy/secret.js'
import { indexTypeOf, typeOfWord } from './legacy/type-word.js'
import { type Settled, settleRows } from './settled-rows.js'

const place = (row: LegacyRow, subject: string) => ({ file: row.path, line: row.line, subject }) as const

const none: ReadonlyArray<LegacyRow> = []

interface Step {
  readonly rows: ReadonlyArray<LegacyRow>
  readonly findings: ReadonlyArray<Finding>
}

const keepRow = (row: LegacyRow): Step => ({ rows: [row], findings: [] })

const secretTags: ReadonlySet<string> = new Set(['prfwebhook', 'webhook'])

const dates = ({ from, to }: LegacyRow): string => (from === '' && to === '' ? '' : ` (${from}:${to})`)

/** The text of a credential row beside the credential. */
const beside = (row: LegacyRow): string => {
  const text = redactWebhooks(row.value).replaceAll('[webhook]', ' ').trim()
  return row.tag !== 'klucz_api' && !text.includes('://') && /[\p{L}\p{N}]/u.test(text) ? `: "${text}"` : ''
}

/**
 * Removes credentials: the row is dropped, or loses its URL, and a finding asks a person to revoke the
 * credential (D36).
 */
const withoutSecrets = (row: LegacyRow, subject: string): Step => {
  const raw = row.tag === 'klucz_api' && !isHashedKey(row.value)
  const whole = secretTags.has(row.tag)
  if (!raw && !whole && !holdsWebhook(row.value)) return keepRow(row)
  const plain = whole && !holdsWebhook(row.value) && !row.value.includes('://')
  const reason = plain
    ? `@${row.tag} ${quoteRow(row)} of ${subject} is not an address, so it was not adopted.`
    : `@${row.tag}${dates(row)} of ${subject} has a credential in plain text, which was not copied${beside(row)}.`
  const told = findingOfNotice({
    ...place(row, subject),
    kind: plain ? 'WebhookInvalid' : raw ? 'RawKeyToRevoke' : 'WebhookToRevoke',
    severity: 'warning',
    reason,
    ...(plain ? {} : { suggestion: revoke }),
  })
  return { rows: raw || whole ? none : [{ ...row, value: redactWebhooks(row.value) }], findings: [told] }
}

const statusOf = new Map<string, Status>(statuses.map(status => [nameKey(status), status]))

const withStatus = (row: LegacyRow, subject: string): Step => {
  const status = statusOf.get(nameKey(row.value))
  if (status !== undefined) return keepRow({ ...row, value: status })
  const known = statuses.join(', ')
  const reason = `@status ${quoteRow(row)} of ${subject} is not one of ${known}; it was adopted as Niepewny.`
  const told = findingOfNotice({ ...place(row, subject), kind: 'UnknownStatus', severity: 'warning', reason })
  return { rows: [{ ...row, value: 'Niepewny' }], findings: [told] }
}

const withType = (row: LegacyRow, of: EntityType, subject: string): Step => {
  const type = of === 'Gracz' ? (typeOfWord(row.value) === 'Gracz' ? of : null) : indexTypeOf(row.value)
  if (type !== null) return keepRow({ ...row, value: type })
  const reason = `@typ ${quoteRow(row)} of ${subject} is not a type; it was adopted as @info.`
  const told = findingOfNotice({ ...place(row, subject), kind: 'FreeTextType', severity: 'info', reason })
  return { rows: [{ ...row, tag: 'info' }], findings: [told] }
}

const renameTag = (row: LegacyRow, type: EntityType, labels: LegacyLabels): LegacyRow =>
  (type === 'Gracz' || type === 'Mapa') && isGameId(row, labels) ? { ...row, tag: 'gameid' } : row

const step = (row: LegacyRow, type: EntityType, subject: string): Step => {
  if (row.tag === 'status') return withStatus(row, subject)
  if (row.tag === 'typ') return withType(row, type, subject)
  if (tagRule(row.tag, type) !== null) return keepRow(row)
  const reason = `@${row.tag} is not a tag of type ${type}; the row was kept unchanged.`
  return {
    rows: [row],
    findings: [findingOfNotice({ ...place(row, subject), kind: 'UnknownTag', severity: 'info', reason })],
  }
}

const identity = (row: LegacyRow): string => `${row.tag}\n${row.from}:${row.to}\n${row.value}`

const distinct = (rows: ReadonlyArray<LegacyRow>): ReadonlyArray<LegacyRow> =>
  [...new Map([...rows].reverse().map(row => [identity(row), row])).values()].reverse()

/**
 * Whether a tag has one value at a time. A Gracz has one game id at a time, though it may have several closed
 * ones.
 */
const isScalar = (tag: string, type: EntityType): boolean =>
  tag === 'gameid' ? type === 'Gracz' || type === 'Mapa' : tagRule(tag, type)?.multi === false

const settleGroups = (rows: ReadonlyArray<LegacyRow>, type: EntityType, subject: string): Settled => {
  const groups = new Map<string, Array<LegacyRow>>()
  for (const row of rows) {
    const group = groups.get(row.tag) ?? []
    group.push(row)
    groups.set(row.tag, group)
  }
  const parts = [...groups].map(([tag, group]) =>
    isScalar(tag, type) ? settleRows(group, subject) : { rows: group, findings: [] },
  )
  return { rows: parts.flatMap(part => part.rows), findings: parts.flatMap(part => part.findings) }
}

/**
 * Legacy rows as rows of a format 2 block of `type` (FORMATS 10): without credentials, with statuses and
 * types of the closed lists, with the game id under its own tag, and with at most one active row per scalar.
 * Unknown tags are kept verbatim. Every change is a finding.
 */
export const adoptRows = (
  rows: ReadonlyArray<LegacyRow>,
  type: EntityType,
  subject: string,
  labels: LegacyLabels,
): Settled => {
  const clean = rows.map(row => withoutSecrets(row, subject))
  const steps = clean
    .flatMap(({ rows: left }) => left)
    .map(row => step(renameTag(row, type, labels), type, subject))
  const result = settleGroups(distinct(steps.flatMap(part => part.rows)), type, subject)
  return {
    rows: result.rows,
    findings: [
      ...clean.flatMap(part => part.findings),
      ...steps.flatMap(part => part.findings),
      ...result.findings,
    ],
  }
}
