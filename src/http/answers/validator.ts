import { createHash } from 'node:crypto'
import type { Reader } from '#src/domain/callers/caller.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'

/**
 * The part of every key that depends on the snapshot as a whole: the inputs, the day, and the build that
 * renders (D10).
 */
export const stampOf = ({ inputs, day }: Pick<Snapshot, 'inputs' | 'day'>, build: string): string =>
  `${inputs}\n${day}\n${build}`

/**
 * The rest of the key: row, path, query and view. The path has no control characters, so newlines separate.
 */
export const answerKey = (
  rowId: string,
  path: Readonly<Record<string, string>>,
  queryKey: string,
  reader: Reader,
): string => {
  const { mayReadRestricted, sessions, logs, external, opens = [] } = reader.view
  const shown = `${mayReadRestricted ? 'r' : ''}${sessions ? 's' : ''}${logs ? 'l' : ''}${external ? 'e' : ''}`
  const view = [shown, ...opens].join(' ')
  let key = `${rowId}\n${queryKey}\n${view}`
  if (reader.grade === 'own') key += `\n${reader.gracz ?? ''}`
  for (const name in path) key += `\n${path[name] ?? ''}`
  return key
}

/** The validator of an answer. Weak: the gzipped and the plain body share it. */
export const etagOf = (stamp: string, key: string): string =>
  `W/"${createHash('sha1').update(stamp).update('\n').update(key).digest('base64url')}"`

const opaque = (tag: string): string => (tag.startsWith('W/') ? tag.slice(2) : tag)

/** Whether `If-None-Match` names the validator. Ignores `*`: whether an answer exists is not known yet. */
export const namesEtag = (header: string | undefined, etag: string): boolean => {
  if (header === undefined) return false
  if (header === etag) return true
  const wanted = opaque(etag)
  return header.split(',').some(one => opaque(one.trim()) === wanted)
}
