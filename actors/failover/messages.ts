import * as t from 'io-ts'

const fenceCommit = t.string

/** A probe of the apex has changed its misses. */
const Swept = t.type({ _tag: t.literal('Swept') })
/** To self: what this host knows does not call for a takeover. `isTooEarly`: the apex is not dark for long enough. */
const Passed = t.type({ _tag: t.literal('Passed'), isTooEarly: t.boolean })
/** To self: what this host knows calls for a takeover of this version of the topology. */
const Called = t.type({ _tag: t.literal('Called'), fenceCommit })
/** To self: what the forge shows of the requests for this version. */
const Looked = t.type({
  _tag: t.literal('Looked'),
  fenceCommit,
  sight: t.type({
    seen: t.keyof({ none: null, open: null, merged: null, vetoed: null, unknown: null }),
    iid: t.union([t.number, t.null]),
  }),
})
/** To self: the takeover was asked for, or is not called for any more. */
const Asked = t.type({ _tag: t.literal('Asked'), isQueued: t.boolean })

export const FailoverMessage = t.union([Swept, Passed, Called, Looked, Asked], 'FailoverMessage')
export type FailoverMessage = t.TypeOf<typeof FailoverMessage>
