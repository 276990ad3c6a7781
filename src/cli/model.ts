import type { Either } from 'fp-ts/lib/Either.js'
import type { ExitCode } from '#protocol/exit-code.js'
import { escapeControlsByLine } from './escape-controls.js'
import type { TokenOptions } from './options.js'
import type { Output } from './output.js'

/** The options of `kronika model add`. */
export interface ModelAddOptions extends TokenOptions {
  /** The folder that has the artifact. */
  readonly folder: string
  /** The id of the artifact on this host; if absent, the name of the folder. */
  readonly id?: string
}

/** What was brought in. */
export interface AddedModel {
  readonly id: string
  readonly files: ReadonlyArray<string>
  /** Names in the folder that are no files of an artifact. */
  readonly leftOut: ReadonlyArray<string>
  /** What is wrong with it and does not keep it out. */
  readonly problems: ReadonlyArray<string>
}

/** Why nothing was brought in, for the operator, and the exit code. */
export interface NotAdded {
  readonly code: ExitCode
  readonly reason: string
}

export interface ModelCommands {
  readonly add: (options: ModelAddOptions) => Promise<ExitCode>
}

/** Prints what came of `kronika model add`; returns the exit code. */
export const printAdded = (
  added: Either<NotAdded, AddedModel>,
  { json }: Pick<ModelAddOptions, 'json'>,
  output: Output,
  ok: ExitCode,
): ExitCode => {
  if (added._tag === 'Left') {
    output.err(escapeControlsByLine(`kronika model add: ${added.left.reason}`))
    return added.left.code
  }
  const { id, files, leftOut, problems } = added.right
  if (json) {
    output.out(JSON.stringify(added.right))
    return ok
  }
  output.out(`added ${id}: ${files.join(', ')}`)
  if (leftOut.length > 0) output.err(escapeControlsByLine(`left out: ${leftOut.join(', ')}`))
  for (const problem of problems) output.err(escapeControlsByLine(`${id}: ${problem}`))
  return ok
}
