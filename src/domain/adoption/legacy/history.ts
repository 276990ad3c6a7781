import { type Instant, instantOf } from '#protocol/atoms.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { sessionKey } from '#src/domain/lore/session-header.js'
import type { SourceFile } from '#src/domain/lore/source-file.js'
import { findingOfNotice } from './noticed.js'
import { outlineOf } from './outline.js'

/** One run of the predecessor's PU batch (FORMATS 6.3). */
export interface HistoryRun {
  /** The stamp as written, `2025-01-15 14:30 (UTC+01:00)`; null for entries above the first stamp. */
  readonly stamp: string | null
  readonly at: Instant
  readonly line: number
  readonly sessions: ReadonlyArray<{ readonly header: string; readonly line: number }>
}

export interface History {
  readonly runs: ReadonlyArray<HistoryRun>
  readonly findings: ReadonlyArray<Finding>
}

const stampPattern = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}) \(UTC([+-]\d{2}:\d{2})\)\s{0,8}:?$/u

const instantAt = (stamp: string): Instant | null => {
  const found = stampPattern.exec(stamp)
  if (found === null) return null
  const epochMs = Date.parse(`${found[1] ?? ''}T${found[2] ?? ''}:00${found[3] ?? ''}`)
  return Number.isNaN(epochMs) ? null : instantOf(epochMs)
}

interface GrowingRun {
  readonly stamp: string | null
  readonly at: Instant
  readonly line: number
  readonly sessions: Array<{ readonly header: string; readonly line: number }>
}

const headerOf = (text: string): string | null => (/^#{3}(?!#)/u.test(text) ? sessionKey(text) : null)

/**
 * Parses the history of settled sessions. Text that is no entry is a finding; an entry without a stamp keeps
 * its session.
 */
export const readHistory = (file: SourceFile | undefined): History => {
  if (file === undefined) return { runs: [], findings: [] }
  const runs: Array<GrowingRun> = []
  const findings: Array<Finding> = []
  const stray = (line: number, text: string): void => {
    if (!/[\p{L}\p{N}]/u.test(text)) return
    const reason = `Not an entry of the PU history, not adopted: "${text.trim()}".`
    findings.push(findingOfNotice({ kind: 'UnplacedText', severity: 'info', file: file.path, line, reason }))
  }
  const runFor = (line: number): GrowingRun => {
    const last = runs.at(-1)
    if (last !== undefined) return last
    const reason = 'There are sessions before the first time stamp; they count as settled at an unknown time.'
    findings.push(
      findingOfNotice({ kind: 'HistoryUndated', severity: 'warning', file: file.path, line, reason }),
    )
    const run: GrowingRun = { stamp: null, at: instantOf(0), line, sessions: [] }
    runs.push(run)
    return run
  }
  const outline = outlineOf(file)
  for (const section of outline.sections) {
    if (section.level > 0 && section.title !== 'Historia') stray(section.line, section.title)
    for (const { line, text } of section.loose) stray(line, text)
    for (const item of section.items) {
      const header = headerOf(item.text)
      const at = instantAt(item.text)
      if (header !== null) runFor(item.line).sessions.push({ header, line: item.line })
      else if (at === null) stray(item.line, item.text)
      else runs.push({ stamp: item.text.replace(/(?<!\s)\s*:$/u, ''), at, line: item.line, sessions: [] })
    }
  }
  return { runs, findings: [...findings, ...outline.findings] }
}
