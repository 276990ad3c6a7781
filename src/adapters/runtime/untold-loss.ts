import type { Sqlite } from './sqlite.js'

/** What a host has lost: the whole state area, or only its `runtime.db`. */
export type StateLoss = 'AreaLost' | 'RuntimeLost'

/**
 * The loss that this `runtime.db` replaces, until a host has logged it. It is stored in the header of the
 * file (`application_id`), so that a restored backup does not have it.
 */
export interface UntoldLoss {
  /** Null where no loss is unlogged. */
  readonly find: () => StateLoss | null
  /** Durable when it returns. */
  readonly forget: () => void
}

const codes: Readonly<Record<StateLoss, number>> = { AreaLost: 1, RuntimeLost: 2 }

/** Marks an empty file. It must be the first write, so that no kill leaves a file without the mark. */
export const markLoss = (database: Sqlite, loss: StateLoss): void =>
  database.exec(`PRAGMA application_id = ${codes[loss]}`)

/** The loss that `markLoss` left in the database and that no start has reported yet. */
export const untoldLossIn = (database: Sqlite): UntoldLoss => ({
  find: () => {
    const code = database.pragma('application_id')
    return code === codes.AreaLost ? 'AreaLost' : code === codes.RuntimeLost ? 'RuntimeLost' : null
  },
  forget: () => database.exec('PRAGMA application_id = 0'),
})
