import * as t from 'io-ts'

/** The served commit changed, or a town was probed. */
const Wake = t.type({ _tag: t.literal('Wake') })
/** To self: an interval is over since the start or the last copy. */
const Due = t.type({ _tag: t.literal('Due') })
/** To self: the stamp of the archive is read. `lacks`: this host should copy an artifact. */
const Stamped = t.type({ _tag: t.literal('Stamped'), lacks: t.boolean })
/** To self: a copy has ended. `asked`: how many towns were asked. */
const Copied = t.type({ _tag: t.literal('Copied'), asked: t.number })

export const ArtifactCopierMessage = t.union([Wake, Due, Stamped, Copied], 'ArtifactCopierMessage')
export type ArtifactCopierMessage = t.TypeOf<typeof ArtifactCopierMessage>
