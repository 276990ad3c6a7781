import { type Either, isLeft } from 'fp-ts/lib/Either.js'
import type { Adoption } from '#protocol/admin/adoption.js'
import { type ExitCode, exitCodes } from '#protocol/exit-code.js'
import type { Refusal } from '#protocol/refusal.js'
import type { AdoptOptions } from './options.js'
import { columns, type Output } from './output.js'

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
  return rows.length === 0 ? 'parity: nothing to compare' : columns(rows)
}

const isUnchanged = (adoption: Adoption): boolean => adoption.Files?.length === 0

const verdict = (adoption: Adoption, dryRun: boolean): string =>
  isUnchanged(adoption) ? 'nothing to change: already adopted' : dryRun ? 'would adopt' : 'adopted'

const summary = (adoption: Adoption, dryRun: boolean): string => {
  const { players, characters, npc, locations, maps, preserved } = adoption.Entities
  const { Roots, Files, Sessions } = adoption.SessionRegistry
  return columns([
    [
      verdict(adoption, dryRun),
      `${players} players, ${characters} characters, ${npc} NPC, ${locations} places, ${maps} maps`,
    ],
    ['kept as they were', `${preserved} blocks`],
    [
      'sessions',
      `${adoption.SessionsObserved} seen, ${Sessions.Placed} of ${Sessions.Total} placed under ${Roots} roots`,
    ],
    ...(isUnchanged(adoption)
      ? []
      : [['registry', `${Files.Written} files written, ${Files.Unchanged} unchanged`]]),
    ['findings', String(adoption.Findings.length)],
  ])
}

/** Adopts and tells a person what happened; a refusal goes to stderr and ends with 65. */
export const adopt =
  (
    run: (directory: string, dryRun: boolean) => Promise<Either<Refusal, Adoption> | ExitCode>,
    output: Output,
  ) =>
  async (options: AdoptOptions): Promise<ExitCode> => {
    const outcome = await run(options.directory, options.dryRun)
    if (typeof outcome === 'number') return outcome
    if (isLeft(outcome)) {
      output.err(options.json ? JSON.stringify(outcome.left) : `${outcome.left._tag}: ${outcome.left.detail}`)
      if (!options.json && 'files' in outcome.left)
        for (const file of outcome.left.files) output.err(`    ${file}`)
      return exitCodes.findings
    }
    const adoption = outcome.right
    if (options.json) {
      output.out(JSON.stringify(adoption, null, 2))
      return exitCodes.ok
    }
    for (const one of adoption.Findings) {
      output.out(
        `${one.file}${one.line === null ? '' : `:${one.line}`}: ${one.severity}: ${one.reason} [${one.kind}]`,
      )
    }
    if (options.dryRun) output.out(parity(adoption))
    output.out(summary(adoption, options.dryRun))
    return exitCodes.ok
  }
