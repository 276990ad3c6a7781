import { type Either, isLeft } from 'fp-ts/lib/Either.js'
import { type ExitCode, exitCodes } from '#protocol/exit-code.js'
import type { Adoption, AdoptionFinding } from '#protocol/host/admin.js'
import type { Refusal } from '#protocol/refusal.js'
import { escapeControlsByLine, printedJson } from '../escape-controls.js'
import type { AdoptOptions } from '../options.js'
import { formatColumns, type Output } from '../output.js'

/** An adoption that was made or planned, and the function that returns its diff. */
export interface Adopted {
  readonly adoption: Adoption
  readonly diff: () => string
}

/** Runs an adoption and prints the result; a refusal goes to stderr and exits with 65. */
export const runAdopt =
  (
    run: (directory: string, dryRun: boolean) => Promise<Either<Refusal, Adopted> | ExitCode>,
    output: Output,
  ) =>
  async (options: AdoptOptions): Promise<ExitCode> => {
    const outcome = await run(options.directory, options.dryRun)
    if (typeof outcome === 'number') return outcome
    if (isLeft(outcome)) {
      output.err(options.json ? printedJson(outcome.left, 0) : `${outcome.left._tag}: ${outcome.left.detail}`)
      if (!options.json && 'files' in outcome.left)
        for (const file of outcome.left.files) output.err(`    ${file}`)
      return exitCodes.findings
    }
    const { adoption, diff } = outcome.right
    if (options.json) {
      output.out(printedJson(adoption))
      return exitCodes.ok
    }
    const texts = [
      ...textsOfFindings(adoption),
      ...(options.dryRun ? [parity(adoption)] : []),
      summary(adoption, options.dryRun),
      ...fileTexts(adoption, options.dryRun),
      ...(options.diff ? [diff()] : []),
      ...dirtyTexts(adoption),
    ]
    for (const text of texts) output.out(escapeControlsByLine(text))
    return exitCodes.ok
  }

const many = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

const figure = (value: number | null): string => (value === null ? '–' : String(value))

const parityRows = (adoption: Adoption): ReadonlyArray<ReadonlyArray<string>> =>
  (adoption.Parity ?? []).map(row => [
    row.equal ? '=' : '!',
    row.character,
    row.player ?? '–',
    `SUMA ${figure(row.legacy.suma)} → ${figure(row.adopted.suma)}`,
    `ZDOBYTE ${figure(row.legacy.zdobyte)} → ${figure(row.adopted.zdobyte)}`,
    `NADMIAR ${figure(row.legacy.nadmiar)} → ${figure(row.adopted.nadmiar)}`,
  ])

const parity = (adoption: Adoption): string => {
  const rows = parityRows(adoption)
  return rows.length === 0 ? 'parity: nothing to compare' : formatColumns(rows)
}

const isUnchanged = (adoption: Adoption): boolean => adoption.Files?.length === 0

const verdict = (adoption: Adoption, dryRun: boolean): string =>
  isUnchanged(adoption) ? 'nothing to change: already adopted' : dryRun ? 'would adopt' : 'adopted'

const summary = (adoption: Adoption, dryRun: boolean): string => {
  const { players, characters, npc, locations, maps, preserved } = adoption.Entities
  const { Roots, Files, Sessions } = adoption.SessionRegistry
  return formatColumns([
    [
      verdict(adoption, dryRun),
      [
        many(players, 'player'),
        many(characters, 'character'),
        many(npc, 'NPC'),
        many(locations, 'place'),
        many(maps, 'map'),
      ].join(', '),
    ],
    ['kept unchanged', many(preserved, 'block')],
    [
      'sessions',
      `${adoption.SessionsObserved} found, ${Sessions.Placed} of ${Sessions.Total} placed under ${many(Roots, 'root')}`,
    ],
    ...(isUnchanged(adoption)
      ? []
      : [['registry', `${many(Files.Written, 'file')} written, ${Files.Unchanged} unchanged`]]),
    ['findings', String(adoption.Findings.length)],
  ])
}

const isCredential = ({ kind }: AdoptionFinding): boolean => kind.endsWith('ToRevoke')

const textOfFinding = ({ file, line, severity, reason, kind, suggestion }: AdoptionFinding): string =>
  [
    `${file}${line === null ? '' : `:${line}`}: ${severity}: ${reason} [${kind}]`,
    ...(suggestion === null ? [] : [`    ${suggestion}`]),
  ].join('\n')

/** Credentials come first, under a heading, because every copy of a repository has its history. */
const textsOfFindings = (adoption: Adoption): ReadonlyArray<string> => {
  const credentials = adoption.Findings.filter(isCredential)
  const heading = `revoke first: ${many(credentials.length, 'credential')} in plain text, which adoption does not copy`
  return [
    ...(credentials.length === 0 ? [] : [heading, ...credentials.map(textOfFinding), '']),
    ...adoption.Findings.filter(one => !isCredential(one)).map(textOfFinding),
  ]
}

const listPaths = (title: string, paths: ReadonlyArray<string>): ReadonlyArray<string> =>
  paths.length === 0 ? [] : [title, ...paths.map(path => `    ${path}`)]

const fileTexts = (adoption: Adoption, dryRun: boolean): ReadonlyArray<string> => {
  const { Files = [], Sources = [] } = adoption
  const kept = Sources.filter(path => !Files.includes(path))
  return [
    ...listPaths(`files that the commit ${dryRun ? 'would change' : 'changes'}: ${Files.length}`, Files),
    ...listPaths(
      'legacy files that stay unchanged and that no host reads after adoption. Remove them with git rm when you have ' +
        'checked the result. Git history keeps them, so revoke their credentials in any case:',
      kept,
    ),
  ]
}

const dirtyTexts = ({ Dirty = [] }: Adoption): ReadonlyArray<string> =>
  listPaths(
    `adoption would be refused now (WorkTreeDirty). Commit or stash the changes in ${many(Dirty.length, 'file')}:`,
    Dirty,
  )
