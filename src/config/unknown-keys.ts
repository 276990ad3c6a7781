import { isLeft, tryCatch } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { configKeys } from '#protocol/config/keys.js'
import type { Finding } from '#src/lore/finding.js'
import type { SourceFile } from '#src/lore/source-file.js'
import { spellingDistance } from '#src/names/spelling-distance.js'

const keys = Object.keys(configKeys)

/** `server`, `integrations.chat`, …: what holds keys. */
export const sections: ReadonlySet<string> = new Set(
  keys.flatMap(name => {
    const parts = name.split('.')
    return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('.'))
  }),
)

const known: ReadonlySet<string> = new Set([...keys, ...sections])

/** Sections whose keys are the owner's to name: corpora and the workloads of the schedules (A 4.11). */
const freeForm: ReadonlySet<string> = new Set(['corpora', 'schedules'])

const farthest = 4
const shownChars = 80

const depth = (name: string): number => name.split('.').length

/** The known key that is most likely meant: a near spelling, else the same word in another section. */
const nearest = (name: string): string | null => {
  const max = Math.min(farthest, Math.floor(name.length / 3))
  const near = [...known]
    .filter(key => depth(key) === depth(name))
    .map(key => ({ key, distance: spellingDistance(name, key, max) }))
    .filter(({ distance }) => distance <= max)
    .sort((one, other) => one.distance - other.distance)
  const word = name.slice(name.lastIndexOf('.') + 1)
  return near[0]?.key ?? keys.find(key => key.endsWith(`.${word}`)) ?? null
}

const unknown = (file: SourceFile, name: string): Finding => {
  const [shown, meant] = [name.slice(0, shownChars), nearest(name)]
  return {
    kind: 'ConfigInvalid',
    severity: 'info',
    file: file.path,
    line: null,
    subject: shown,
    reason: `The key ${shown} is not known; nothing reads it.`,
    suggestion: meant === null ? `Remove ${shown}.` : `Did you mean ${meant}?`,
  }
}

const unknownIn = (tree: Record<string, unknown>, above: string): ReadonlyArray<string> =>
  Object.entries(tree).flatMap(([part, value]) => {
    const name = `${above}${part}`
    if (freeForm.has(name)) return []
    if (!known.has(name)) return [name]
    return sections.has(name) && t.UnknownRecord.is(value) ? unknownIn(value, `${name}.`) : []
  })

/**
 * Keys of `.svc/config.json` that no row of `protocol/config/keys.ts` has, each with the nearest that one has. They are
 * information: B 8 merges an unknown key and leaves it unread, so a newer host's file is no fault of this one.
 */
export const unknownKeys = (file: SourceFile): ReadonlyArray<Finding> => {
  const tree = tryCatch<unknown, unknown>(
    () => JSON.parse(file.text),
    error => error,
  )
  if (isLeft(tree) || !t.UnknownRecord.is(tree.right)) return []
  return unknownIn(tree.right, '').map(name => unknown(file, name))
}
