import { type ExitCode, exitCodes } from '#protocol/exit-code.js'
import type { Finding } from '#src/lore/finding.js'
import { integrityOf } from '#src/lore/integrity.js'
import type { DoctorOptions } from './options.js'
import type { Output } from './output.js'

const rank = { error: 0, warning: 1, info: 2 } as const

const place = (finding: Finding): string =>
  finding.line === null ? finding.file : `${finding.file}:${finding.line}`

const byWeight = (left: Finding, right: Finding): number =>
  rank[left.severity] - rank[right.severity] ||
  (left.file < right.file ? -1 : left.file > right.file ? 1 : (left.line ?? 0) - (right.line ?? 0))

/** Lore may hold terminal escapes; they are shown, not obeyed. */
const control = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu

const plain = (text: string): string =>
  text.replace(control, found => `\\u${(found.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`)

const lines = (finding: Finding): string =>
  [
    `${place(finding)}: ${finding.severity}: ${finding.reason} [${finding.kind}]`,
    ...(finding.suggestion === null ? [] : [`    ${finding.suggestion}`]),
  ].join('\n')

const many = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/**
 * Prints findings, the gravest first, as they are served; the summary is English (ADR 0095). Information alone is
 * no reason to fail.
 */
export const doctor =
  (findingsOf: (repo: string) => Promise<ReadonlyArray<Finding>>, output: Output) =>
  async (options: DoctorOptions): Promise<ExitCode> => {
    const findings = [...(await findingsOf(options.repo))].sort(byWeight)
    const count = (severity: Finding['severity']): number =>
      findings.filter(one => one.severity === severity).length
    const [errors, warnings, notes] = [count('error'), count('warning'), count('info')]
    if (options.json)
      output.out(JSON.stringify({ count: findings.length, items: findings.map(integrityOf) }, null, 2))
    else {
      for (const finding of findings) output.out(lines(finding).split('\n').map(plain).join('\n'))
      output.out(`${many(errors, 'error')}, ${many(warnings, 'warning')}, ${many(notes, 'note')}`)
    }
    return errors + warnings > 0 ? exitCodes.findings : exitCodes.ok
  }
