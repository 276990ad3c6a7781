import { createHash } from 'node:crypto'
import type { Config } from '#protocol/config.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { Head } from '#src/ports/git.js'
import type { NamedFiles } from './named-files.js'

/** A hash over texts, none of which may have a NUL. */
export const digest = (...parts: ReadonlyArray<string>): string =>
  createHash('sha1').update(parts.join('\0')).digest('hex')

const configId = perValue((config: Config) => digest(JSON.stringify(config)))

/**
 * The id includes the configuration: with another one the host may answer differently from the same commit.
 */
export const inputsId = (
  { config }: { readonly config: Config },
  lore: Head,
  trees: Readonly<Record<'works' | 'moderators' | 'language' | 'annotated', Pick<NamedFiles, 'head'>>>,
): string =>
  digest(
    lore.id,
    ...[trees.works, trees.moderators, trees.language, trees.annotated].map(({ head }) => head?.id ?? ''),
    configId(config),
  )
