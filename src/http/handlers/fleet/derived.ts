import { left, right } from 'fp-ts/lib/Either.js'
import { DerivedKind, derivedKinds, type derivedRoutes, derivedStampHeader } from '#protocol/fleet/derived.js'
import { refuse } from '#protocol/refusal.js'
import { type Artifacts, artifactStatusOf, listDerived } from '#src/domain/fleet/derived.js'
import type { Handlers } from '#src/http/routing/handler.js'

export interface DerivedDeps {
  /** The derived artifacts of this host, in memory (S9). */
  readonly derived: {
    /** The stamp of the transcript archive; null where this host has none. */
    readonly archive: () => string | null
    readonly artifacts: () => Artifacts
  }
}

/** The derived artifacts (A 4.10). */
export const derivedHandlers: Handlers<typeof derivedRoutes, DerivedDeps> = {
  'derived.list': ({ node: { derived } }) => {
    const archive = derived.archive()
    const items = listDerived(derived.artifacts(), archive)
    return right({ body: { count: items.length, items, archive } })
  },
  'derived.get': ({ path: { kind }, node: { derived } }) => {
    if (!DerivedKind.is(kind))
      return left(
        refuse('UnknownDerivedKind', `There is no derived kind ${kind}. \`kinds\` lists all.`, {
          kinds: [...derivedKinds],
        }),
      )
    const artifact = derived.artifacts().get(kind)
    const status = artifactStatusOf(artifact, derived.archive())
    if (artifact === undefined || status !== 'fresh')
      return left(
        refuse(
          'DerivedNotFresh',
          `This host has no ${kind} of its transcript archive as it is now. \`GET /derived\` lists what it has; ` +
            'try again later, or ask another host.',
          { status },
        ),
      )
    const { bytes, stamp } = artifact
    return right({ body: { _tag: 'Rendered', bytes }, headers: { [derivedStampHeader]: stamp } })
  },
}
