import * as t from 'io-ts'

/** The mode of the daemon (A 3). */
export const Mode = t.keyof({ ReadWrite: null, ReadOnly: null }, 'Mode')
export type Mode = t.TypeOf<typeof Mode>

/** The mode that a request asks for (A 4.5). */
export const WantedMode = t.keyof({ 'read-only': null, 'read-write': null }, 'WantedMode')
export type WantedMode = t.TypeOf<typeof WantedMode>
