import { type ExitCode, exitCodes } from '#protocol/exit-code.js'
import type { IntegrityFinding } from '#protocol/finding.js'
import { type Finding, integrityOf } from '#src/domain/lore/finding.js'
import { escapeControlsByLine, printedJson } from '../escape-controls.js'
import type { DoctorOptions } from '../options.js'
import type { Output } from '../output.js'

/**
 * Prints two lists, the most severe findings of each first: what concerns the host, in English, then the committed
 * lore, in Polish (ADR 1031). For a repository that is not adopted the second list has only the finding about its
 * format. Returns 65 when either list has an error or a warning, even one that is not printed.
 */
export const doctor =
  (
    findingsOf: (repo: string) => Promise<ReadonlyArray<Finding>>,
    notesOf: (repo: string) => Promise<ReadonlyArray<IntegrityFinding>>,
    output: Output,
  ) =>
  async (options: DoctorOptions): Promise<ExitCode> => {
    const items = [...(await findingsOf(options.repo))].sort(byWeight).map(integrityOf)
    const checkout = await notesOf(options.repo)
    const committed = items.filter(isAboutHost)
    const host = [...checkout, ...committed].sort(
      (left, right) => ranks[left.Severity] - ranks[right.Severity],
    )
    const lore = items.filter(item => !isAboutHost(item))
    const count = (severity: IntegrityFinding['Severity']): number =>
      [...host, ...lore].filter(one => one.Severity === severity).length
    const [errors, warnings, infos] = [count('Error'), count('Warning'), count('Info')]
    if (options.json) output.out(printedJson({ host, lore, count: items.length, items, checkout }))
    else {
      const isCommitted = new Set(committed)
      const format = lore.filter(isAboutFormat)
      const shown = format.length > 0 ? format : lore
      const hostLines = host.map(one => (isCommitted.has(one) ? lines(one) : noteLines(one)))
      output.out(`${section('Host', hostLines)}\n`)
      output.out(`${section('Lore', shown.map(lines))}\n`)
      if (format.length > 0) output.out(`${adoptFirst(options.repo, lore.length - format.length)}\n`)
      output.out(`${many(errors, 'error')}, ${many(warnings, 'warning')}, ${infos} info`)
    }
    return errors + warnings > 0 ? exitCodes.findings : exitCodes.ok
  }

const rank = { error: 0, warning: 1, info: 2 } as const

const ranks = { Error: 0, Warning: 1, Info: 2 } as const

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
      : [`    ${many(folded, 'other finding')} about the lore; kronika doctor --json lists them all.`]),
  ].join('\n')

/** Findings of the committed configuration are for the operator of the host, in English (ADR 1031). */
const isAboutHost = ({ Kind }: IntegrityFinding): boolean =>
  Kind === 'ConfigInvalid' || Kind === 'AddressChanged'

const isAboutFormat = ({ Kind }: IntegrityFinding): boolean => Kind === 'SchemaTooOld'

/** A heading and the findings below it, printed as one text. */
const section = (title: string, findings: ReadonlyArray<string>): string =>
  escapeControlsByLine(
    [`${title}:`, ...(findings.length === 0 ? ['nothing to report'] : findings)].join('\n'),
  )
