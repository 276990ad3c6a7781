import { isLeft, tryCatch } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { SourceFile } from './source-file.js'

/** The version in `.svc/format.json`, compared with the one that this daemon reads (D21). */
export interface Format {
  readonly stamped: number | null
  readonly expected: 2
  readonly state: 'Current' | 'SchemaTooOld' | 'SchemaTooNew'
}

const Stamp = t.type({ format: t.Int })

const stampOf = (file: SourceFile): number | null => {
  const parsed = tryCatch<unknown, unknown>(
    () => JSON.parse(file.text),
    error => error,
  )
  if (isLeft(parsed)) return null
  const stamp = Stamp.decode(parsed.right)
  return isLeft(stamp) ? null : stamp.right.format
}

/**
 * The format of the repository. A missing or unreadable stamp counts as too old, one above 2 as too new
 * (LAYOUT, D21).
 */
export const formatOf = (file: SourceFile | null): Format => {
  const stamped = file === null ? null : stampOf(file)
  const state = stamped === null || stamped < 2 ? 'SchemaTooOld' : stamped > 2 ? 'SchemaTooNew' : 'Current'
  return { stamped, expected: 2, state }
}
