import { isLeft } from 'fp-ts/lib/Either.js'
import { cacheRecent } from '../records/recent.js'
import type { Match, Matcher, Served } from '../routing/matcher.js'
import { plainPath } from './plain-path.js'

/**
 * What the method and the encoded path of a request determine by themselves, independent of caller and lore.
 */
export interface RequestTarget {
  readonly found: ReturnType<Matcher>
  /** Null where no row matched. */
  readonly matched: Match | null
  /** The path for the request stream, not scrubbed yet; null where no row matched. */
  readonly recordedPath: string | null
}

export type TargetOf = (method: string, path: string) => RequestTarget

/** Path parameters whose value is a secret (D39). */
const secretParameters = /\{(sha|token|key|code)\}/

/** Enough for what a fleet of bots requests repeatedly; about 2 MiB of paths and parameters. */
const limits = { entriesMax: 2048, charsMax: 256 }

/**
 * Not shortened: that happens after the scrubber, which does not recognize a credential by its first
 * characters.
 */
const recordedPathOf = (match: Match, path: string): string => {
  const template = match.served.row.path
  return secretParameters.test(template) ? template : plainPath(path)
}

const targetOf = (match: Matcher, method: string, path: string): RequestTarget => {
  const found = match(method, path)
  const matched = isLeft(found) ? null : found.right
  return { found, matched, recordedPath: matched === null ? null : recordedPathOf(matched, path) }
}

/** Finds targets with the matcher; caches those of the latest reads. */
export const rememberTargets = (match: Matcher): TargetOf => {
  const ofGet = cacheRecent(path => targetOf(match, 'GET', path), limits)
  return (method, path) => (method === 'GET' ? ofGet(path) : targetOf(match, method, path))
}

/** The row that serves a target; null before the target is known, and where no row matched. */
export const servedRowOf = (target: RequestTarget | null): Served | null => target?.matched?.served ?? null
