import { type Either, isLeft, right } from 'fp-ts/lib/Either.js'
import type { Refusal } from '#protocol/refusal.js'
import { ordinaryStatus, type Table } from '#protocol/route.js'
import type { TellProgress } from '#src/ports/records.js'
import type { TaskOf, WritePort } from '#src/writing/command.js'

export interface WriteParts {
  readonly table: Table
  readonly write: WritePort
}

/** Makes a write; its result is the answer of the command's row. Throws when the table has no such row. */
export const performWrite = async (
  { table, write }: WriteParts,
  { command }: TaskOf<'Write'>,
  progress: TellProgress,
): Promise<Either<Refusal, unknown>> => {
  const row = table[command.row]
  if (row === undefined) throw new Error(`no row is named ${command.row}`)
  progress({ done: 0, total: 1, detail: 'plan and commit' })
  const outcome = await write(command)
  if (isLeft(outcome)) return outcome
  progress({ done: 1, total: 1, detail: 'done' })
  const { status, body } = outcome.right
  return right(row.answers[status ?? ordinaryStatus(row)]?.encode(body))
}
