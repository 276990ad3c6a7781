import type { Sqlite } from './sqlite.js'

/** What a host had and has no more: the whole state area, or its `runtime.db` alone. */
export type StateLoss = 'AreaLost' | 'RuntimeLost'

/**
 * The loss in whose place this `runtime.db` was made, until a host has told it. It lies in the header of the file
 * (`application_id`), so that a copy that a person puts back does not have it.
 */
export interface UntoldLoss {
  /** Null where none is untold. */
  readonly find: () => StateLoss | null
  /** Durable when it returns. */
  readonly forget: () => void
}

const codes: Readonly<Record<StateLoss, number>> = { AreaLost: 1, RuntimeLost: 2 }

/** Marks an empty file. It has to be the first thing that is written there: then no kill leaves a file without it. */
export const markLoss = (database: Sqlite, loss: StateLoss): void =>
  database.exec(`PRAGMA application_id = ${codes[loss]}`)

export const untoldLossIn = (database: Sqlite): UntoldLoss => ({
  find: () => {
    const code = database.pragma('application_id')
    return code === codes.AreaLost ? 'AreaLost' : code === codes.RuntimeLost ? 'RuntimeLost' : null
  },
  forget: () => database.exec('PRAGMA application_id = 0'),
})
