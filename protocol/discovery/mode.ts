import * as t from 'io-ts'

/** The mode of the daemon (A 3). */
export const Mode = t.keyof({ ReadWrite: null, ReadOnly: null }, 'Mode')
export type Mode = t.TypeOf<typeof Mode>
