import * as t from 'io-ts'

/** To self: the wait since the last fetch is over. */
const Due = t.type({ _tag: t.literal('Due') })
/** To self: a fetch has ended, and its outcome is recorded. */
const Fetched = t.type({ _tag: t.literal('Fetched') })

export const MonitorWatcherMessage = t.union([Due, Fetched], 'MonitorWatcherMessage')
export type MonitorWatcherMessage = t.TypeOf<typeof MonitorWatcherMessage>
