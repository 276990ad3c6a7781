import * as t from 'io-ts'
import { MonitorDocument, MonitorFailure } from '#protocol/fleet/monitor.js'

/** To self: the wait since the last fetch is over. */
const Due = t.type({ _tag: t.literal('Due') })
/** To self: how a fetch has ended. */
const Fetched = t.type({
  _tag: t.literal('Fetched'),
  outcome: t.union([
    t.type({ _tag: t.literal('Read'), document: MonitorDocument }),
    t.type({ _tag: t.literal('Failed'), why: MonitorFailure }),
  ]),
})
export type MonitorOutcome = t.TypeOf<typeof Fetched>['outcome']

export const MonitorWatcherMessage = t.union([Due, Fetched], 'MonitorWatcherMessage')
export type MonitorWatcherMessage = t.TypeOf<typeof MonitorWatcherMessage>
