import { type ExitCode, exitCodes } from '#protocol/exit-code.js'
import type { IntegrityFinding } from '#protocol/finding.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { integrityOf } from '#src/domain/lore/integrity.js'
import type { DoctorOptions } from './options.js'
import type { Output } from './output.js'
import { plain } from './plain.js'

const rank = { error: 0, warning: 1, info: 2 } as const

const byWeight = (left: Finding, right: Finding): number =>
  rank[left.severity] - rank[right.severity] ||
  (left.file < right.file ? -1 : left.file > right.file ? 1 : (left.line ?? 0) - (right.line ?? 0))

const lines = ({ Kind, Severity, File, Line, Detail, Suggestion }: IntegrityFinding): string =>
  [
    `${File}${Line === null ? '' : `:${Line}`}: ${Severity.toLowerCase()}: ${Detail} [${Kind}]`,
    ...(Suggestion === null ? [] : [`    ${Suggestion}`]),
  ].join('\n')

const noteLines = ({ Kind, Severity, Subject, Detail, Suggestion }: IntegrityFinding): string =>
  [
    `checkout${Subject === null ? '' : ` ${Subject}`}: ${Severity.toLowerCase()}: ${Detail} [${Kind}]`,
    ...(Suggestion === null ? [] : [`    ${Suggestion}`]),
  ].join('\n')

const many = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** Before adoption nearly every finding is about the old format, which adoption reads by its own rules. */
const adoptFirst = (repo: string, folded: number): string =>
  [
    `adopt first: kronika adopt ${repo} --dry-run shows what adoption would change, and lists what it finds.`,
    ...(folded === 0
      ? []
      : [`    ${many(folded, 'other finding')} before adoption; kronika doctor --json lists them all.`]),
  ].join('\n')

/**
 * Prints the notes on the checkout, then findings, most serious first, as they are served; everything but the
 * findings is English (ADR 1031). For a repository that is not adopted it prints only that. Findings of
 * severity information do not make it fail.
 */
export const doctor =
  (
    findingsOf: (repo: string) => Promise<ReadonlyArray<Finding>>,
    notesOf: (repo: string) => Promise<ReadonlyArray<IntegrityFinding>>,
    output: Output,
  ) =>
  async (options: DoctorOptions): Promise<ExitCode> => {
    const findings = [...(await findingsOf(options.repo))].sort(byWeight)
    const notes = await notesOf(options.repo)
    const items = findings.map(integrityOf)
    const count = (severity: IntegrityFinding['Severity']): number =>
      [...notes, ...items].filter(one => one.Severity === severity).length
    const [errors, warnings, infos] = [count('Error'), count('Warning'), count('Info')]
    if (options.json) output.out(JSON.stringify({ count: items.length, items, checkout: notes }, null, 2))
    else {
      for (const note of notes) output.out(plain(noteLines(note)))
      const legacy = items.filter(({ Kind }) => Kind === 'SchemaTooOld')
      for (const item of legacy.length > 0 ? legacy : items) output.out(plain(lines(item)))
      if (legacy.length > 0) output.out(adoptFirst(options.repo, items.length - legacy.length))
      output.out(`${many(errors, 'error')}, ${many(warnings, 'warning')}, ${infos} info`)
    }
    return errors + warnings > 0 ? exitCodes.findings : exitCodes.ok
  }
