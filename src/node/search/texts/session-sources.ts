import type { Loaded } from '#actors/corpus-keeper/load.js'
import { namesTopics } from '#src/domain/lore/topic-text.js'
import type { Session } from '#src/domain/sessions/session.js'
import { mapInSlices, type Sliced } from '#src/domain/slicing/sliced.js'

/** Names the state of the texts that documents of a file are made of. */
export type VersionOfFile = (path: string) => string

/** Each session with the versions of the files that hold its copies. One whose header names topics is left out. */
export const sessionSources = function* (
  { build }: Pick<Loaded, 'build'>,
  versionOf: VersionOfFile,
): Sliced<ReadonlyMap<string, { readonly session: Session; readonly version: string }>> {
  const entries = yield* mapInSlices(
    build.snapshot.sessions.all.filter(({ header }) => !namesTopics(header)),
    session =>
      [
        session.key,
        {
          session,
          version: session.inOrder.map(({ path, line }) => `${versionOf(path)}:${line}`).join(),
        },
      ] as const,
  )
  return new Map(entries)
}
