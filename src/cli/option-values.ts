import { type Either, left, right } from 'fp-ts/lib/Either.js'
import { Instant } from '#protocol/atoms.js'
import { tokenLifetimeSecondsMax } from '#protocol/sign-in.js'
import { isTownName } from '#src/domain/fleet/topology.js'
import { type LogLevel, logLevels } from './options.js'

/** Reads the value of an option; Left: what is expected instead. */
export type ReadValue<A> = (text: string) => Either<string, A>

const portMax = 65_535

export const readPort: ReadValue<number> = text => {
  const value = Number(text)
  if (/^\d+$/.test(text) && value <= portMax) return right(value)
  return left(`It must be a whole number from 0 to ${portMax}.`)
}

const threadsMax = 64

/** Reads a number of reader threads. */
export const readThreads: ReadValue<number> = text => {
  const value = Number(text)
  if (/^\d+$/.test(text) && value <= threadsMax) return right(value)
  return left(`It must be a whole number from 0 to ${threadsMax}.`)
}

/** Reads the size of an invented world. */
export const readScale: ReadValue<number> = text => {
  const value = Number(text)
  if (/^\d+(\.\d+)?$/.test(text) && value > 0 && value <= 100) return right(value)
  return left('It must be a number above 0 and at most 100.')
}

/** Reads the name of a host in the fleet. */
export const readTown: ReadValue<string> = text =>
  isTownName(text)
    ? right(text)
    : left('It may have letters, digits, spaces, dots and dashes, 64 characters at most.')

/** Reads the town of a host that may be the only one: empty, as a unit's file of values leaves it, is none. */
export const readTownOrNone: ReadValue<string> = text => (text === '' ? right('') : readTown(text))

export const readLogLevel: ReadValue<LogLevel> = text => {
  const level = logLevels.find(one => one === text)
  return level === undefined ? left(`It must be one of ${logLevels.join(', ')}.`) : right(level)
}

const unitSeconds = { s: 1, m: 60, h: 3600, d: 86_400 } as const

/** Reads a duration, such as 90m; returns seconds. */
export const readLifetime: ReadValue<number> = text => {
  const [, count = '', unit = ''] = /^(\d{1,9})([smhd])$/.exec(text) ?? []
  const seconds = unit in unitSeconds ? Number(count) * Reflect.get(unitSeconds, unit) : 0
  if (seconds >= 1 && seconds <= tokenLifetimeSecondsMax) return right(seconds)
  return left('It must be a whole number with s, m, h or d, such as 12h, ten years at most.')
}

/** Reads the number of a merge request. */
export const readRequestNumber: ReadValue<number> = text =>
  /^[1-9]\d{0,14}$/.test(text) ? right(Number(text)) : left('It must be a whole number above 0.')

/** Reads a time in UTC, to the second or finer. */
export const readInstant: ReadValue<Instant> = text =>
  Instant.is(text) ? right(text) : left('It must be a time in UTC, such as 2026-06-15T12:00:00Z.')
