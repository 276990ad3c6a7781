import * as t from 'io-ts'

/** The mode of the daemon (A 3). */
export const Mode = t.keyof({ ReadWrite: null, ReadOnly: null }, 'Mode')
export type Mode = t.TypeOf<typeof Mode>

/** A mode as it is asked for (A 4.5). */
export const WantedMode = t.keyof({ 'read-only': null, 'read-write': null }, 'WantedMode')
export type WantedMode = t.TypeOf<typeof WantedMode>
