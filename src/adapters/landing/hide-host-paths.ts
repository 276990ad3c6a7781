import { basename, isAbsolute, relative } from 'node:path'
import type { LandingFailure } from '#src/ports/landing.js'

/** Any path of the host, as errors of node and git quote it. */
const hostPath = /(?<![\w.~-])\/[^\s'":,()]*/gu

/**
 * Text for an answer: paths below the checkout become relative, other paths of the host are replaced
 * (SECURITY 4).
 */
export const hideHostPaths = (repo: string, words: string): string =>
  words.replaceAll(`${repo}/`, '').replaceAll(hostPath, 'a file of the host')

const hidePath = (repo: string, path: string): string => {
  const below = isAbsolute(path) ? relative(repo, path) : path
  return below.startsWith('..') ? basename(path) : below
}

/** A failure as an answer may show it. */
export const hidePathsOfFailure = (repo: string, failure: LandingFailure): LandingFailure => {
  switch (failure._tag) {
    case 'Locked':
      return { ...failure, lock: hidePath(repo, failure.lock) }
    case 'Disk':
    case 'Blocked':
    case 'Failed':
      return { ...failure, reason: hideHostPaths(repo, failure.reason) }
    case 'Detached':
    case 'Moved':
    case 'Dirty':
      return failure
  }
}
